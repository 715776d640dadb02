"""What happens, as values: everything a shell needs to show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rony_desktop.contract.agent import Response
from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import Progress, TokenUsage
from rony_desktop.contract.message import Message
from rony_desktop.contract.tool import ToolState

if TYPE_CHECKING:  # a start without downloads needs no more of them
    from rony_desktop.contract.download import Download


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A turn began; its user message is durable. answer is the id the answer will have."""

    session: str
    run: str
    answer: str


@dataclass(frozen=True, slots=True)
class WaitingForEngine:
    """The turn waits until the engine is ready."""

    status: EngineStatus


@dataclass(frozen=True, slots=True)
class Prefill:
    """The prompt is being read."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """New reasoning text of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """New text of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Iteration:
    """One inference of a turn ended: its number from 1, its message and what it used."""

    number: int
    message: Message
    usage: TokenUsage
    duration_s: float


@dataclass(frozen=True, slots=True)
class Append:
    """A message was added to the conversation; it is announced before any request uses it."""

    message: Message


@dataclass(frozen=True, slots=True)
class CallForming:
    """The model writes a tool call: its name so far and the characters of its arguments."""

    name: str
    characters: int


@dataclass(frozen=True, slots=True)
class AnswerStarted:
    """After tools the answer goes on in a new message of this id."""

    answer: str


@dataclass(frozen=True, slots=True)
class ToolProgress:
    """A tool call came further; it is on disk already. params are those of the session's entry."""

    call: str
    state: ToolState
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """A call waits for the user."""

    request: ApprovalRequest


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """A turn ended, well or not: always the last event of a turn."""

    response: Response


@dataclass(frozen=True, slots=True)
class EngineChanged:
    """The engine's state changed."""

    status: EngineStatus


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A session was made, renamed, extended or deleted: lists should be read again."""

    session: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the user should know that stops nothing."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class TrustNeeded:
    """A folder brings files nobody was asked about yet, or changed ones; they are not used."""

    folder: str


@dataclass(frozen=True, slots=True)
class DownloadChanged:
    """A download came further, or another state; removed says that it is off the list."""

    download: Download
    removed: bool = False


TurnEvent = (
    TurnStarted
    | WaitingForEngine
    | Prefill
    | ThinkingDelta
    | TextDelta
    | Iteration
    | Append
    | CallForming
    | AnswerStarted
    | ToolProgress
    | ApprovalAsked
    | TurnFinished
)
FeedEvent = EngineChanged | SessionChanged | Notice | TrustNeeded | DownloadChanged
