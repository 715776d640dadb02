from __future__ import annotations

import json
from dataclasses import asdict
from types import MappingProxyType
from typing import TypeVar

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.approval import Grant
from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Artifact, Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import CallTrace, MessageStatus, SessionMessage
from rony_desktop.contract.tool import ToolState
from rony_desktop.store.session_body import (
    read_calls,
    read_failure,
    read_grant,
    read_message,
    read_stop_reason,
    read_timings,
    read_trace,
    read_usage,
    write_calls,
    write_end,
    write_message,
    write_trace,
)

COUNTS = st.integers(0, 10**12)
NAMED = st.dictionaries(st.text(), st.text())
ARTIFACTS = st.builds(Artifact, st.text(), st.text(), st.text(), st.integers(0))
RESULTS = st.builds(ToolResult, st.text(), st.booleans(), NAMED, st.lists(ARTIFACTS).map(tuple))
CALLS = st.builds(ToolCall, st.text(), st.text(), st.text(), st.none() | st.text())
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(Role),
    content=st.text(),
    id=st.just("m"),
    thinking=st.text(),
    tool_calls=st.lists(CALLS).map(tuple),
    tool_call_id=st.text(),
    tool_result=st.none() | RESULTS,
)


TRACES = st.builds(
    CallTrace,
    st.sampled_from(ToolState),
    st.dictionaries(st.text().filter(lambda key: key not in ("call", "state")), st.text()),
)
ENDS = st.builds(
    SessionMessage,
    message=st.builds(Message, role=st.just(Role.ASSISTANT), tool_calls=st.lists(CALLS).map(tuple)),
    status=st.sampled_from(MessageStatus),
    stop_reason=st.none() | st.sampled_from(StopReason),
    usage=st.builds(TokenUsage, COUNTS.map(lambda n: n + 1), COUNTS, COUNTS),
    timings=st.none() | st.builds(Timings, COUNTS, COUNTS, st.floats(0, 1e9)),
    failure=st.none() | st.builds(Failure, st.text(), NAMED),
    model=st.text(),
)
T = TypeVar("T")


def through_json(body: T) -> T:
    return json.loads(json.dumps(body))  # type: ignore[no-any-return]


@given(MESSAGES)
def test_a_message_comes_back_from_json(message: Message) -> None:
    assert read_message("m", through_json(asdict(message))) == message
    assert read_message("m", through_json(write_message(message, "model"))) == message


@given(ENDS)
def test_an_end_comes_back_from_json(end: SessionMessage) -> None:
    body = through_json(write_end(end))
    assert body["status"] == end.status
    assert read_calls(body) == end.message.tool_calls
    assert read_stop_reason(body) == end.stop_reason
    assert (read_usage(body), read_timings(body)) == (end.usage, end.timings)
    assert read_failure(body) == end.failure
    assert body.get("model", "") == end.model


@given(st.text(min_size=1), TRACES)
def test_a_step_of_a_call_comes_back_from_json(call: str, trace: CallTrace) -> None:
    assert read_trace(through_json(write_trace(call, trace))) == (call, trace)


def test_what_is_empty_is_not_written() -> None:
    assert write_message(Message(Role.ASSISTANT)) == {"role": "assistant", "content": ""}
    nothing = SessionMessage(Message(Role.ASSISTANT), usage=TokenUsage(), timings=Timings())
    assert write_end(nothing) == {"status": "complete"}
    assert write_calls([ToolCall("1", "list", "{}")]) == [
        {"id": "1", "name": "list", "arguments": "{}"}
    ]


def test_the_text_of_a_result_is_written_once() -> None:
    result = ToolResult("said", metadata=MappingProxyType({"duration_ms": "5"}))
    message = Message(Role.TOOL, "said", "m", tool_call_id="c", tool_result=result)
    body = write_message(message)
    assert json.dumps(body).count("said") == 1
    assert read_message("m", body) == message


def test_arguments_of_two_megabytes_come_back() -> None:
    call = ToolCall("1", "write_file", json.dumps({"content": 'é"\n' * 700_000}))
    end = SessionMessage(Message(Role.ASSISTANT, tool_calls=(call,)))
    assert read_calls(through_json(write_end(end))) == (call,)


GRANTING = {"scope": "session", "tool": "w", "pattern": "*.md", "folder": "/f", "sandbox": "walk"}


@pytest.mark.parametrize(
    ("state", "changed", "granted"),
    [
        (ToolState.ALLOWED, {}, True),
        (ToolState.DENIED, {}, False),
        (ToolState.DONE, {}, False),
        (ToolState.ALLOWED, {"scope": "once"}, False),
        (ToolState.ALLOWED, {"scope": "always"}, False),
        (ToolState.ALLOWED, {"pattern": ""}, False),
        (ToolState.ALLOWED, {"folder": ""}, False),
    ],
)
def test_only_an_allow_for_the_chat_is_a_grant(
    state: ToolState, changed: dict[str, str], granted: bool
) -> None:
    grant = read_grant("c", CallTrace(state, {**GRANTING, **changed}))
    assert grant == (Grant("c", "w", "*.md", "/f", "walk") if granted else None)


def test_numbers_come_back_from_json() -> None:
    usage, timings = TokenUsage(1, 2, 3), Timings(1, 2, 3.5, 4, 5.5)
    assert read_usage({"usage": asdict(usage)}) == usage
    assert read_timings({"timings": asdict(timings)}) == timings


def test_what_is_missing_or_strange_is_left_out() -> None:
    assert read_message("m", {"role": "ghost"}) is None
    assert read_message("m", {"role": ["user"]}) is None
    assert read_message("m", {"role": "user", "content": 5, "tool_calls": [1, None]}) == Message(
        Role.USER, id="m"
    )
    assert read_usage({}) is None
    assert read_usage({"usage": {"input_tokens": "x", "new": 1}}) == TokenUsage()
    assert read_timings({"timings": 5}) is None
    assert read_stop_reason({}) is None
    assert read_stop_reason({"stop_reason": "end_turn"}) is StopReason.END_TURN
    assert read_stop_reason({"stop_reason": {}}) is None
    assert read_failure({"failure": {"code": "x", "params": {"a": 1}}}) == Failure("x", {"a": "1"})
    assert read_failure({"failure": "x"}) is None
    assert read_calls({"tool_calls": {"id": "x"}}) == ()
    assert read_trace({"call": "c", "state": "from the future"}) is None
    assert read_trace({"call": "c", "state": []}) is None
    assert read_trace({"state": "asked"}) is None
    assert read_trace({"call": "c", "state": "done", "n": 5}) == (
        "c",
        CallTrace(ToolState.DONE, {"n": "5"}),
    )


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1", "1" + "0" * 400])
def test_numbers_nobody_can_count_with_are_left_out(number: str) -> None:
    body = json.loads(
        f'{{"usage": {{"input_tokens": {number}}}, "timings": {{"prompt_ms": {number}}}}}'
    )
    assert read_usage(body) == TokenUsage()
    assert read_timings(body) == Timings()
