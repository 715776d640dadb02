from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, strategies as st

from rony_desktop.tool.builtin.page import Place, line_count, page, room_of

NEXT = re.compile(r"go on with offset (\d+)(?:, column (\d+))?\]")


def read_through(text: str, room: int) -> str:
    """Join every page a text has, following what each says."""
    place, parts = Place(), []
    for _ in range(10 * len(text) + 2):
        head, _, body = page(text, place, room).partition("\n")
        parts.append(body)
        found = NEXT.search(head)
        if not found:
            return "".join(parts)
        assert body, "a page without a character never ends"
        place = Place(int(found[1]), int(found[2] or 1))
    raise AssertionError("the pages do not end")


@pytest.mark.parametrize("room", [4, 5, 7, 16, 1000])
@pytest.mark.parametrize(
    "text",
    ["a\n", "a", "\n", "\n\n\n", "abcd\nabc\n", "a\r\nbb\r\n", "0123456789\nab", "äöü€𝄞\n" * 3],
)
def test_pages_join_to_the_whole_text(text: str, room: int) -> None:
    assert read_through(text, room) == text


@given(st.text("ab\n\r€", min_size=1, max_size=40), st.integers(4, 30))
def test_no_character_is_lost_at_any_size(text: str, room: int) -> None:
    assert read_through(text, room) == text


@given(st.text(max_size=200), st.integers(1, 60), st.integers(1, 60), st.integers(4, 80))
def test_a_page_holds_at_most_its_room(text: str, offset: int, column: int, room: int) -> None:
    head, _, body = page(text, Place(offset, column), room).partition("\n")
    assert len(body.encode()) <= room
    assert len(head) < 120


def test_the_first_line_says_which_lines_and_how_to_go_on() -> None:
    text = "one\ntwo\nthree\n"
    assert page(text, Place(), 100) == "[lines 1-3 of 3]\none\ntwo\nthree\n"
    assert page(text, Place(2, limit=1), 100) == "[lines 2-2 of 3; go on with offset 3]\ntwo\n"
    assert page(text, Place(3), 100) == "[lines 3-3 of 3]\nthree\n"
    cut = "[lines 3-3 of 3 from character 2; go on with offset 3, column 5]\nhre"
    assert page(text, Place(3, 2), 3) == cut


def test_what_is_past_the_end_is_told() -> None:
    assert page("", Place(), 10) == "[empty]"
    assert page("a\nb", Place(3), 10) == "[no line 3: there are 2 lines]"
    assert page("a\nb", Place(1, 9), 10) == "[line 1 has fewer than 9 characters]"
    assert page("a\nb", Place(2, 9), 10) == "[line 2 has fewer than 9 characters]"
    huge = 10**30
    assert page("a\n", Place(huge, huge, huge), 10).startswith("[no line")


def test_arguments_before_the_start_mean_the_start() -> None:
    assert Place.of({"offset": 0, "column": -3, "limit": -1}) == Place(1, 1, 1)
    assert Place.of({"offset": 2.0}) == Place(2, 1, None)


def test_a_lone_surrogate_does_not_end_the_page() -> None:
    assert page("a\ud800b", Place(), 10) == "[lines 1-1 of 1]\na?b"


def test_a_page_far_into_millions_of_lines_is_found_at_once() -> None:
    text = "\n" * 20_000_000 + "end"
    started = time.perf_counter()
    assert page(text, Place(20_000_001), 10) == "[lines 20000001-20000001 of 20000001]\nend"
    assert time.perf_counter() - started < 2


def test_lines_end_only_at_a_line_feed() -> None:
    assert line_count("a\u2028b\x0bc\rd") == 1
    assert [line_count(text) for text in ("", "a", "a\n", "a\nb")] == [0, 1, 1, 2]


@pytest.mark.parametrize("limit", [256, 512, 1024, 6144])
def test_a_full_page_stays_below_the_inline_limit(limit: int) -> None:
    text = "x" * 10_000_000
    assert len(page(text, Place(1, 1_000_000), room_of(limit)).encode()) < limit
