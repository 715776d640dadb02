"""What cannot be seen is written out; what can be seen stays."""

import unicodedata

import pytest

from rony_desktop.ui.approval.escape import PIECE, RETURN, visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("docs/plan.md", "docs/plan.md"),
        ("caf\u00e9 \u65e5\u672c\u8a9e \U0001f58b", "caf\u00e9 \u65e5\u672c\u8a9e \U0001f58b"),
        ("ls \u202e txt.exe", "ls \\u202e txt.exe"),
        ("a\u2066b\u2069c", "a\\u2066b\\u2069c"),
        ("rm\u200b -rf", "rm\\u200b -rf"),
        ("\ufeffx\u200d\u2060", "\\ufeffx\\u200d\\u2060"),
        ("\x1b[2Kgone", "\\u001b[2Kgone"),
        ("nul\x00del\x7f", "nul\\u0000del\\u007f"),
        ("one\ntwo\r\n\tthree", "one\\ntwo\\r\\n\\tthree"),
        ("tag\U000e0041\U000e007f", "tag\\U000e0041\\U000e007f"),
        ("own\ue000\U000f0000", "own\\ue000\\U000f0000"),
        ("line\u2028para\u2029next\x85", "line\\u2028para\\u2029next\\u0085"),
        ("wide\u00a0\u2003\u3000", "wide\\u00a0\\u2003\\u3000"),
        ("fill\u3164\u115f\u2800", "fill\\u3164\\u115f\\u2800"),
        ("v\ufe0f\U000e0100", "v\\ufe0f\\U000e0100"),
        ("half\ud800", "half\\ud800"),
        ("<b>&amp;</b> \\u202e", "<b>&amp;</b> \\u202e"),
    ],
)
def test_text_equals_its_escaped_string(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_no_invisible_category_is_left() -> None:
    everything = "".join(map(chr, range(0x110000)))
    shown = visible(everything)
    left = {unicodedata.category(character) for character in shown}
    assert not left & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert {character for character in shown if unicodedata.category(character) == "Zs"} == {" "}


def test_lines_end_with_a_sign_and_long_ones_are_broken() -> None:
    assert list(visible_lines("one\ntwo")) == ["one" + RETURN, "two"]
    assert list(visible_lines("one\n")) == ["one" + RETURN, ""]
    assert list(visible_lines("")) == [""]
    long = "x" * (2 * PIECE + 1)
    assert [len(line) for line in visible_lines(long)] == [PIECE, PIECE, 1]
    assert "".join(visible_lines("a\u202e" * 900)) == "a\\u202e" * 900
