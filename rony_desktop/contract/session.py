"""Sessions: append-only entries, and the conversation read from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from rony_desktop.contract.approval import Grant
from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolState

FORMAT = "rony-session"
VERSION = 1
# Among the marks of a summary: the code of the error for which the session cannot be read.
UNREADABLE = "unreadable"


class EntryKind(StrEnum):
    """What one line of a session file says."""

    MESSAGE = "message"
    DELTA = "delta"
    END = "end"
    TOOL = "tool"
    COMPACT = "compact"
    TITLE = "title"
    MARK = "mark"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a session file. id is a ULID; order is by seq, never by time (UTC, ISO 8601).

    parent: of a message the message before it (None for the first); of a delta, end or tool the
    message it belongs to; of compact, title and mark the newest message.
    Bodies: message {role, content, thinking?, tool_calls?, tool_call_id?, tool_result?, model?},
    delta {text} or {thinking},
    end {status, stop_reason, model?, usage?, timings?, failure?, tool_calls?},
    tool {call, state, ...what its state needs, all texts}: asked {digest}, allowed {scope, pattern,
    tool, folder, sandbox, digest}, denied {reason}, done {duration_ms},
    title {text}, compact {summary, keep_from}, mark {leaf} or {pinned} or {folder} or {revoked}.
    """

    id: str
    parent: str | None
    seq: int
    time: str
    kind: EntryKind
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to append; the store gives it id, seq and time. id is given only for messages."""

    kind: EntryKind
    body: Mapping[str, Any]
    parent: str | None = None
    id: str = ""


class MessageStatus(StrEnum):
    """COMPLETE once ended; INTERRUPTED where the end says so or is missing."""

    COMPLETE = "complete"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class SessionMessage:
    """A message with what is known of how it came to be."""

    message: Message
    parent: str | None = None
    time: str = ""
    status: MessageStatus = MessageStatus.COMPLETE
    stop_reason: StopReason | None = None
    usage: TokenUsage | None = None
    timings: Timings | None = None
    failure: Failure | None = None
    model: str = ""


@dataclass(frozen=True, slots=True)
class CallTrace:
    """How far a call came, and what its states said (texts by name, newest wins)."""

    state: ToolState
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation: the messages of its active branch, oldest first.

    summary stands for the messages before keep_from, which stay here to be shown and are not sent.
    notices tell what was skipped or repaired while reading (a torn line, a foreign entry).
    folder is the chosen workspace, "" for none; calls tell by call id how far each came; grants are
    what this chat allowed for itself and did not revoke.
    """

    id: str
    user: str = "local"
    title: str = ""
    messages: tuple[SessionMessage, ...] = ()
    auto_approve: bool = False
    summary: str = ""
    keep_from: str = ""
    notices: tuple[Failure, ...] = ()
    folder: str = ""
    calls: Mapping[str, CallTrace] = field(default_factory=dict)
    grants: tuple[Grant, ...] = ()

    @property
    def unanswered(self) -> tuple[ToolCall, ...]:
        """Calls of the newest answer with calls that have no result, in their order."""
        answered: set[str] = set()
        for entry in reversed(self.messages):
            message = entry.message
            if message.role is Role.TOOL:
                answered.add(message.tool_call_id)
            elif message.tool_calls:
                return tuple(call for call in message.tool_calls if call.id not in answered)
        return ()

    @property
    def leaf(self) -> str | None:
        """Id of the newest message of the active branch."""
        return self.messages[-1].message.id if self.messages else None

    @property
    def total_tokens(self) -> int:
        """Tokens this session has consumed so far."""
        return sum(m.usage.total_tokens for m in self.messages if m.usage)


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One row of the list of chats; times are UTC, ISO 8601."""

    id: str
    title: str
    created: str
    updated: str
    messages: int = 0
    pinned: bool = False
    snippet: str = ""
    marks: Mapping[str, Any] = field(default_factory=dict)
