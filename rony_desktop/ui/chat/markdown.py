"""An incremental Markdown parser: text comes in pieces, blocks come out and stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from rony_desktop.ui.chat.block import Block, BlockKind

LIMIT = 3_000  # characters of one block; what is longer continues in a joined block
WINDOW = LIMIT + LIMIT // 4  # characters looked at together
# Rows and items cost more to lay out than lines of a paragraph.
LIMITS = {"table_open": LIMIT // 3, "bullet_list_open": LIMIT // 2, "ordered_list_open": LIMIT // 2}
NESTING = 40

_KINDS = {
    "paragraph_open": BlockKind.TEXT,
    "heading_open": BlockKind.HEADING,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "table_open": BlockKind.TABLE,
    "blockquote_open": BlockKind.QUOTE,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "hr": BlockKind.RULE,
}
_UNSAFE = re.compile("[\ud800-\udfff\x00]")
_MATH = re.compile(r"\s*(\$\$.+\$\$|\\\[.+\\\])\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Change:
    """Blocks from index first on are replaced by these."""

    first: int
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    token: Token
    start: int
    stop: int
    deep: bool


class MessageParser:
    """Turns the pieces of one message into blocks; only the newest block is parsed again.

    references holds the link definitions met so far, for the renderer.
    """

    def __init__(self) -> None:
        self.references: dict[str, Any] = {}
        self._done: list[Block] = []
        self._open: tuple[Block, ...] = ()
        self._tail = ""
        self._held = ""
        self._head = ""
        self._joined = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Every block so far, oldest first."""
        return (*self._done, *self._open)

    def append(self, text: str) -> Change:
        """Take the next piece of the text."""
        text = self._held + text
        self._held = "\r" if text.endswith("\r") else ""
        text = text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        return self._take(_UNSAFE.sub("\ufffd", text), ended=False)

    def end(self) -> Change:
        """Say that no more text comes: every block is final.

        Definitions may stand below the links that use them, so where there are any, all blocks
        are given again.
        """
        change = self._take("\n" if self._held else "", ended=True)
        self._held = ""
        self._done.extend(replace(block, final=True) for block in self._open)
        self._open = ()
        first = 0 if self.references else change.first
        return Change(first, tuple(self._done[first:]))

    def _take(self, text: str, *, ended: bool) -> Change:
        first = len(self._done)
        self._tail += text
        while self._settle(ended=ended):
            pass
        parts = self._structure(self._tail)
        if not parts and self._tail:
            self._open = (Block(len(self._done), BlockKind.TEXT, self._tail),)
        else:
            self._open = tuple(self._blocks(self._tail, parts))
        return Change(first, (*self._done[first:], *self._open))

    def _settle(self, *, ended: bool) -> bool:
        """Move blocks that cannot change any more out of the tail; tell whether any was."""
        window = self._window(ended=ended)
        if not window:
            return False
        parts = self._structure(window)
        if not parts:
            return len(window) > LIMIT and self._finish(window, ())
        if parts[0].stop > _limit(parts[0]):
            return self._split(parts[0])
        if len(parts) > 1:
            size = parts[-1].start
            whole = [part for part in parts[:-1] if part.stop - part.start <= _limit(part)]
            if len(whole) < len(parts) - 1:
                size = parts[len(whole)].start
            return self._finish(window[:size], whole)
        return len(window) >= WINDOW and self._finish(window, parts)

    def _window(self, *, ended: bool) -> str:
        """The part of the tail that is looked at: whole lines, and never too much at once."""
        window = self._tail[:WINDOW]
        stop = window.rfind("\n") + 1
        if len(window) < len(self._tail):
            return window[:stop] if stop > LIMIT else window
        return window if ended else window[:stop]

    def _finish(self, source: str, parts: list[_Part] | tuple[()]) -> bool:
        blocks = list(self._blocks(source, parts)) or [Block(0, BlockKind.TEXT, source)]
        for block in blocks:
            self._done.append(replace(block, id=len(self._done), final=True))
        self._tail = self._tail[len(source) :]
        self._head, self._joined = "", False
        return True

    def _split(self, part: _Part) -> bool:
        """Cut a block that is too long; the rest goes on with the same head."""
        limit = _limit(part)
        start = self._tail[:limit]
        size = start.rfind("\n") + 1 or start.rfind(" ") + 1 or limit
        if part.token.type.endswith("list_open"):
            size = self._last_item(start) or size
        head = self._head
        if not head and part.token.type in {"fence", "table_open"} and part.token.map:
            lines = self._tail[part.start :].split("\n", 2)
            head = "".join(f"{line}\n" for line in lines[: 1 if part.token.type == "fence" else 2])
        if size <= len(head) and not self._head:
            size = limit
        self._finish(self._tail[:size], self._structure(self._tail[:size])[:1])
        self._head = head if len(head) < limit else ""
        self._joined = True
        return True

    def _last_item(self, text: str) -> int:
        starts = _line_starts(text)
        tokens = _parser().parse(text, {})
        items = [
            starts[token.map[0]]
            for token in tokens
            if token.type == "list_item_open" and token.level == 1 and token.map
        ]
        return items[-1] if items else 0

    def _structure(self, text: str) -> list[_Part]:
        """Top-level blocks of the text with their places in it."""
        env: dict[str, Any] = {"references": self.references}
        whole = self._head + text
        tokens = _parser().parse(whole, env)
        starts = _line_starts(whole)
        skip = len(self._head)
        parts: list[_Part] = []
        deep = False
        for token in reversed(tokens):
            deep = deep or token.level >= NESTING - 2
            if token.level == 0 and token.type in _KINDS and token.map:
                start, stop = (starts[min(line, len(starts) - 1)] for line in token.map)
                parts.append(_Part(token, max(0, start - skip), max(0, stop - skip), deep))
                deep = False
        return parts[::-1]

    def _blocks(self, source: str, parts: list[_Part] | tuple[()]) -> Iterator[Block]:
        for index, part in enumerate(parts):
            start = part.start if index else 0
            stop = parts[index + 1].start if index + 1 < len(parts) else len(source)
            first = index == 0
            yield Block(
                id=len(self._done) + index,
                kind=_kind(part, source[start:stop]),
                source=source[start:stop],
                text=part.token.content if _KINDS[part.token.type] is BlockKind.CODE else "",
                language=part.token.info.split(" ")[0] if part.token.info.strip() else "",
                head=self._head if first and part.token.type == "table_open" else "",
                joined=first and self._joined and part.start == 0,
            )


def parse(text: str) -> tuple[Block, ...]:
    """The blocks of a text that is complete."""
    parser = MessageParser()
    parser.append(text)
    parser.end()
    return parser.blocks


@cache
def _parser() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING})
    markdown.enable(["table", "strikethrough"])
    markdown.disable(["inline", "text_join"])
    return markdown


def _limit(part: _Part) -> int:
    return LIMITS.get(part.token.type, LIMIT)


def _kind(part: _Part, source: str) -> BlockKind:
    kind = _KINDS[part.token.type]
    if part.deep:
        return BlockKind.PLAIN
    if kind is BlockKind.TEXT and _MATH.fullmatch(source):
        return BlockKind.MATH
    return kind


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    starts[-1] = len(text)
    return starts
