from __future__ import annotations

from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import ToolCall
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import ENDS_TURN, Permission
from rony_desktop.contract.tool_spec import ToolContext
from rony_desktop.tool.builtin.recovery import recovery_tools


async def test_the_reason_ends_the_turn_as_unable() -> None:
    (spec,) = recovery_tools()
    context = ToolContext(Session("s"), ToolCall("1", spec.name, "{}"))
    result = await spec.execute(context, {"reason": "There is no printer."})
    assert result.content == "There is no printer."
    assert StopReason(result.metadata[ENDS_TURN]) is StopReason.UNABLE
    assert not result.is_error


def test_it_needs_no_approval_and_no_folder() -> None:
    (spec,) = recovery_tools()
    assert spec.permission is Permission.ALLOW
    assert spec.required == ("reason",)
    assert spec.paths == ()
    assert not spec.external
