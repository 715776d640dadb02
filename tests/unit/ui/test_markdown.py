"""The incremental parser: cut points never matter, no character is lost, nothing stalls."""

import random
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st
from markdown_it import MarkdownIt

from rony_desktop.ui.chat.block import BlockKind
from rony_desktop.ui.chat.markdown import LIMIT, MessageParser, parse

PROSE = """\
# Title

A paragraph with **bold**, `code` and
a second line.
- one
- two

  still two
1. first
2. second

> quoted
lazy
***
Setext
------

| a | b |
|---|--:|
| 1 | 2 |

```python
def f():
    return "```"
```

    indented

$$
x^2
$$

~~~
open fence with ``` inside
"""

PIECES = [
    "word",
    "\n",
    "\n\n",
    "- item\n",
    "1. one\n",
    "  deeper\n",
    "    code\n",
    "```py\n",
    "```\n",
    "~~~\n",
    "> quote\n",
    "# head\n",
    "***",
    "---\n",
    "===\n",
    "|a|b|\n",
    "|-|-|\n",
    "`",
    "*bold*",
    "<b>",
    "\t",
    "\r\n",
    "\r",
    " ",
]


def in_pieces(text: str, cuts: list[int]) -> MessageParser:
    parser = MessageParser()
    bounds = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    for start, stop in pairwise(bounds):
        parser.append(text[start:stop])
    parser.end()
    return parser


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.lists(st.integers(0, 500), max_size=40))
@settings(max_examples=400, deadline=None)
def test_any_cut_gives_the_same_blocks(pieces: list[str], cuts: list[int]) -> None:
    text = "".join(pieces)
    parser = in_pieces(text, cuts)
    assert parser.blocks == parse(text)
    sources = "".join(block.source for block in parser.blocks)
    assert sources == text.replace("\r\n", "\n").replace("\r", "\n")


def test_character_by_character_equals_whole() -> None:
    assert in_pieces(PROSE, list(range(len(PROSE)))).blocks == parse(PROSE)


def test_kinds_in_order() -> None:
    kinds = [block.kind.value for block in parse(PROSE)]
    assert kinds == [
        "heading", "text", "list", "list", "quote", "rule", "heading", "table", "code", "code",
        "math", "code",
    ]  # fmt: skip


def test_blocks_are_those_of_a_plain_parse() -> None:
    oracle = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    text = PROSE * 3
    starts = [t.map[0] for t in oracle.parse(text) if t.level == 0 and t.nesting >= 0 and t.map]
    lines, ours = 0, []
    for block in parse(text):
        ours.append(lines)
        lines += block.source.count("\n")
    assert ours == starts


def test_finished_blocks_never_change() -> None:
    parser = MessageParser()
    final = {}
    for character in PROSE:
        parser.append(character)
        for block in parser.blocks:
            if block.final:
                assert final.setdefault(block.id, block) == block
    assert len(final) > 8


def test_change_replaces_only_the_end() -> None:
    parser = MessageParser()
    shown: list = []
    for character in PROSE:
        change = parser.append(character)
        shown[change.first :] = change.blocks
        assert tuple(shown) == parser.blocks
    change = parser.end()
    shown[change.first :] = change.blocks
    assert tuple(shown) == parser.blocks == parse(PROSE)


def test_open_fence_streams_as_code() -> None:
    parser = MessageParser()
    parser.append("text\n\n```rust\nfn main() {\n  le")
    assert [block.kind for block in parser.blocks] == [BlockKind.TEXT, BlockKind.CODE]
    assert parser.blocks[-1].text == "fn main() {\n  le"
    assert parser.blocks[-1].language == "rust"
    assert not parser.blocks[-1].final


def test_a_definition_after_its_link_gives_all_blocks_again() -> None:
    parser = MessageParser()
    parser.append("see [it]\n\nmore\n\n[it]: https://example.org\n")
    change = parser.end()
    assert change.first == 0
    assert "IT" in parser.references


@pytest.mark.parametrize(
    "line",
    [
        "```py\n" + "x = 1  # comment\n" * 2000 + "```\nend\n",
        "| a | b |\n|---|---|\n" + "| one | two |\n" * 1400 + "\nend\n",
        "".join(f"{n}. item number {n}\n" for n in range(1, 1500)) + "\nend\n",
        "word " * 8000 + "\n\nend\n",
        "> " + "quote " * 6000 + "\n\nend\n",
    ],
)
def test_long_blocks_are_cut_and_joined(line: str) -> None:
    whole = parse(line)
    assert "".join(block.source for block in whole) == line
    assert max(len(block.source) for block in whole) <= 2 * LIMIT
    assert sum(block.joined for block in whole) >= 3
    assert whole[-1].source.endswith("end\n")
    chance = random.Random(7)
    assert in_pieces(line, [chance.randrange(len(line)) for _ in range(60)]).blocks == whole


def test_pieces_of_a_long_fence_join_to_its_text() -> None:
    code = "".join(f"line {n}\n" for n in range(3000))
    blocks = parse(f"```txt\n{code}```\n")
    assert "".join(block.text for block in blocks) == code
    assert {block.language for block in blocks} == {"txt"}


def test_rows_of_a_long_table_keep_their_head() -> None:
    blocks = parse("| a | b |\n|---|---|\n" + "| one | two |\n" * 1500)
    assert {block.kind for block in blocks} == {BlockKind.TABLE}
    assert {block.head for block in blocks[1:]} == {"| a | b |\n|---|---|\n"}


@pytest.mark.parametrize(
    "text",
    [
        "x" * 5_000_000,
        "```\n" + "y" * 1_000_000,
        ">" * 20_000,
        "- " * 10_000,
        "[" * 50_000,
        "*" * 50_000,
        "`" * 50_000,
        "|" * 50_000,
        "\n" * 100_000,
    ],
)
def test_hostile_text_does_not_stall(text: str) -> None:
    start = time.thread_time()
    blocks = parse(text)
    assert time.thread_time() - start < 8
    assert "".join(block.source for block in blocks) == text


def test_nul_and_lone_surrogates_are_replaced() -> None:
    assert parse("a\x00b\ud800c")[0].source == "a\ufffdb\ufffdc"
