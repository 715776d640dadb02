"""What is sent: the prefix stays the same from turn to turn, nothing is cut, roles alternate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rony_desktop.agent.context import ContextBuilder
from rony_desktop.agent.prompt import BASE
from rony_desktop.contract.message import Message, Role, ToolResult
from rony_desktop.contract.session import Session, SessionMessage
from rony_desktop.contract.tool import Permission, ToolExample, ToolSchema
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from tests.fake.agent import FRAME


def session(*messages: tuple[Role, str]) -> Session:
    return Session("s", messages=tuple(SessionMessage(Message(r, t)) for r, t in messages))


BUILDER = ContextBuilder(FRAME)


async def handler(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult("")


def spec(name: str, permission: Permission, *examples: ToolExample) -> ToolSpec:
    return ToolSpec(name, f"Does {name}.", {}, handler, permission, examples=examples)


def test_each_request_begins_with_the_one_before() -> None:
    first = BUILDER.build("one", session())
    second = BUILDER.build("two", session((Role.USER, "one"), (Role.ASSISTANT, "1")))
    assert second.system == first.system == BASE
    assert second.messages[: len(first.messages)] == first.messages
    assert [m.content for m in second.messages] == ["one", "1", "two"]


def test_an_answer_without_a_word_leaves_no_gap() -> None:
    request = BUILDER.build("again", session((Role.USER, "one"), (Role.ASSISTANT, "")))
    assert [(m.role, m.content) for m in request.messages] == [(Role.USER, "one\n\nagain")]


def test_nothing_new_continues_from_the_last_message() -> None:
    request = BUILDER.build("", session((Role.USER, "one")))
    assert [m.content for m in request.messages] == ["one"]


def test_tools_are_sorted_by_name_whatever_their_order() -> None:
    tools = tuple(spec(name, Permission.ALLOW) for name in ("write", "list", "read"))
    for order in (tools, tools[::-1]):
        request = ContextBuilder(replace(FRAME, tools=order)).build("hi", session())
        assert [tool.name for tool in request.tools] == ["list", "read", "write"]
        assert request.tools[0] == ToolSchema("list", "Does list.", {})
        assert request.examples == ()


def test_a_persona_speaks_before_the_history() -> None:
    shot = (Message(Role.USER, "Eg"), Message(Role.ASSISTANT, "eg"))
    request = ContextBuilder(replace(FRAME, few_shot=shot)).build("hi", session())
    assert [m.content for m in request.messages] == ["Eg", "eg", "hi"]


def test_two_tools_show_how_they_are_called_those_that_read_first() -> None:
    example = ToolExample("Do it", {"path": "a"}, "done")
    tools = (
        spec("a_write", Permission.ASK, example),
        spec("b_read", Permission.ALLOW, example, example),
        spec("c_none", Permission.ALLOW),
        spec("d_read", Permission.ALLOW, example),
    )
    request = ContextBuilder(replace(FRAME, tools=tools)).build("hi", session())
    assert [m.content for m in request.messages] == ["hi"]
    calls = [call for message in request.examples for call in message.tool_calls]
    assert [(c.name, c.arguments) for c in calls] == [
        ("b_read", '{"path": "a"}'),
        ("d_read", '{"path": "a"}'),
    ]
    roles = [message.role for message in request.examples]
    assert roles == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT] * 2


def test_an_answer_may_take_a_quarter_of_the_window() -> None:
    assert BUILDER.build("hi", session(), 4096).max_tokens == 1024
    assert BUILDER.build("hi", session()).max_tokens is None
