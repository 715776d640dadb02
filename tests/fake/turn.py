"""Answers of a model, and one turn run over them."""

from __future__ import annotations

from rony_desktop.agent.limit import Limit, Limits
from rony_desktop.agent.turn import Turn
from rony_desktop.contract.agent import Response
from rony_desktop.contract.event import TurnEvent, TurnFinished
from rony_desktop.contract.llm import (
    CompletionResponse,
    InferRequest,
    StopReason,
    Timings,
    TokenUsage,
)
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.session import Session
from tests.fake.agent import FRAME, FakeExecutor, FakeLLM

LIMITS = FRAME.limits
PLAIN = CompletionResponse(
    "1", "Hello there", usage=TokenUsage(10, 3, 2), timings=Timings(predicted_n=3), model="m"
)
LOOK = ToolCall("c1", "look", '{"where": "here"}')
CALL = CompletionResponse("2", "Let me see.", (LOOK,), TokenUsage(20, 5), StopReason.TOOL_USE)
REQUEST = InferRequest("Be brief.", (Message(Role.USER, "Hi"),))


def turn(llm: FakeLLM, executor: FakeExecutor | None = None, limits: Limits = LIMITS) -> Turn:
    return Turn(llm, REQUEST, Session("s"), Limit(limits), executor)


async def run(it: Turn) -> tuple[list[TurnEvent], Response]:
    events = [event async for event in it.events()]
    last = events[-1]
    assert isinstance(last, TurnFinished)
    assert sum(isinstance(event, TurnFinished) for event in events) == 1
    return events, last.response
