"""ClientLLM: a system message first, chunks as they come, each request and answer in the log."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

import pytest

from rony_desktop.agent import envelope
from rony_desktop.agent.llm import REPLY_LIMIT, ClientLLM
from rony_desktop.contract.check import ToolMode
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
        self.can = ProviderCapabilities(supports_tools=True, max_context_window=512)

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
        return self.can


def logged(caplog: pytest.LogCaptureFixture) -> list[dict[str, object]]:
    return [json.loads(record.getMessage()) for record in caplog.records]


async def test_chunks_come_as_they_are_and_the_last_is_the_whole() -> None:
    client = FakeClient(CHUNKS)
    chunks = [chunk async for chunk in ClientLLM(lambda: client).infer(REQUEST)]
    assert chunks[:-1] == [
        Chunk(progress=Progress(10, 0, 5)),
        Chunk(thinking="hm"),
        Chunk("Hello "),
        Chunk(forming=("look", 2)),
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
    assert (chunks[0].text, chunks[-1].response.content) == ("yes", "yes")


async def test_without_a_client_its_error_is_raised() -> None:
    def none() -> FakeClient:
        raise EngineStopped()

    with pytest.raises(EngineStopped):
        await anext(ClientLLM(none).infer(REQUEST))


def enveloped(*pieces: str, finish: StopReason = StopReason.END_TURN) -> FakeClient:
    """A client of a model that cannot call tools, answering in these pieces."""
    chunks = (*(StreamChunk(delta=piece) for piece in pieces), StreamChunk(finish_reason=finish))
    client = FakeClient(chunks)
    client.can = ProviderCapabilities(supports_json=True)
    return client


async def infer(
    client: FakeClient, request: InferRequest = REQUEST
) -> tuple[list[Chunk], CompletionResponse]:
    chunks = [chunk async for chunk in ClientLLM(lambda: client).infer(request)]
    assert [chunk.done for chunk in chunks] == [False] * (len(chunks) - 1) + [True]
    assert chunks[-1].response is not None
    return chunks[:-1], chunks[-1].response


async def test_a_model_that_cannot_call_tools_is_asked_in_the_envelope() -> None:
    client = enveloped('{"final": "x"}')
    await infer(client)
    (asked,) = client.asked
    system = f"Be brief.\n\n{envelope.instructions(REQUEST.tools)}"
    assert asked.messages == (Message(Role.SYSTEM, system), QUESTION)
    assert asked.tools == ()
    assert asked.response_schema == envelope.schema(REQUEST.tools)


async def test_a_turn_may_ask_for_the_envelope_of_a_model_that_can() -> None:
    client = FakeClient((StreamChunk(delta='{"final": "x"}'),))
    _, response = await infer(client, replace(REQUEST, envelope=True))
    assert client.asked[0].response_schema
    assert response.content == "x"


async def checked(
    client: FakeClient, found: ToolMode | None, envelope: bool = False
) -> CompletionRequest:
    """What is asked of a model of which a check found this."""

    async def mode() -> ToolMode | None:
        return found

    llm = ClientLLM(lambda: client, None, mode)
    [_ async for _ in llm.infer(replace(REQUEST, envelope=envelope))]
    (asked,) = client.asked
    return asked


async def test_what_a_check_found_outranks_what_the_server_says() -> None:
    asked = await checked(FakeClient((StreamChunk(delta="{}"),)), ToolMode.ENVELOPE)
    assert (asked.tools, asked.response_schema is None) == ((), False)
    asked = await checked(enveloped("x"), ToolMode.NATIVE)
    assert (asked.tools, asked.response_schema) == (REQUEST.tools, None)


async def test_without_a_check_the_server_is_believed() -> None:
    assert (await checked(enveloped('{"final": "x"}'), None)).response_schema
    assert (await checked(FakeClient(CHUNKS), None)).tools == REQUEST.tools


@pytest.mark.parametrize("repairing", [False, True])
async def test_a_model_that_cannot_call_in_any_form_is_offered_no_tools(repairing: bool) -> None:
    asked = await checked(FakeClient(CHUNKS), ToolMode.NONE, envelope=repairing)
    assert asked.messages == (Message(Role.SYSTEM, "Be brief."), QUESTION)
    assert (asked.tools, asked.response_schema) == ((), None)


async def test_a_turn_may_ask_for_the_envelope_of_a_model_that_was_found_good() -> None:
    client = FakeClient((StreamChunk(delta='{"final": "x"}'),))
    assert (await checked(client, ToolMode.NATIVE, envelope=True)).response_schema


async def test_without_tools_nothing_is_asked_and_nothing_added() -> None:
    client = enveloped("plain")
    _, response = await infer(client, replace(REQUEST, tools=(), envelope=True))
    wanted = CompletionRequest((Message(Role.SYSTEM, "Be brief."), QUESTION), max_tokens=128)
    assert client.asked == [wanted]
    assert response.content == "plain"


async def test_the_final_text_streams_as_it_comes() -> None:
    chunks, response = await infer(enveloped('{"fin', 'al": "H', "i \\u00", 'fc"', "}"))
    assert [chunk.text for chunk in chunks] == ["H", "i ", "ü"]
    assert response.content == "Hi ü"
    assert response.stop_reason is StopReason.END_TURN


async def test_a_final_text_in_an_unusual_form_is_shown_at_its_end() -> None:
    chunks, response = await infer(enveloped('{"\\u0066inal": "Hi"}'))
    assert [chunk.text for chunk in chunks] == [response.content] == ["Hi"]


async def test_a_call_in_the_envelope_is_a_call_and_no_text() -> None:
    chunks, response = await infer(enveloped('{"tool": "look", "args": ', '{"a": 1}}'))
    assert chunks == [Chunk(forming=("look", 1)), Chunk(forming=("look", 10))]
    (call,) = response.tool_calls
    assert (call.name, call.arguments) == ("look", '{"a": 1}')
    assert call.id
    assert (response.content, response.stop_reason) == ("", StopReason.TOOL_USE)


async def test_a_reply_that_is_no_envelope_is_a_problem_with_its_raw_text() -> None:
    chunks, response = await infer(enveloped("I will ", "look."))
    assert chunks == []
    assert response.content == "I will look."
    assert "Expecting value" in response.problem
    assert len(response.problem) <= 400


@pytest.mark.parametrize(
    ("raw", "shown"),
    [('{"final": "so far", "x', "so far"), ('{"tool": "look", "args": {}}', ""), ('{"to', "")],
)
async def test_a_reply_in_the_envelope_that_was_cut_is_never_a_call(raw: str, shown: str) -> None:
    _, response = await infer(enveloped(raw, finish=StopReason.MAX_TOKENS))
    assert (response.content, response.tool_calls, response.problem) == (shown, (), "")
    assert response.stop_reason is StopReason.MAX_TOKENS


async def test_an_empty_reply_in_the_envelope_stays_empty() -> None:
    _, response = await infer(enveloped(" "))
    assert (response.content, response.problem) == (" ", "")


async def test_a_reply_that_never_ends_is_closed_and_counts_as_cut() -> None:
    piece = StreamChunk(tool_calls=(ToolCallDelta(0, "c", "look", "x" * 65_536),))
    client = FakeClient((piece,) * 1_000)
    chunks, response = await infer(client)
    assert response.stop_reason is StopReason.MAX_TOKENS
    assert client.closed
    assert REPLY_LIMIT <= len(response.tool_calls[0].arguments) < REPLY_LIMIT + 65_536
    assert len(chunks) == REPLY_LIMIT // 65_536


async def test_others_get_their_turn_while_a_long_reply_is_taken_in() -> None:
    client = FakeClient((StreamChunk(delta="x"),) * 50_000)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    running = asyncio.create_task(others())
    await infer(client)
    running.cancel()
    assert turns > 5


async def test_what_a_repair_says_follows_everything_else() -> None:
    repairs = (Message(Role.ASSISTANT, "raw"), Message(Role.USER, "no"))
    native, plain = FakeClient(CHUNKS), enveloped('{"final": "x"}')
    for client in (native, plain):
        await infer(client, replace(REQUEST, repairs=repairs))
        assert client.asked[0].messages[1:] == (QUESTION, *repairs)
