"""The loop: endings, tool calls, limits, cancellation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing, suppress
from dataclasses import replace

import pytest

from rony_desktop.agent.context import Frame
from rony_desktop.agent.limit import Limits
from rony_desktop.agent.loop import Loop
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import StreamBroken
from rony_desktop.contract.event import Append, Iteration, TextDelta, TurnFinished
from rony_desktop.contract.llm import CompletionResponse, StopReason, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import Session
from tests.fake.agent import FRAME, FakeExecutor, FakeLLM

LIMITS = FRAME.limits
PLAIN = CompletionResponse("1", "Hello there", usage=TokenUsage(10, 3), model="m")
CALL = CompletionResponse(
    "2", "", (ToolCall("c1", "look", "{}"),), TokenUsage(10, 3), StopReason.TOOL_USE
)


SEEN = ToolResult("seen")


def loop(llm: FakeLLM, limits: Limits = LIMITS, executor: FakeExecutor | None = None) -> Loop:
    return Loop(llm, lambda _: replace(FRAME, limits=limits), executor)


async def test_loop_terminates_without_tool_calls() -> None:
    events = [e async for e in loop(FakeLLM([PLAIN])).run_stream("hi", Session("s"))]
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == "Hello there"
    assert isinstance(events[-2], Iteration)
    last = events[-1]
    assert isinstance(last, TurnFinished)
    assert last.response.stop_reason is StopReason.END_TURN
    assert last.response.usage == TokenUsage(10, 3)
    assert last.response.content == "Hello there"


async def test_loop_terminates_at_max_iterations() -> None:
    llm = FakeLLM([CALL] * 3)
    small = replace(LIMITS, max_iterations=3)
    response = await loop(llm, small, FakeExecutor(SEEN)).run("hi", Session("s"))
    assert response.stop_reason is StopReason.MAX_ITERATIONS
    assert response.iterations == 3


async def test_the_smaller_of_steps_and_iterations_wins() -> None:
    small = replace(LIMITS, max_steps=2)
    response = await loop(FakeLLM([CALL] * 2), small, FakeExecutor(SEEN)).run("hi", Session("s"))
    assert response.stop_reason is StopReason.MAX_STEPS


async def test_token_cap_ends_the_turn() -> None:
    small = replace(LIMITS, max_tokens_per_session=5)
    response = await loop(FakeLLM([CALL]), small, FakeExecutor(SEEN)).run("hi", Session("s"))
    assert response.stop_reason is StopReason.TOKEN_CAP


async def test_turn_timeout_names_itself() -> None:
    llm = FakeLLM([PLAIN])
    llm.hold = asyncio.Event()
    response = await loop(llm, replace(LIMITS, turn_timeout_s=0.05)).run("hi", Session("s"))
    assert response.stop_reason is StopReason.TIMEOUT
    assert response.content == "Hello"
    assert llm.closed == 1


async def test_tools_run_in_order_and_are_answered_once() -> None:
    calls = (ToolCall("a", "look", "{}"), ToolCall("b", "look", "{}"))
    llm = FakeLLM([replace(CALL, tool_calls=calls), PLAIN])
    executor = FakeExecutor(SEEN)
    events = [e async for e in loop(llm, executor=executor).run_stream("hi", Session("s"))]
    assert [c.id for c in executor.calls] == ["a", "b"]
    assert [e.message.tool_call_id for e in events if isinstance(e, Append)] == ["a", "b"]
    roles = [m.role for m in llm.requests[1].messages]
    assert roles == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.TOOL]


@pytest.mark.parametrize("executor", [None, FakeExecutor(ValueError("boom"))])
async def test_what_a_tool_raises_becomes_a_result(
    executor: FakeExecutor | None, expected_log: Callable[[str], None]
) -> None:
    expected_log("ERROR_STACKTRACE")
    llm = FakeLLM([CALL, PLAIN])
    response = await loop(llm, executor=executor).run("hi", Session("s"))
    assert response.stop_reason is StopReason.END_TURN
    result = llm.requests[1].messages[-1].tool_result
    assert result is not None
    assert result.is_error


async def test_a_truncated_call_is_never_run() -> None:
    executor = FakeExecutor(SEEN)
    cut = replace(CALL, stop_reason=StopReason.MAX_TOKENS)
    response = await loop(FakeLLM([cut]), executor=executor).run("hi", Session("s"))
    assert response.stop_reason is StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED
    assert executor.calls == []


async def test_provider_error_is_a_response_with_its_code() -> None:
    response = await loop(FakeLLM([StreamBroken(detail="gone")])).run("hi", Session("s"))
    assert response.stop_reason is StopReason.ERROR
    assert response.failure is not None
    assert response.failure.code == "provider.broken"


async def test_an_empty_answer_is_an_error() -> None:
    response = await loop(FakeLLM([replace(PLAIN, content=" ")])).run("hi", Session("s"))
    assert response.failure is not None
    assert response.failure.code == "provider.empty"


async def test_cancelling_closes_the_stream() -> None:
    llm = FakeLLM([PLAIN])
    llm.hold = asyncio.Event()
    first = asyncio.Event()

    async def consume() -> Response | None:
        async with aclosing(loop(llm).run_stream("hi", Session("s"))) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    first.set()
        return None

    task = asyncio.create_task(consume())
    await first.wait()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert task.cancelled()
    assert llm.closed == 1


async def test_each_turn_asks_what_surrounds_its_session() -> None:
    llm, asked = FakeLLM([PLAIN, PLAIN]), list[str]()

    def frame(session: Session) -> Frame:
        asked.append(session.id)
        return replace(FRAME, few_shot=(Message(Role.USER, session.id),))

    loop = Loop(llm, frame)
    await loop.run("hi", Session("a"))
    await loop.run("hi", Session("b"))
    assert asked == ["a", "b"]
    assert [request.messages[0].content for request in llm.requests] == ["a", "b"]
