"""Answers are added up from their chunks; stop reasons are one closed set."""

from __future__ import annotations

import time

from rony_desktop.contract.llm import (
    TURN_REASONS,
    Collector,
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


def test_what_forms_is_known_while_it_comes() -> None:
    collector = Collector()
    collector.add(StreamChunk(delta="ab", thinking="c"))
    assert (collector.size, collector.forming) == (3, None)
    collector.add(StreamChunk(tool_calls=(ToolCallDelta(0, "id", "look", '{"a'),)))
    collector.add(StreamChunk(tool_calls=(ToolCallDelta(0, "", "", '": 1}'),)))
    assert (collector.size, collector.forming) == (17, ("look", 8))
    assert collector.response() == collector.response()


def test_half_a_million_pieces_cost_nothing_at_the_end() -> None:
    collector = Collector()
    piece = StreamChunk(delta="a", tool_calls=(ToolCallDelta(0, arguments="\r\nab"),))
    begun = time.perf_counter()
    for _ in range(500_000):
        collector.add(piece)
    added = time.perf_counter()
    answer = collector.response()
    assert time.perf_counter() - added < (added - begun) / 20
    assert answer.content == "a" * 500_000
    assert answer.tool_calls[0].arguments == "\r\nab" * 500_000


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
