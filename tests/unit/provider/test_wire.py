from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rony_desktop.contract.error import ContextOverflow, ProviderError, StreamBroken
from rony_desktop.contract.llm import (
    CompletionRequest,
    Progress,
    StopReason,
    StreamChunk,
    Timings,
    TokenUsage,
    ToolCallDelta,
    ToolRef,
)
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.tool import ToolSchema
from rony_desktop.provider import wire

USER = Message(Role.USER, "hi")
READ = ToolSchema("read_file", "Reads.", {"type": "object", "properties": {"path": {}}})
LIST = ToolSchema("list_dir", "Lists.", {"type": "object"})


def test_a_plain_request_asks_for_usage_progress_and_the_cache() -> None:
    assert wire.body(CompletionRequest((USER,))) == {
        "messages": [{"role": "user", "content": "hi"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        "cache_prompt": True,
    }


def test_every_setting_of_a_request_is_sent() -> None:
    sent = wire.body(
        CompletionRequest(
            (USER,), tools=(READ,), model="m", temperature=0.0, max_tokens=7, stop=("x",)
        )
    )
    wanted = {"model": "m", "temperature": 0.0, "max_tokens": 7, "stop": ["x"]}
    assert wanted.items() <= sent.items()
    assert sent["tool_choice"] == "auto"
    assert sent["tools"] == [
        {
            "type": "function",
            "function": {
                "name": "read_file",
                "description": "Reads.",
                "parameters": {"type": "object", "properties": {"path": {}}},
            },
        }
    ]


def test_one_tool_is_forced_by_offering_only_that_one() -> None:
    request = CompletionRequest((USER,), tools=(LIST, READ), tool_choice=ToolRef("read_file"))
    sent = wire.body(request)
    assert [tool["function"]["name"] for tool in sent["tools"]] == ["read_file"]
    assert sent["tool_choice"] == "required"


def test_messages_of_every_role() -> None:
    call = ToolCall("c1", "read_file", '{"path":"a"}')
    sent = wire.messages(
        (
            Message(Role.SYSTEM, "be brief"),
            Message(Role.ASSISTANT, "", thinking="secret", tool_calls=(call,)),
            Message(Role.TOOL, "shown", tool_call_id="c1", tool_result=ToolResult("whole")),
        )
    )
    function = {"name": "read_file", "arguments": '{"path":"a"}'}
    assert sent == [
        {"role": "system", "content": "be brief"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "shown"},
    ]


NO_OBJECTS = ['{"pa', "", "[1]", "[" * 100_000, '{"a": NaN}', '{"a": "\\ud800"}']


@pytest.mark.parametrize("arguments", NO_OBJECTS)
def test_arguments_that_no_server_reads_are_sent_as_an_empty_object(arguments: str) -> None:
    message = Message(Role.ASSISTANT, tool_calls=(ToolCall("c", "f", arguments),))
    (sent,) = wire.messages((message,))
    assert sent["tool_calls"][0]["function"]["arguments"] == "{}"


def test_arguments_with_a_whole_pair_of_surrogates_are_sent_as_they_came() -> None:
    text = '{"a": "\\ud83e\\udd99"}'
    (sent,) = wire.messages((Message(Role.ASSISTANT, tool_calls=(ToolCall("c", "f", text),)),))
    assert sent["tool_calls"][0]["function"]["arguments"] == text


def test_a_schema_for_the_answer_keeps_its_order() -> None:
    schema = {"type": "object", "properties": {"tool": {"const": "ü"}, "args": {}}}
    plain = CompletionRequest((USER,))
    body = wire.body(replace(plain, response_schema=schema))
    own = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    assert body["response_format"] == own
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    sent = wire.encode(body)
    assert json.loads(sent) == body
    assert sent.index(b'"tool"') < sent.index(b'"args"')
    assert sent == wire.encode(dict(sorted(body.items())))
    assert wire.encode(wire.body(plain)) == (
        b'{"cache_prompt":true,"messages":[{"content":"hi","role":"user"}],'
        b'"return_progress":true,"stream":true,"stream_options":{"include_usage":true}}'
    )


def test_a_model_that_could_think_is_asked_to_answer_at_once() -> None:
    body = wire.body(CompletionRequest((USER,), thinks=False))
    assert body["chat_template_kwargs"] == {"enable_thinking": False}


def test_equal_values_are_equal_bytes() -> None:
    assert wire.encode({"b": 1, "a": "ü🦙"}) == '{"a":"ü🦙","b":1}'.encode()
    assert wire.encode({"a": "ü🦙", "b": 1}) == wire.encode({"b": 1, "a": "ü🦙"})


def test_a_lone_surrogate_does_not_stop_a_request() -> None:
    assert wire.encode("a\ud800b") == b'"a?b"'


def read(**fields: object) -> StreamChunk:
    return wire.chunk(json.dumps(fields))


def delta(**fields: object) -> StreamChunk:
    return read(choices=[{"delta": fields, "finish_reason": None}])


def test_text_and_thinking() -> None:
    assert delta(content="a") == StreamChunk(delta="a")
    assert delta(reasoning_content="b") == StreamChunk(thinking="b")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("stop", StopReason.END_TURN),
        ("length", StopReason.MAX_TOKENS),
        ("tool_calls", StopReason.TOOL_USE),
        ("something_new", StopReason.END_TURN),
        (None, None),
    ],
)
def test_finish_reasons(said: str | None, meant: StopReason | None) -> None:
    assert read(choices=[{"delta": {}, "finish_reason": said}]).finish_reason is meant


def test_pieces_of_tool_calls() -> None:
    calls = [
        {"index": 1, "id": "c", "function": {"name": "f", "arguments": "{"}},
        {"function": {"arguments": "}"}},
    ]
    assert delta(tool_calls=calls).tool_calls == (
        ToolCallDelta(1, "c", "f", "{"),
        ToolCallDelta(1, "", "", "}"),
    )


def test_usage_timings_and_progress() -> None:
    timings = {"cache_n": 1, "prompt_n": 2, "prompt_ms": 3, "predicted_n": 4, "predicted_ms": 5.5}
    chunk = read(
        id="x",
        model="m",
        choices=[],
        usage={
            "prompt_tokens": 3,
            "completion_tokens": 4,
            "prompt_tokens_details": {"cached_tokens": 1},
        },
        timings=timings,
        prompt_progress={"total": 9, "cache": 1, "processed": 5, "time_ms": 12},
    )
    assert chunk == StreamChunk(
        usage=TokenUsage(3, 4, 1),
        timings=Timings(1, 2, 3.0, 4, 5.5),
        progress=Progress(9, 1, 5, 12.0),
        id="x",
        model="m",
    )


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"choices": None, "usage": None, "timings": [], "prompt_progress": 3, "error": None},
        {"choices": [None], "id": 5, "model": {}},
        {"choices": [{"delta": None}]},
        {"choices": [{"delta": {"content": ["a"], "tool_calls": 3, "reasoning_content": None}}]},
    ],
)
def test_fields_of_a_wrong_type_count_as_empty(fields: dict[str, object]) -> None:
    assert read(**fields) == StreamChunk()


@pytest.mark.parametrize("data", ["", "{", "[1]", "null", "[" * 100_000])
def test_what_is_no_object_breaks_the_stream(data: str) -> None:
    with pytest.raises(StreamBroken):
        wire.chunk(data)


def test_an_error_in_the_stream_is_typed() -> None:
    with pytest.raises(ProviderError) as caught:
        read(error={"code": 500, "message": "decode failed"})
    assert caught.value.params == {"detail": "decode failed"}
    with pytest.raises(ContextOverflow):
        read(error="the request exceeds the available context size")
