"""The real sandbox over a folder of its own, and a way to run a tool in it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.approval import FileChange
from rony_desktop.contract.error import ResultMissing
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.edit import edit_tools
from rony_desktop.tool.builtin.file import file_tools
from rony_desktop.tool.builtin.output import output_tools
from rony_desktop.tool.builtin.recovery import recovery_tools
from rony_desktop.tool.builtin.search import search_tools
from rony_desktop.tool.builtin.session import session_tools
from rony_desktop.tool.sandbox.root import Root

LIMIT = 6144


class Results:
    """A ResultStore of what a test puts into it."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    async def put(self, call: ToolCall, content: str) -> str:
        self.texts[call.id] = content
        return json.dumps({"ref": call.id})

    async def load(self, id: str) -> str:
        if id not in self.texts:
            raise ResultMissing(id=id)
        return self.texts[id]

    async def delete(self, id: str) -> None:
        self.texts.pop(id, None)


@pytest.fixture
def results() -> Results:
    return Results()


@pytest.fixture
def tools(results: Results) -> dict[str, ToolSpec]:
    made = (
        *file_tools(LIMIT),
        *edit_tools(),
        *search_tools(LIMIT),
        *output_tools(results, LIMIT),
        *session_tools(LIMIT),
        *recovery_tools(),
    )
    return {spec.name: spec for spec in made}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """The chosen folder; beside it lies a secret no tool may reach."""
    folder = tmp_path / "work"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret\n")
    return folder


@pytest.fixture
def sandbox(workspace: Path) -> Iterator[Root]:
    with Root(workspace) as root:
        yield root


Run = Callable[..., Awaitable[ToolResult]]
Show = Callable[..., Awaitable[FileChange]]


@pytest.fixture
def context_of(sandbox: Root) -> Callable[..., ToolContext]:
    def make(name: str, arguments: dict[str, Any], change: FileChange | None = None) -> ToolContext:
        call = ToolCall("call-1", name, json.dumps(arguments))
        return ToolContext(Session("s"), call, sandbox, change)

    return make


@pytest.fixture
def show(tools: dict[str, ToolSpec], context_of: Callable[..., ToolContext]) -> Show:
    """What a call would change."""

    async def shown(name: str, **arguments: Any) -> FileChange:
        preview = tools[name].preview
        assert preview
        return await preview(context_of(name, arguments), arguments)

    return shown


@pytest.fixture
def run(tools: dict[str, ToolSpec], context_of: Callable[..., ToolContext], show: Show) -> Run:
    """Run a call; one that changes a file is shown and allowed first."""

    async def ran(name: str, **arguments: Any) -> ToolResult:
        change = await show(name, **arguments) if tools[name].preview else None
        return await tools[name].execute(context_of(name, arguments, change), arguments)

    return ran


@pytest.fixture
def write(
    tools: dict[str, ToolSpec], context_of: Callable[..., ToolContext]
) -> Callable[[FileChange], Awaitable[ToolResult]]:
    """Write a change that was shown before."""

    async def written(change: FileChange) -> ToolResult:
        arguments = {"path": change.path, "content": change.after}
        context = context_of("write_file", arguments, change)
        return await tools["write_file"].execute(context, arguments)

    return written
