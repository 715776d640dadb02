"""What the transcript shows, as values: messages, and the blocks a message is cut into."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from rony_desktop.ui.card import ErrorText

ShownRole = Literal["user", "assistant", "notice"]


class ShownStatus(StrEnum):
    """How far a shown message has come."""

    STREAMING = "streaming"
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """One message as it is shown; foot is already translated."""

    id: str
    role: ShownRole
    text: str = ""
    thinking: str = ""
    foot: tuple[str, ...] = ()
    status: ShownStatus = ShownStatus.COMPLETE
    error: ErrorText | None = None


class BlockKind(StrEnum):
    """What a block is; it decides how the block is drawn."""

    TEXT = "text"
    HEADING = "heading"
    CODE = "code"
    TABLE = "table"
    QUOTE = "quote"
    LIST = "list"
    RULE = "rule"
    MATH = "math"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a message's text. Sources of all blocks joined are the message's text.

    id: position in the message. final: no later text can change it. text: what a code block
    holds without its fences. head: header rows of a table whose earlier rows are in the block
    before. joined: continues the block before, so that no block grows without bound.
    """

    id: int
    kind: BlockKind
    source: str
    final: bool = False
    text: str = ""
    language: str = ""
    head: str = ""
    joined: bool = False
