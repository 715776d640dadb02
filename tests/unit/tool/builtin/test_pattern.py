from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.error import ToolArgumentsError
from rony_desktop.tool.builtin import pattern as module
from rony_desktop.tool.builtin.pattern import EXCERPT_CHARS, Hit, Pattern


def hits(pattern: str, text: str) -> list[tuple[int, str]]:
    found = Pattern(pattern).hits(text.encode())
    return [(hit.line, hit.text) for hit in found if isinstance(hit, Hit)]


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("b", "abc\nxyz\ncab\n", [(1, "abc"), (3, "cab")]),
        ("^a|c$", "abc\nxa\ncax", [(1, "abc")]),
        ("(?i)ABC", "xabcx", [(1, "xabcx")]),
        ("a", "aaa\naaa", [(1, "aaa"), (2, "aaa")]),
        ("end$", "the end\r\nend.\r\n", [(1, "the end")]),
        ("^$", "a\n\nb\n", [(2, "")]),
        ("^$", "a\n", []),
        ("", "a\nb\n", [(1, "a"), (2, "b")]),
        ("grün|日本", "日本\nGrün\ngrün", [(1, "日本"), (3, "grün")]),
        (r"a\s*b", "a\nb", []),
        ("a[^x]*b", "a\nb\nab", [(3, "ab")]),
        ("x", "", []),
        ("", "", []),
        (r"\bis\b", "this\nit is", [(2, "it is")]),
    ],
)
def test_lines_are_matched(pattern: str, text: str, expected: list[tuple[int, str]]) -> None:
    assert hits(pattern, text) == expected


@given(st.lists(st.text("ab\r", max_size=5), max_size=12), st.sampled_from(["a", "b$", "^a", ""]))
def test_pieces_of_any_size_give_the_same_hits(lines: list[str], pattern: str) -> None:
    text = "\n".join(lines)
    whole, size = hits(pattern, text), module.PIECE_BYTES
    try:
        module.PIECE_BYTES = 16
        assert hits(pattern, text) == whole
    finally:
        module.PIECE_BYTES = size


@pytest.mark.parametrize("pattern", ["a(b", "[", "*x", "(?=b)", r"(b)\1", "\\"])
def test_what_is_no_regular_expression_here_is_searched_as_text(pattern: str) -> None:
    compiled = Pattern(pattern)
    assert "searched for the text itself" in compiled.note
    assert hits(pattern, f"ab\nx{pattern}y") == [(2, f"x{pattern}y")]
    assert Pattern("ab").note == ""


def test_a_line_end_in_a_pattern_is_told_not_to_match() -> None:
    assert Pattern("a\nb").note
    assert hits("a\nb", "a\nb") == []


def test_a_lone_surrogate_is_no_error() -> None:
    assert hits("\ud800", "a?b") in ([], [(1, "a?b")])


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(x+x+)+y", "(.*a){25}b", "(a|a)*b", "(?:a?){500}b", "(a{900}){900}"]
)
def test_bombs_take_linear_time(pattern: str) -> None:
    started = time.perf_counter()
    hits(pattern, "a" * 200_000 + "!")
    assert time.perf_counter() - started < 5


def test_the_caller_may_stop_between_pieces() -> None:
    found = list(Pattern("zzz").hits(b"a\n" * 1_000_000))
    assert len(found) >= 2_000_000 // module.PIECE_BYTES
    assert set(found) == {None}


def test_a_long_line_is_cut_around_the_match() -> None:
    [(line, text)] = hits("needle", "ä" * 100_000 + "needle" + "ö" * 100_000)
    assert line == 1
    assert "needle" in text
    assert text.startswith("…")
    assert text.endswith("…")
    assert len(text) == EXCERPT_CHARS + 2
    [(_, text)] = hits("needle", "needle" + "ö" * 1000)
    assert text.startswith("needle")
    [(_, text)] = hits("needle$", "ö" * 1000 + "needle")
    assert text.endswith("needle")


def test_a_line_of_megabytes_keeps_its_number() -> None:
    text = "first\n" + "x" * 1_000_000 + "\nlast\n"
    assert hits("last", text) == [(3, "last")]
    assert hits("^x", text)[0][0] == 2


def test_a_pattern_too_long_even_as_text_is_refused_in_words() -> None:
    with pytest.raises(ToolArgumentsError, match="1000000 bytes is too long"):
        Pattern("x" * 1_000_000)
