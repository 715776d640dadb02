"""What the user is asked before something changes, and what may be answered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rony_desktop.contract.message import ToolCall


@dataclass(frozen=True, slots=True)
class Hunk:
    """One place of a change: the lines before (from line start, 0-based) and those after.

    Lines keep their ends, so that joining them gives the text back byte for byte.
    """

    start: int
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a call would do to one text file; before is None for a new file.

    path is relative to the folder, links resolved. after holds every hunk.
    """

    path: str
    before: str | None
    after: str
    hunks: tuple[Hunk, ...] = ()


class AskReason(StrEnum):
    """Why the user is asked."""

    CHANGES = "changes"
    PROTECTED = "protected"  # a name that runs code or steers the assistant; asks every time


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What the user is asked.

    digest binds the answer to tool, exact arguments, folder, sandbox mode and the file as it would
    be. pattern is what "this chat" and "always" would cover, "" where neither can be given.
    """

    session: str
    call: ToolCall
    reason: AskReason
    folder: str
    sandbox: str
    digest: str
    change: FileChange | None = None
    pattern: str = ""


class GrantScope(StrEnum):
    """How far an Allow reaches: this call, this chat, or this pattern in this folder for a time."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Approval:
    """The user's answer.

    digest is of the bytes left after the choice of hunks (indexes; None takes all). reason is told
    to the model. by_user is False where nobody could be asked.
    """

    allowed: bool
    digest: str = ""
    scope: GrantScope = GrantScope.ONCE
    reason: str = ""
    hunks: tuple[int, ...] | None = None
    by_user: bool = True


@dataclass(frozen=True, slots=True)
class Grant:
    """An Allow that goes on: bound to tool, path pattern, folder and sandbox mode.

    session is set for a chat's own; expires (UTC, ISO 8601) for one that holds for a time.
    """

    id: str
    tool: str
    pattern: str
    folder: str
    sandbox: str
    session: str = ""
    expires: str = ""
