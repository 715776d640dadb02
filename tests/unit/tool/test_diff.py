from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.approval import FileChange, Hunk
from rony_desktop.tool.diff import MOST_EDITS, applied, hunks

texts = st.lists(st.sampled_from(["a", "b", "c\r", "", "\u2028x", "d\x0c"]), max_size=14).map(
    "\n".join
)


def change(before: str | None, after: str) -> FileChange:
    return FileChange("f", before, after, hunks(before, after))


@given(before=texts, after=texts, seed=st.integers())
def test_all_none_and_every_choice_are_exact(before: str, after: str, seed: int) -> None:
    found = change(before, after)
    everything = range(len(found.hunks))
    assert applied(found, set(everything)) == after
    assert applied(found, ()) == before
    # Joined by hand, so that the shortcut for all is not what is tested.
    assert _joined(found, set(everything)) == after
    some = {i for i in everything if random.Random(seed + i).random() < 0.5}
    assert applied(found, some) == _joined(found, some)


def _joined(found: FileChange, taken: set[int]) -> str:
    text, rest = "", (found.before or "").split("\n")
    lines = [line + "\n" for line in rest[:-1]] + [rest[-1]]
    at = 0
    for index, hunk in enumerate(found.hunks):
        text += "".join(lines[at : hunk.start])
        stop = hunk.start + len(hunk.before)
        assert tuple(line for line in lines[hunk.start : stop] if line) == hunk.before
        text += "".join(hunk.after if index in taken else hunk.before)
        at = stop
    return text + "".join(lines[at:])


@given(before=texts, after=texts)
def test_no_hunk_is_empty_or_touches_the_next(before: str, after: str) -> None:
    found = hunks(before, after)
    assert all(h.before != h.after for h in found)
    ends = [h.start + len(h.before) for h in found]
    assert all(end < h.start for end, h in zip(ends, found[1:], strict=False))
    assert (found == ()) == (before == after)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, "a\nb", (Hunk(0, (), ("a\n", "b")),)),
        (None, "", ()),
        ("a\n", "a\n", ()),
        ("a\nb\nc\n", "a\nB\nc\n", (Hunk(1, ("b\n",), ("B\n",)),)),
        ("a", "a\n", (Hunk(0, ("a",), ("a\n",)),)),
        ("a\nb\n", "", (Hunk(0, ("a\n", "b\n"), ()),)),
        ("a\r\nb\n", "a\nb\n", (Hunk(0, ("a\r\n",), ("a\n",)),)),
        (
            "x\na\na\na\ny\n",
            "X\na\na\na\nY\n",
            (Hunk(0, ("x\n",), ("X\n",)), Hunk(4, ("y\n",), ("Y\n",))),
        ),
    ],
)
def test_hunks(before: str | None, after: str, expected: tuple[Hunk, ...]) -> None:
    assert hunks(before, after) == expected


def test_indexes_that_are_not_there_take_nothing() -> None:
    assert applied(change("a\nb\nc\n", "A\nb\nC\n"), {1, 7, -1}) == "a\nb\nC\n"


def test_two_far_edits_of_a_long_file_are_two_hunks() -> None:
    lines = [f"line {i % 50}\n" for i in range(20_000)]
    after = lines.copy()
    after[3], after[19_990] = "new\n", "new too\n"
    assert [h.start for h in hunks("".join(lines), "".join(after))] == [3, 19_990]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([f"{i}\n" for i in range(5_000)], id="nothing alike"),
        pytest.param(["a\n", "b\n"] * 2_500, id="all alike"),
        pytest.param([f"{i * i % 17}\n" for i in range(5_000)], id="mixed"),
        pytest.param(["x" * 200_000 + f"{i}\n" for i in range(20)], id="long lines"),
    ],
)
def test_hostile_texts_take_bounded_time(lines: list[str]) -> None:
    other = [line[:-1] + "'\n" if i % 3 else line for i, line in enumerate(reversed(lines))]
    before, after = "".join(lines), "".join(other)
    begun = time.process_time()
    found = change(before, after)
    assert time.process_time() - begun < 3
    assert applied(found, range(len(found.hunks))) == after


def test_more_edits_than_anyone_chooses_from_are_one_hunk() -> None:
    before = "".join(f"{i}\nsame\n" for i in range(MOST_EDITS))
    after = "".join(f"{i}'\nsame\n" for i in range(MOST_EDITS))
    assert len(hunks(before, after)) == 1
