"""ClientLLM: a system message first, chunks as they come, each request and answer in the log."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

import pytest

from rony_desktop.agent.llm import ClientLLM
from rony_desktop.contract.error import EngineStopped, StreamBroken
from rony_desktop.contract.llm import (
    Chunk,
    CompletionRequest,
    CompletionResponse,
    InferRequest,
    Progress,
    ProviderCapabilities,
    StopReason,
    StreamChunk,
    Timings,
    TokenUsage,
    ToolCallDelta,
    collected,
)
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolSchema
from rony_desktop.provider.scripted import ScriptedClient

QUESTION = Message(Role.USER, "What is the password of the house?")
REQUEST = InferRequest("Be brief.", (QUESTION,), (ToolSchema("look", "Looks.", {}),), 128)
CHUNKS = (
    StreamChunk(progress=Progress(10, 0, 5), model="m"),
    StreamChunk(thinking="hm", id="1"),
    StreamChunk(delta="Hello "),
    StreamChunk(tool_calls=(ToolCallDelta(0, "c1", "look", "{}"),)),
    StreamChunk(delta="there", finish_reason=StopReason.TOOL_USE),
    StreamChunk(usage=TokenUsage(10, 3, 4), timings=Timings(cache_n=4, prompt_n=6)),
)


class FakeClient:
    """An LLMClient that streams these chunks, then raises, where it is told to."""

    def __init__(self, chunks: tuple[StreamChunk, ...], error: Exception | None = None) -> None:
        self._chunks = chunks
        self._error = error
        self.asked: list[CompletionRequest] = []
        self.closed = False

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[StreamChunk, None]:
        self.asked.append(request)
        try:
            for chunk in self._chunks:
                yield chunk
            if self._error:
                raise self._error
        finally:
            self.closed = True

    async def generate(self, request: CompletionRequest) -> CompletionResponse:
        return collected([chunk async for chunk in self.stream(request)])

    def name(self) -> str:
        return "fake"

    async def capabilities(self) -> ProviderCapabilities:
        return ProviderCapabilities(max_context_window=512)


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [json.loads(record.getMessage()) for record in caplog.records]


async def test_chunks_come_as_they_are_and_the_last_is_the_whole() -> None:
    client = FakeClient(CHUNKS)
    chunks = [chunk async for chunk in ClientLLM(lambda: client).infer(REQUEST)]
    assert chunks[:-1] == [
        Chunk(progress=Progress(10, 0, 5)),
        Chunk(thinking="hm"),
        Chunk("Hello "),
        Chunk("there"),
    ]
    last = chunks[-1]
    assert last.done
    assert last.response == CompletionResponse(
        "1",
        "Hello there",
        (ToolCall("c1", "look", "{}"),),
        TokenUsage(10, 3, 4),
        StopReason.TOOL_USE,
        "hm",
        Timings(cache_n=4, prompt_n=6),
        "m",
    )


@pytest.mark.parametrize("system", ["Be brief.", ""])
async def test_a_system_message_always_goes_first(system: str) -> None:
    client = FakeClient(CHUNKS)
    request = InferRequest(system, (QUESTION,), REQUEST.tools, 128)
    [_ async for _ in ClientLLM(lambda: client).infer(request)]
    (asked,) = client.asked
    assert asked.messages == (Message(Role.SYSTEM, system), QUESTION)
    assert (asked.tools, asked.max_tokens) == (REQUEST.tools, 128)


async def test_request_and_response_are_logged_without_a_word_of_the_user(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = FakeClient(CHUNKS)
    with caplog.at_level(logging.INFO, "rony.app"):
        [_ async for _ in ClientLLM(lambda: client).infer(REQUEST)]
    asked, answered = logged(caplog)
    assert asked == {"event": "LLM_REQUEST", "model": "fake", "messages": 1, "tools": 1}
    ms = answered.pop("ms")
    assert isinstance(ms, int)
    assert 0 <= ms < 5_000
    assert answered == {
        "event": "LLM_RESPONSE",
        "model": "m",
        "tokens": 13,
        "cached": 4,
        "read": 6,
        "stop": "tool_use",
    }
    assert "password" not in caplog.text


async def test_a_broken_answer_is_raised_and_no_response_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    client = FakeClient(CHUNKS[:3], StreamBroken(detail="gone"))
    heard: list[str] = []
    with caplog.at_level(logging.INFO, "rony.app"), pytest.raises(StreamBroken):
        async for chunk in ClientLLM(lambda: client).infer(REQUEST):
            heard.append(chunk.text)
    assert heard[-1] == "Hello "
    assert [line["event"] for line in logged(caplog)] == ["LLM_REQUEST"]


async def test_leaving_closes_the_clients_stream() -> None:
    client = FakeClient(CHUNKS)
    async with aclosing(ClientLLM(lambda: client).infer(REQUEST)) as chunks:
        await anext(chunks)
        assert not client.closed
    assert client.closed


async def test_each_inference_asks_for_the_client_of_the_moment() -> None:
    clients = [FakeClient(CHUNKS), ScriptedClient([{"match": "*", "response": "yes"}])]
    llm = ClientLLM(lambda: clients[0])
    assert await llm.input_limit() == 512
    del clients[0]
    assert await llm.input_limit() == 0
    chunks = [chunk async for chunk in llm.infer(REQUEST)]
    assert chunks[-1].response is not None
    assert chunks[-1].response.content == "yes"


async def test_without_a_client_its_error_is_raised() -> None:
    def none() -> FakeClient:
        raise EngineStopped()

    with pytest.raises(EngineStopped):
        await anext(ClientLLM(none).infer(REQUEST))
