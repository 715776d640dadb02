"""The rows a file change is shown in: hunks, line numbers, signs, lines broken to a width."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from rony_desktop.contract.approval import FileChange, Hunk
from rony_desktop.ui.approval.escape import visible

TAB = "\u2192   "
BLANK = "\u00b7"  # a space at the end of a line
_CHUNK = 4096  # characters of a line that are looked at together


class RowKind(Enum):
    """What a row says."""

    HEAD = "head"
    REMOVED = "removed"
    ADDED = "added"
    NO_END = "no_end"  # the line above has no line end


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row: line counts from 1, 0 where the row goes on with the line above it."""

    kind: RowKind
    hunk: int
    line: int = 0
    text: str = ""


def rows(
    change: FileChange, heads: bool, columns: int, fits: Callable[[str], bool]
) -> Iterator[DiffRow]:
    """Every row of a change, escaped. fits tells of what is not ASCII whether it is narrow enough.

    Removed lines have the numbers of the file as it is, added ones those it would have.
    """
    shift = 0
    for number, hunk in enumerate(change.hunks):
        if heads:
            yield DiffRow(RowKind.HEAD, number, hunk.start + 1)
        for kind, first, lines in _sides(hunk, shift):
            for offset, line in enumerate(lines):
                yield from _line(kind, number, first + offset, line, (columns, fits))
        shift += len(hunk.after) - len(hunk.before)


def _sides(hunk: Hunk, shift: int) -> Iterator[tuple[RowKind, int, tuple[str, ...]]]:
    yield RowKind.REMOVED, hunk.start + 1, hunk.before
    yield RowKind.ADDED, hunk.start + 1 + shift, hunk.after


def _line(
    kind: RowKind, hunk: int, line: int, text: str, room: tuple[int, Callable[[str], bool]]
) -> Iterator[DiffRow]:
    shown = line
    words = text.removesuffix("\n")
    bare = words.rstrip(" ")
    for piece in _pieces(bare + BLANK * (len(words) - len(bare)), *room):
        yield DiffRow(kind, hunk, shown, piece)
        shown = 0
    if not text.endswith("\n"):
        yield DiffRow(RowKind.NO_END, hunk)


def _pieces(line: str, columns: int, fits: Callable[[str], bool]) -> Iterator[str]:
    if not line:
        yield ""
    for start in range(0, len(line), _CHUNK):
        text = TAB.join(visible(part) for part in line[start : start + _CHUNK].split("\t"))
        plain = text.isascii()
        at = 0
        while at < len(text):
            size = columns
            while not plain and size > 1 and not fits(text[at : at + size]):
                size = max(1, size * 3 // 4)
            yield text[at : at + size]
            at += size
