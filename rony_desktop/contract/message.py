"""Messages and tool calls: immutable values, equal when their fields are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """Who speaks in a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file or blob a tool produced; id finds it in the ArtifactStore."""

    id: str
    name: str
    media_type: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asks for; arguments is the JSON text exactly as it came."""

    id: str
    name: str
    arguments: str
    thought: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered."""

    content: str
    is_error: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict)
    artifacts: tuple[Artifact, ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """One message; a tool's answer has role TOOL, tool_result and the id of its call."""

    role: Role
    content: str = ""
    id: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    tool_result: ToolResult | None = None
