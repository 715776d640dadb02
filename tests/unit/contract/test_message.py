"""Messages are values."""

from __future__ import annotations

import copy
from dataclasses import FrozenInstanceError, replace

import pytest

from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult

MESSAGE = Message(
    Role.ASSISTANT, "hi", "1", "hm", (ToolCall("c", "f", "{}"),), tool_result=ToolResult("x")
)


def test_message_value_equality_and_copying() -> None:
    assert copy.deepcopy(MESSAGE) == MESSAGE == replace(MESSAGE)
    assert replace(MESSAGE, content="ho") != MESSAGE
    with pytest.raises(FrozenInstanceError):
        MESSAGE.content = "other"  # type: ignore[misc]
