"""Turns with tools against a scripted model server: a process of its own, over real HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from rony_desktop.agent.llm import REPLY_LIMIT, ClientLLM
from rony_desktop.agent.loop import Loop
from rony_desktop.contract.agent import Response
from rony_desktop.contract.event import (
    Append,
    CallForming,
    Iteration,
    TextDelta,
    TurnEvent,
    TurnFinished,
)
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import DURATION_MS
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.provider.llamacpp import LlamaCppClient
from tests.fake.agent import FRAME
from tests.fixture.model_server import ModelServer, start_server

FINAL = 'Grüße 🦙 and a "word"'


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with start_server("--n-ctx", "200000") as server:
        yield server


@pytest.fixture
def plain_server() -> Iterator[ModelServer]:
    """A server whose model cannot call tools."""
    with start_server("--no-tools") as server:
        yield server


class Executor:
    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    async def execute(self, call: ToolCall, session: Session) -> ToolResult:
        self.calls.append(call)
        return ToolResult(f"result of {call.id}", metadata={DURATION_MS: "1"})


async def handler(context: ToolContext, arguments: object) -> ToolResult:
    raise AssertionError("the executor answers")


PARAMETERS = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
TOOLS = tuple(ToolSpec(n, f"Does {n}.", PARAMETERS, handler) for n in ("write_file", "read_file"))


async def run(
    server: ModelServer, *replies: str | dict[str, object]
) -> tuple[list[TurnEvent], Response, Executor]:
    await asyncio.to_thread(server.script, *replies)
    executor = Executor()
    llm = ClientLLM(lambda: LlamaCppClient(lambda: server.endpoint))
    loop = Loop(llm, lambda _: replace(FRAME, tools=TOOLS), executor)
    events = [event async for event in loop.run_stream("Read my notes", Session("s"))]
    assert isinstance(events[-1], TurnFinished)
    return events, events[-1].response, executor


def bodies(server: ModelServer) -> list[dict[str, Any]]:
    return [
        entry["body"]
        for entry in server.log()
        if entry["event"] == "request" and entry["path"] == "/v1/chat/completions"
    ]


def answered(events: list[TurnEvent]) -> list[str]:
    return [event.message.tool_call_id for event in events if isinstance(event, Append)]


def announced(events: list[TurnEvent]) -> list[str]:
    replies = [event.message for event in events if isinstance(event, Iteration)]
    return [call.id for message in replies for call in message.tool_calls]


async def test_two_calls_then_an_answer(server: ModelServer) -> None:
    events, response, _ = await run(server, "tools", "normal")
    assert answered(events) == announced(events) == ["call_1", "call_2"]
    assert response.stop_reason is StopReason.END_TURN
    assert response.content == "Hello from the scripted model."
    first, second = bodies(server)
    assert [t["function"]["name"] for t in first["tools"]] == ["read_file", "write_file"]
    assert second["messages"][: len(first["messages"])] == first["messages"]
    assert [m["role"] for m in second["messages"]][2:] == ["assistant", "tool", "tool"]
    assert second["tools"] == first["tools"]


async def test_three_hundred_calls_in_one_reply(server: ModelServer) -> None:
    events, response, executor = await run(server, "many-tools", "normal")
    assert answered(events) == announced(events) == [f"call_{n}" for n in range(300)]
    assert len(executor.calls) == 300
    assert response.stop_reason is StopReason.END_TURN
    assert sum(isinstance(event, CallForming) for event in events) < 30


async def test_ids_that_are_the_same_or_empty(server: ModelServer) -> None:
    events, response, _ = await run(server, "same-ids", "same-ids", "same-ids", "normal")
    ids = announced(events)
    assert answered(events) == ids
    assert len(set(ids)) == len(ids)
    assert all(ids)
    # Each reply makes one call twice: the second reply holds its third and fourth.
    assert response.stop_reason is StopReason.REPEATED_CALL


async def test_an_argument_of_two_megabytes(server: ModelServer) -> None:
    huge = {"text": "", "finish": "tool_calls", "piece": 256}
    arguments = json.dumps({"path": "x" * 2_000_000})
    call = {"id": "c", "name": "write_file", "arguments": arguments}
    events, response, executor = await run(server, {**huge, "tool_calls": [call]}, "normal")
    assert executor.calls[0].arguments == arguments
    assert response.stop_reason is StopReason.END_TURN
    forming = [event.characters for event in events if isinstance(event, CallForming)]
    assert forming == sorted(forming)
    assert 1 < len(forming) <= 1 + len(arguments) // 2_000 + 600


async def test_an_argument_that_never_ends(server: ModelServer) -> None:
    events, response, executor = await run(server, "endless-tool")
    assert response.stop_reason is StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED
    assert executor.calls == []
    assert answered(events) == announced(events) == ["call_1"]
    assert max(e.characters for e in events if isinstance(e, CallForming)) <= REPLY_LIMIT + 4096
    await server.seen("disconnect")


@pytest.mark.parametrize(
    ("replies", "reason", "runs"),
    [
        (["cut-tool"], StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED, 0),
        (["stop-tool", "normal"], StopReason.END_TURN, 1),
        (["bad-tool", "normal"], StopReason.END_TURN, 0),
        (["bad-tool"] * 5, StopReason.PARSE_ERRORS, 0),
        (["tool"] * 4, StopReason.REPEATED_CALL, 2),
        (["no-tool"], StopReason.ERROR, 0),
    ],
)
async def test_each_ends_as_the_rules_say(
    server: ModelServer, replies: list[str], reason: StopReason, runs: int
) -> None:
    # After two replies that cannot be read the envelope is asked for; this server goes on in its
    # native form, and such calls are read as well.
    events, response, executor = await run(server, *replies)
    assert response.stop_reason is reason
    assert len(executor.calls) == runs
    assert answered(events) == announced(events)


async def test_bad_arguments_go_back_as_an_empty_object_with_the_reason(
    server: ModelServer,
) -> None:
    await run(server, "bad-tool", "normal")
    *_, call, result = bodies(server)[1]["messages"]
    assert call["tool_calls"][0]["function"]["arguments"] == "{}"
    assert "could not be read" in result["content"]


async def test_a_call_and_an_answer_in_the_envelope(plain_server: ModelServer) -> None:
    replies = ("envelope-tool", {"text": json.dumps({"final": FINAL}), "block": 1})
    events, response, executor = await run(plain_server, *replies)
    assert [call.arguments for call in executor.calls] == ['{"path": "notes.txt"}']
    assert (response.stop_reason, response.content) == (StopReason.END_TURN, FINAL)
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == FINAL
    first, second = bodies(plain_server)
    assert "tools" not in first
    assert first["response_format"]["type"] == "json_schema"
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "user"]
    assert second["messages"][:2] == first["messages"]


@pytest.mark.parametrize(
    ("replies", "reason", "runs", "content"),
    [
        (["envelope-final"], StopReason.END_TURN, 0, FINAL),
        (["envelope-cut"], StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED, 0, ""),
        (["envelope-bad", "envelope-final"], StopReason.END_TURN, 0, FINAL),
        (["envelope-bad", "envelope-tool", "envelope-final"], StopReason.END_TURN, 1, FINAL),
        (["envelope-bad"] * 5, StopReason.PARSE_ERRORS, 0, ""),
        (["envelope-tool"] * 4, StopReason.REPEATED_CALL, 2, ""),
    ],
)
async def test_each_envelope_ends_as_the_rules_say(
    plain_server: ModelServer, replies: list[str], reason: StopReason, runs: int, content: str
) -> None:
    events, response, executor = await run(plain_server, *replies)
    assert (response.stop_reason, response.content) == (reason, content)
    assert len(executor.calls) == runs
    assert answered(events) == announced(events)
