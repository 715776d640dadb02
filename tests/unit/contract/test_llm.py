"""Answers are added up from their chunks; stop reasons are one closed set."""

from __future__ import annotations

from rony_desktop.contract.llm import (
    TURN_REASONS,
    StopReason,
    StreamChunk,
    Timings,
    TokenUsage,
    ToolCallDelta,
    collected,
)
from rony_desktop.contract.message import ToolCall


def test_a_stream_is_added_up() -> None:
    answer = collected(
        [
            StreamChunk(thinking="hm", id="1", model="m"),
            StreamChunk(delta="a"),
            StreamChunk(tool_calls=(ToolCallDelta(1, "c2", "g", "{"), ToolCallDelta(0, "c1", "f"))),
            StreamChunk(tool_calls=(ToolCallDelta(1, arguments="}"),)),
            StreamChunk(delta="b", finish_reason=StopReason.TOOL_USE),
            StreamChunk(usage=TokenUsage(3, 2, 1), timings=Timings(prompt_n=2)),
        ]
    )
    assert (answer.content, answer.thinking, answer.id, answer.model) == ("ab", "hm", "1", "m")
    assert answer.tool_calls == (ToolCall("c1", "f", ""), ToolCall("c2", "g", "{}"))
    assert answer.stop_reason is StopReason.TOOL_USE
    assert (answer.usage, answer.timings) == (TokenUsage(3, 2, 1), Timings(prompt_n=2))


def test_an_empty_stream_is_an_empty_answer() -> None:
    answer = collected([])
    assert (answer.content, answer.tool_calls) == ("", ())
    assert answer.stop_reason is StopReason.END_TURN


def test_a_turn_ends_only_with_reasons_of_a_turn() -> None:
    assert {"tool_use", "max_tokens", "stop_sequence"} == set(StopReason) - TURN_REASONS
    assert StopReason.MAX_ITERATIONS == "max_iterations_exceeded"


def test_usage_adds_up_and_speed_needs_time() -> None:
    total = TokenUsage(3, 2, 1) + TokenUsage(10, 5, 4)
    assert (total.total_tokens, total.cached_tokens) == (20, 5)
    assert Timings(predicted_n=10, predicted_ms=500).decode_tokens_per_s == 20
    assert Timings().decode_tokens_per_s == Timings().prefill_tokens_per_s == 0
