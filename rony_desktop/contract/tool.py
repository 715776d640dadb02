"""What a tool is to the model and to the gates before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Permission(StrEnum):
    """Allow only for what reads, Ask for what changes, Deny for what is switched off."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """What the model sees of a tool; parameters is a JSON Schema, draft-07 or later."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolExample:
    """A few-shot example: what a user asks, the arguments that answer it, what the tool said."""

    request: str
    arguments: Mapping[str, Any]
    result: str


@dataclass(frozen=True, slots=True)
class ToolsChange:
    """A tool was added or removed, and by whom."""

    name: str
    added: bool
    caller: str


class ToolState(StrEnum):
    """How far a call has come; each state is on disk before the next step is taken."""

    ASKED = "asked"
    ALLOWED = "allowed"
    DENIED = "denied"
    STARTED = "started"
    DONE = "done"


class NotRun(StrEnum):
    """Why a call got no result of its own: stopped by the user, program closed, turn over."""

    STOPPED = "stopped"
    CLOSED = "closed"
    ENDED = "ended"


# Keys of a ToolResult's metadata.
DURATION_MS = "duration_ms"  # how long the tool itself ran
CHANGED = "changed"  # the path that was changed
ENDS_TURN = "ends_turn"  # the StopReason the turn ends with
NOT_RUN = "not_run"  # a NotRun: this is no answer of the tool
