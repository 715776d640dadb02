"""A clean end where the model cannot do what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool import ENDS_TURN, Permission
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.parameter import parameters


def recovery_tools() -> tuple[ToolSpec, ...]:
    """report_inability."""
    return (
        ToolSpec(
            "report_inability",
            "Say why the task cannot be done, and stop.",
            parameters({"reason": {"type": "string"}}, "reason"),
            _report,
            Permission.ALLOW,
            external=False,
            inline=True,
        ),
    )


async def _report(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:  # noqa: ARG001
    return ToolResult(arguments["reason"], metadata={ENDS_TURN: StopReason.UNABLE})
