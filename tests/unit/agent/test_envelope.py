"""The envelope: terse instructions, a strict schema, a history of plain messages."""

from __future__ import annotations

import json

import jsonschema
import pytest

from rony_desktop.agent import envelope
from rony_desktop.contract.llm import CompletionResponse, InferRequest, StopReason
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.tool import ToolSchema

TEXT = {"type": "string"}
READ = ToolSchema(
    "read_file",
    "Read a file.",
    {
        "type": "object",
        "properties": {"path": TEXT, "offset": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    },
)
PLAIN = ToolSchema("now", "Tell the time.", {"type": "object"})
ODD = ToolSchema("odd", "Odd.", {"properties": None})
USER = Message(Role.USER, "Read a")
CALL = ToolCall("c1", "read_file", '{"path":"ü"}')


def tool(id: str, text: str) -> Message:
    return Message(Role.TOOL, text, tool_call_id=id, tool_result=ToolResult(text))


def said(*messages: Message, repairs: tuple[Message, ...] = ()) -> list[tuple[Role, str]]:
    request = InferRequest("s", messages, (READ,), repairs=repairs)
    return [(m.role, m.content) for m in envelope.messages(request)]


def test_each_tool_is_one_line_with_optional_arguments_marked() -> None:
    lines = envelope.instructions((PLAIN, ODD, READ)).splitlines()
    assert lines[-3:] == [
        "- now(): Tell the time.",
        "- odd(): Odd.",
        "- read_file(path, offset?): Read a file.",
    ]
    assert any('{"final": "TEXT"}' in line for line in lines)


@pytest.mark.parametrize(
    ("reply", "fits"),
    [
        ({"tool": "read_file", "args": {"path": "a", "offset": 3}}, True),
        ({"tool": "now", "args": {}}, True),
        ({"final": "x"}, True),
        ({"tool": "read_file", "args": {}}, False),
        ({"tool": "read_file", "args": {"path": "a", "other": 1}}, False),
        ({"tool": "other", "args": {}}, False),
        ({"tool": "now"}, False),
        ({"final": "x", "tool": "now", "args": {}}, False),
        ({}, False),
    ],
)
def test_the_schema_allows_one_call_or_one_answer(reply: object, fits: bool) -> None:
    validator = jsonschema.Draft202012Validator(envelope.schema((PLAIN, READ)))
    assert validator.is_valid(reply) is fits


def test_a_call_is_written_before_its_arguments() -> None:
    first = envelope.schema((READ,))["oneOf"][0]
    assert list(first["properties"]) == first["required"] == ["tool", "args"]


def test_calls_and_results_become_plain_messages_in_pairs() -> None:
    second = ToolCall("c2", "now", "{}")
    assert said(
        USER,
        Message(Role.ASSISTANT, "Let me see.", tool_calls=(CALL, second)),
        tool("c1", "one"),
        tool("c2", "two"),
        Message(Role.ASSISTANT, 'It says "one".'),
        Message(Role.USER, "Thanks"),
    ) == [
        (Role.USER, "Read a"),
        (Role.ASSISTANT, '{"tool": "read_file", "args": {"path": "ü"}}'),
        (Role.USER, "Result of read_file: one"),
        (Role.ASSISTANT, '{"tool": "now", "args": {}}'),
        (Role.USER, "Result of now: two"),
        (Role.ASSISTANT, '{"final": "It says \\"one\\"."}'),
        (Role.USER, "Thanks"),
    ]


def test_every_reply_of_the_history_fits_the_schema() -> None:
    history = said(USER, Message(Role.ASSISTANT, tool_calls=(CALL,)), tool("c1", "1"))
    validator = jsonschema.Draft202012Validator(envelope.schema((READ,)))
    validator.validate(json.loads(history[1][1]))


def test_a_question_after_a_result_joins_it() -> None:
    call = Message(Role.ASSISTANT, tool_calls=(CALL,))
    history = said(USER, call, tool("c1", "1"), Message(Role.USER, "And now?"))
    assert history[-1] == (Role.USER, "Result of read_file: 1\n\nAnd now?")


def test_a_call_that_could_not_be_read_or_was_not_run_is_no_gap() -> None:
    bad = ToolCall("c1", "read_file", "{path}")
    assert said(USER, Message(Role.ASSISTANT, tool_calls=(bad,)))[1:] == [
        (Role.ASSISTANT, '{"tool": "read_file", "args": {}}'),
        (Role.USER, "Result of read_file: nothing, it was not run"),
    ]


def test_repairs_stay_as_they_are_and_come_last() -> None:
    repairs = (Message(Role.ASSISTANT, "raw"), Message(Role.USER, "no"))
    assert said(USER, repairs=repairs) == [
        (Role.USER, "Read a"),
        (Role.ASSISTANT, "raw"),
        (Role.USER, "no"),
    ]


def test_examples_go_first() -> None:
    example = (Message(Role.USER, "Eg"), Message(Role.ASSISTANT, tool_calls=(CALL,)))
    result = (tool("c1", "1"), Message(Role.ASSISTANT, "1"))
    request = InferRequest("s", (USER,), (READ,), examples=(*example, *result))
    assert [m.content for m in envelope.messages(request)] == [
        "Eg",
        '{"tool": "read_file", "args": {"path": "ü"}}',
        "Result of read_file: 1",
        '{"final": "1"}',
        "Read a",
    ]


async def test_a_long_reply_is_opened_like_a_short_one() -> None:
    for size in (1, 200_000):
        raw = json.dumps({"tool": "read_file", "args": {"path": "x" * size}})
        response = await envelope.opened(CompletionResponse("1", raw), "")
        assert response.stop_reason is StopReason.TOOL_USE
        assert response.tool_calls[0].arguments == json.dumps({"path": "x" * size})
