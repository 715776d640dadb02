"""What a tool is to the model and to the gates before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rony_desktop.contract.message import ToolCall


class Permission(StrEnum):
    """Allow only for what reads, Ask for what changes, Deny for what is switched off."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """What the model sees of a tool; parameters is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolsChange:
    """A tool was added or removed, and by whom."""

    name: str
    added: bool
    caller: str


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """What the user is asked; digest binds the answer to these exact bytes."""

    call: ToolCall
    reason: str
    folder: str
    sandbox: str
    digest: str


class Approval(StrEnum):
    """The user's answer to an ApprovalRequest."""

    ONCE = "once"
    SESSION = "session"
    DENY = "deny"
