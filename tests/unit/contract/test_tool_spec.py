"""A registered tool is a Tool, and says what it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.agent import Tool
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission, ToolSchema
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec

PARAMETERS = {"type": "object", "properties": {"path": {}}, "required": ["path"]}


async def echo(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(f"{context.call.name} {arguments['path']}")


async def test_a_spec_runs_its_handler_and_shows_its_schema() -> None:
    spec = ToolSpec("look", "Looks.", PARAMETERS, echo)
    tool: Tool = spec
    assert tool.schema() == ToolSchema("look", "Looks.", PARAMETERS)
    context = ToolContext(Session("s"), ToolCall("1", "look", "{}"))
    assert (await tool.execute(context, {"path": "a"})).content == "look a"


def test_what_is_not_said_to_be_safe_asks() -> None:
    spec = ToolSpec("look", "Looks.", PARAMETERS, echo)
    assert (spec.permission, spec.external, spec.inline) == (Permission.ASK, True, False)
    assert spec.required == ("path",)
    assert ToolSpec("look", "Looks.", {}, echo).required == ()
