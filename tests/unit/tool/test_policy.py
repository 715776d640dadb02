from __future__ import annotations

import pytest

from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolSpec
from rony_desktop.tool.policy import ConfigPolicy

ALLOW, ASK, DENY = Permission.ALLOW, Permission.ASK, Permission.DENY


async def nothing(*_: object) -> ToolResult:
    return ToolResult("")


@pytest.mark.parametrize(
    ("own", "configured", "expected"),
    [
        (ALLOW, None, ALLOW),
        (ALLOW, ALLOW, ALLOW),
        (ALLOW, ASK, ASK),
        (ALLOW, DENY, DENY),
        (ASK, None, ASK),
        (ASK, ALLOW, ASK),  # allow is only for what reads
        (ASK, ASK, ASK),
        (ASK, DENY, DENY),
        (DENY, None, DENY),
        (DENY, ALLOW, DENY),
        (DENY, ASK, DENY),
        (DENY, DENY, DENY),
    ],
)
def test_config_outranks_the_tool_but_never_what_is_safer(
    own: Permission, configured: Permission | None, expected: Permission
) -> None:
    tool = ToolSpec("t", "", {"type": "object"}, nothing, own)
    given = {} if configured is None else {"t": configured}
    assert ConfigPolicy({"other": DENY, **given}).permission(tool) is expected
