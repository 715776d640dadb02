"""A tool as it is registered: what it is called, what it may touch, what it does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.port import Sandbox
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission, ToolExample, ToolSchema


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Where a call runs. sandbox is None where no folder is chosen.

    change is what the user saw and allowed: a tool that writes a file writes these bytes.
    """

    session: Session
    call: ToolCall
    sandbox: Sandbox | None = None
    change: FileChange | None = None


# Called with arguments that passed the schema; raises RonyError for what the model should know.
ToolHandler = Callable[[ToolContext, Mapping[str, Any]], Awaitable[ToolResult]]
# What a call would do to a file, without doing it.
Preview = Callable[[ToolContext, Mapping[str, Any]], Awaitable[FileChange]]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A registered tool; it is a Tool of contract/agent.py.

    permission is ALLOW only where nothing is changed. paths names the arguments that are paths in
    the chosen folder. external results hold words of others and are wrapped as untrusted. Results
    of an inline tool are never moved to the store: it keeps itself below the limit. timeout_s
    takes the place of the time that every tool has.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    handler: ToolHandler
    permission: Permission = Permission.ASK
    paths: tuple[str, ...] = ()
    preview: Preview | None = None
    examples: tuple[ToolExample, ...] = ()
    external: bool = True
    inline: bool = False
    timeout_s: float | None = None

    @property
    def required(self) -> tuple[str, ...]:
        """Names of the arguments that must be given."""
        return tuple(self.parameters.get("required", ()))

    def schema(self) -> ToolSchema:
        """What the model sees."""
        return ToolSchema(self.name, self.description, self.parameters)

    async def execute(self, context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        """Run with arguments that passed the schema."""
        return await self.handler(context, arguments)


class PermissionPolicy(Protocol):
    """Decides what may be done with a tool."""

    def permission(self, tool: ToolSpec) -> Permission: ...  # noqa: D102
