from __future__ import annotations

import json
from dataclasses import asdict

from hypothesis import given
from hypothesis import strategies as st

from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Artifact, Message, Role, ToolCall, ToolResult
from rony_desktop.store.session_body import (
    read_failure,
    read_message,
    read_stop_reason,
    read_timings,
    read_usage,
)

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


@given(MESSAGES)
def test_a_message_comes_back_from_json(message: Message) -> None:
    assert read_message("m", json.loads(json.dumps(asdict(message)))) == message


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
