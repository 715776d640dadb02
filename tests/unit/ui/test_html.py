"""What a model writes never becomes a tag, a picture or a forbidden link."""

import time

import pytest

from rony_desktop.ui.chat.html import allowed, block_html, block_text, visible
from rony_desktop.ui.chat.markdown import LIMIT, MessageParser, parse


def html(text: str) -> str:
    parser = MessageParser()
    parser.append(text)
    parser.end()
    return "".join(block_html(block, parser.references) for block in parser.blocks)


def test_tags_are_shown_as_text() -> None:
    shown = html("<b>x</b> <img src='file:///a.png'>\n\n<table><tr><td>y\n")
    assert "<b>" not in shown
    assert "<img" not in shown
    assert "&lt;img" in shown


@pytest.mark.parametrize(("columns", "small"), [(2, False), (6, False), (7, True), (12, True)])
def test_a_table_of_many_columns_is_set_smaller(columns: int, small: bool) -> None:
    head, rule = "| word " * columns + "|\n", "|---" * columns + "|\n"
    assert ('class="wide"' in html(head + rule + head)) is small


@pytest.mark.parametrize(
    "text",
    [
        "![a](file:///x.png)",
        "![a](/x.png)",
        "![a](../x.png)",
        "![a](https://example.org/x.png)",
        "![a][r]\n\n[r]: https://example.org/x.png",
        "[![a](data:image/png;base64,AA)](https://example.org)",
    ],
)
def test_no_spelling_makes_a_picture(text: str) -> None:
    assert "<img" not in html(text)
    assert "a" in html(text)


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("https://example.org/a?b=c", True),
        ("http://example.org", True),
        ("mailto:a@example.org", True),
        ("HTTPS://EXAMPLE.ORG", True),
        ("javascript:alert(1)", False),
        ("file:///etc/passwd", False),
        ("data:text/html,x", False),
        ("/etc/passwd", False),
        ("../x", False),
        ("ssh://host", False),
    ],
)
def test_three_schemes_only(address: str, good: bool) -> None:
    assert allowed(address) is good
    assert not allowed("http://[")
    assert ("href" in html(f"[label](<{address}>)")) is good


def test_a_label_with_another_host_shows_the_real_one() -> None:
    assert "(evil.example)" in html("[https://bank.example/in](https://evil.example/in)")
    assert "(evil.example)" in html("[www.bank.example](https://user@evil.example)")
    assert "(" not in html("[example.org](https://example.org/path)")


def test_hidden_characters_are_written_out() -> None:
    assert visible("a\u202eb\u200bc\x1b[0m\U000e0041") == "a\\u202eb\\u200bc\\u001b[0m\\U000e0041"
    assert visible("tab\tline\n日本 é") == "tab\tline\n日本 é"


def test_references_reach_links() -> None:
    assert 'href="https://example.org"' in html("see [it]\n\n[it]: https://example.org\n")


def test_words_without_markdown() -> None:
    blocks = parse("# A **b**\n\n- `c`\n- d\n\n```py\ne = 1\n```\n")
    assert [block_text(block, {}) for block in blocks] == ["A b", "c\nd", "e = 1\n"]


@pytest.mark.parametrize("unit", ["[", "*", "**a", "`", "![", "<", "> - ", "[a](", "_a_", "\\"])
def test_hostile_inline_does_not_stall(unit: str) -> None:
    text = (unit * LIMIT)[:LIMIT]
    start = time.thread_time()
    for block in parse(text):
        block_html(block, {})
    assert time.thread_time() - start < 3
