"""One turn: its events in order, and an end for every outcome."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace

import pytest

from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import ContextOverflow, EmptyAnswer, ToolDeniedError
from rony_desktop.contract.event import (
    Append,
    CallForming,
    Iteration,
    Prefill,
    TextDelta,
    ThinkingDelta,
    TurnFinished,
)
from rony_desktop.contract.llm import (
    Chunk,
    InferRequest,
    Progress,
    StopReason,
    TokenUsage,
)
from rony_desktop.contract.message import Message, Role, ToolResult
from rony_desktop.contract.session import Session
from tests.fake.agent import FakeExecutor, FakeLLM
from tests.fake.turn import CALL, LIMITS, LOOK, PLAIN, REQUEST, run, turn


async def test_a_plain_answer_is_one_iteration() -> None:
    events, response = await run(turn(FakeLLM([PLAIN])))
    assert [type(event) for event in events] == [TextDelta, TextDelta, Iteration, TurnFinished]
    assert replace(response, duration_s=0.0) == Response(
        content="Hello there",
        stop_reason=StopReason.END_TURN,
        iterations=1,
        usage=PLAIN.usage,
        timings=PLAIN.timings,
        model="m",
    )
    assert 0 <= response.duration_s < 5


async def test_a_tool_call_is_answered_before_the_model_is_asked_again() -> None:
    llm = FakeLLM([CALL, PLAIN])
    executor = FakeExecutor(ToolResult("a wall"))
    events, response = await run(turn(llm, executor))
    asked = llm.requests[1].messages
    assert asked[0] == REQUEST.messages[0]
    assert asked[1] == Message(Role.ASSISTANT, "Let me see.", tool_calls=(LOOK,))
    result = ToolResult("a wall")
    assert asked[2] == Message(Role.TOOL, "a wall", tool_call_id="c1", tool_result=result)
    kinds = [type(event) for event in events if not isinstance(event, TextDelta)]
    assert kinds == [CallForming, Iteration, Append, Iteration, TurnFinished]
    assert executor.sessions == [Session("s")]
    assert (response.content, response.iterations) == ("Hello there", 2)
    assert response.usage == TokenUsage(30, 8, 2)
    assert response.tool_calls == (LOOK,)


async def test_iterations_are_observed_as_they_end() -> None:
    seen: list[Iteration] = []
    it = turn(FakeLLM([CALL, PLAIN]), FakeExecutor(ToolResult("x")))
    it.on_iteration = seen.append
    await run(it)
    assert [(iteration.number, iteration.usage) for iteration in seen] == [
        (1, CALL.usage),
        (2, PLAIN.usage),
    ]


async def test_what_a_tool_raises_is_its_result_and_its_traceback_is_logged(
    caplog: pytest.LogCaptureFixture, expected_log: Callable[[str], None]
) -> None:
    expected_log("ERROR_STACKTRACE")
    llm = FakeLLM([CALL, PLAIN])
    with caplog.at_level(logging.INFO, "rony.app"):
        _, response = await run(turn(llm, FakeExecutor(ValueError("boom"))))
    assert response.stop_reason is StopReason.END_TURN
    told = llm.requests[1].messages[-1]
    assert told.content == "look failed: ValueError('boom')"
    assert told.tool_result is not None
    assert told.tool_result.is_error
    (line,) = (json.loads(record.getMessage()) for record in caplog.records)
    assert (line["event"], line["tool"]) == ("ERROR_STACKTRACE", "look")
    assert "ValueError: boom" in line["detail"]


async def test_a_refusal_is_told_to_the_model_in_words(caplog: pytest.LogCaptureFixture) -> None:
    llm = FakeLLM([CALL, PLAIN])
    with caplog.at_level(logging.INFO, "rony.app"):
        await run(turn(llm, FakeExecutor(ToolDeniedError(name="look", detail="no"))))
    told = llm.requests[1].messages[-1]
    assert told.content == "look was not run: no."
    assert caplog.records == []


async def test_without_tools_a_call_is_answered_as_unknown() -> None:
    llm = FakeLLM([CALL, PLAIN])
    await run(turn(llm))
    assert llm.requests[1].messages[-1].content.startswith("tool not found: 'look'")


async def test_a_limit_ends_the_turn_between_two_steps() -> None:
    llm = FakeLLM([CALL, PLAIN])
    limits = replace(LIMITS, max_tokens_per_session=25)
    _, response = await run(turn(llm, FakeExecutor(ToolResult("x")), limits))
    assert response.stop_reason is StopReason.TOKEN_CAP
    assert len(llm.requests) == 1
    assert response.usage == CALL.usage


async def test_a_failure_after_a_step_keeps_what_was_used() -> None:
    overflow = ContextOverflow(needed=9, limit=8)
    _, response = await run(turn(FakeLLM([CALL, overflow]), FakeExecutor(ToolResult("x"))))
    assert response.stop_reason is StopReason.ERROR
    assert response.failure == overflow.failure()
    assert (response.usage, response.iterations) == (CALL.usage, 2)


async def test_an_answer_without_a_word_is_an_error() -> None:
    _, response = await run(turn(FakeLLM([replace(PLAIN, content="\n")])))
    assert response.failure is not None
    assert response.failure.code == "provider.empty"


async def test_time_that_is_over_ends_the_request() -> None:
    llm = FakeLLM([PLAIN])
    llm.hold = asyncio.Event()
    _, response = await run(turn(llm, limits=replace(LIMITS, turn_timeout_s=0.02)))
    assert (response.stop_reason, response.content) == (StopReason.TIMEOUT, "Hello")
    assert llm.closed == 1


async def test_cancelling_is_raised_to_who_cancels() -> None:
    llm = FakeLLM([PLAIN])
    llm.hold = asyncio.Event()
    running = asyncio.create_task(run(turn(llm)))
    async with asyncio.timeout(5):
        while not llm.requests:
            await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert llm.closed == 1


async def test_an_answer_that_says_nothing_at_all_is_an_error() -> None:
    class Silent(FakeLLM):
        async def infer(self, request: InferRequest) -> AsyncGenerator[Chunk, None]:
            yield Chunk(thinking="hm", progress=Progress(2, 0, 1))

    events, response = await run(turn(Silent([])))
    assert [type(event) for event in events] == [Prefill, ThinkingDelta, TurnFinished]
    assert response.failure == EmptyAnswer().failure()
