"""What the transcript shows, as values: messages, and the blocks a message is cut into."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.dot import joined

ShownRole = Literal["user", "assistant", "tool", "notice"]


class ShownStatus(StrEnum):
    """How far a shown message has come."""

    STREAMING = "streaming"
    COMPLETE = "complete"
    INTERRUPTED = "interrupted"
    FAILED = "failed"


class CallState(StrEnum):
    """How far a shown tool call has come."""

    QUEUED = "queued"
    WAITING = "waiting"  # for the user
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"  # by the user
    NOT_RUN = "not_run"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class ShownCall:
    """One tool call as it is shown: every text is translated, safe to paint and of one line.

    note says what else there is to say of the state. arguments are those of the call and result
    what the tool answered, as far as they are shown; left_out and rest say how much of them is
    not, "" where all is.
    """

    id: str
    name: str
    icon: str
    verb: str
    object: str = ""
    duration: str = ""
    state: CallState = CallState.QUEUED
    note: str = ""
    arguments: str = ""
    left_out: str = ""
    result: str = ""
    rest: str = ""

    @property
    def opens(self) -> bool:
        """Whether there is more to see than the line."""
        return bool(self.arguments or self.result)

    @property
    def words(self) -> str:
        """The whole line, nothing left out."""
        parts = (f"{self.verb} {self.object}".strip(), self.duration, self.note)
        return joined(parts)


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """One message as it is shown; foot is already translated.

    call is set for role tool. bare: the answer goes on after it, so that it has no line under it.
    """

    id: str
    role: ShownRole
    text: str = ""
    thinking: str = ""
    foot: tuple[str, ...] = ()
    status: ShownStatus = ShownStatus.COMPLETE
    error: ErrorText | None = None
    call: ShownCall | None = None
    bare: bool = False

    @property
    def words(self) -> str:
        """What is said in the message, its call included and its reasoning aside."""
        return f"{self.call.words}\n{self.call.result}".strip() if self.call else self.text


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
