"""Differences between two texts, line by line, and the text that a choice of them makes."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from itertools import pairwise

from rony_desktop.contract.approval import FileChange, Hunk

# Beyond these many lines taken out and put in, nobody chooses: the change is one hunk.
# They also bound the time: the search takes at most about MOST_EDITS squared steps.
MOST_EDITS = 1_000

_Place = tuple[int, int]


def hunks(before: str | None, after: str) -> tuple[Hunk, ...]:
    """What differs, in order; () for equal texts. before is None for a new file."""
    old, new = _lines(before or ""), _lines(after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old_part, new_part = old[head : len(old) - tail], new[head : len(new) - tail]
    found = []
    for (old_from, new_from), (old_to, new_to) in _differences(old_part, new_part):
        removed, added = old_part[old_from:old_to], new_part[new_from:new_to]
        found.append(Hunk(head + old_from, tuple(removed), tuple(added)))
    return tuple(found)


def applied(change: FileChange, taken: Collection[int]) -> str:
    """The file as it would be with only these hunks, by index: all give after, none give before."""
    before = change.before or ""
    if not taken:
        return before
    if all(index in taken for index in range(len(change.hunks))):
        return change.after
    lines, kept, done = _lines(before), [], 0
    for index, hunk in enumerate(change.hunks):
        kept += lines[done : hunk.start]
        kept += hunk.after if index in taken else hunk.before
        done = hunk.start + len(hunk.before)
    return "".join([*kept, *lines[done:]])


def _lines(text: str) -> list[str]:
    r"""Lines with their ends. Only "\n" ends one: other separators are text to an editor."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are equal from the start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _differences(old: Sequence[str], new: Sequence[str]) -> list[tuple[_Place, _Place]]:
    """Where the two differ, each as its place before and its place behind, in both."""
    if not old and not new:
        return []
    end = (len(old), len(new))
    # Numbers compare in one step, however long the lines are.
    numbers: dict[str, int] = {}
    path = _shortest(
        [numbers.setdefault(line, len(numbers)) for line in old],
        [numbers.setdefault(line, len(numbers)) for line in new],
    )
    if path is None:
        return [((0, 0), end)]
    found: list[tuple[_Place, _Place]] = []
    for start, stop in pairwise(path):
        if stop[0] - start[0] == stop[1] - start[1]:
            continue  # equal lines
        joins = bool(found) and found[-1][1] == start
        found.append((found.pop()[0] if joins else start, stop))
    return found


def _shortest(old: Sequence[int], new: Sequence[int]) -> list[_Place] | None:
    """Places along a shortest script of edits; None where it has more than MOST_EDITS.

    The greedy search of Myers, "An O(ND) difference algorithm and its variations" (1986):
    reach tells for each diagonal x - y how far in old one gets with the edits so far.
    """
    rows, columns = len(old), len(new)
    most = min(rows + columns, MOST_EDITS)
    middle = most + 1
    reach = array("l", [-1]) * (2 * middle + 1)
    history: list[array[int]] = []
    for edits in range(most + 1):
        history.append(reach[middle - edits - 1 : middle + edits + 2])
        for here in range(middle - edits, middle + edits + 1, 2):
            x = max(reach[here - 1] + 1, reach[here + 1])
            y = x - (here - middle)
            while x < rows and y < columns and old[x] == new[y]:
                x += 1
                y += 1
            reach[here] = x
            if x == rows and y == columns:
                return _walked_back(history, (rows, columns))
    return None


def _walked_back(history: Sequence[Sequence[int]], end: _Place) -> list[_Place]:
    """Every turn of the script that led to end: each edit has a place before and one behind."""
    path = [end]
    x, y = end
    for edits in range(len(history) - 1, 0, -1):
        reach, here = history[edits], x - y + edits + 1
        down = reach[here + 1] > reach[here - 1]
        x = reach[here + 1] if down else reach[here - 1] + 1
        y = x - (here - edits - 1)
        path.append((x, y))
        x, y = (x, y - 1) if down else (x - 1, y)
        path.append((x, y))
    return [(0, 0), *reversed(path)]
