"""What every LLMClient does, whichever provider is behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing

import pytest

from rony_desktop.contract.error import ProviderError
from rony_desktop.contract.llm import CompletionRequest, StopReason
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.port import LLMClient
from rony_desktop.provider.llamacpp import LlamaCppClient
from rony_desktop.provider.scripted import ScriptedClient
from tests.fixture.model_server import start_server

ANSWER = "Hello from the scripted model."
REQUEST = CompletionRequest((Message(Role.SYSTEM, "be brief"), Message(Role.USER, "hi")))


@pytest.fixture(params=["llamacpp", "scripted"])
def client(request: pytest.FixtureRequest) -> Iterator[LLMClient]:
    if request.param == "scripted":
        yield ScriptedClient([{"match": "*", "response": ANSWER}])
    else:
        with start_server() as server:
            yield LlamaCppClient(lambda: server.endpoint)


@pytest.fixture(params=["llamacpp", "scripted"])
def refusing(request: pytest.FixtureRequest) -> Iterator[LLMClient]:
    if request.param == "scripted":
        yield ScriptedClient([])
    else:
        with start_server("--reply", "not-found") as server:
            yield LlamaCppClient(lambda: server.endpoint)


async def test_generate_returns_valid_response(client: LLMClient) -> None:
    answer = await client.generate(REQUEST)
    assert answer.content == ANSWER
    assert answer.stop_reason is StopReason.END_TURN
    assert answer.tool_calls == ()
    assert answer.usage.output_tokens == 5
    assert answer.usage.total_tokens == answer.usage.input_tokens + 5
    assert answer.model


async def test_stream_emits_chunks_in_order(client: LLMClient) -> None:
    async with aclosing(client.stream(REQUEST)) as stream:
        deltas = [chunk.delta async for chunk in stream if chunk.delta]
    assert deltas == ["Hello ", "from ", "the ", "scripted ", "model."]


async def test_usage_comes_only_at_the_end(client: LLMClient) -> None:
    async with aclosing(client.stream(REQUEST)) as stream:
        chunks = [chunk async for chunk in stream]
    last_text = max(place for place, chunk in enumerate(chunks) if chunk.delta)
    finish = [place for place, chunk in enumerate(chunks) if chunk.finish_reason]
    usage = [place for place, chunk in enumerate(chunks) if chunk.usage]
    assert len(finish) == len(usage) == 1
    assert usage[0] >= finish[0] > last_text
    assert usage[0] == len(chunks) - 1


async def test_generate_and_stream_agree(client: LLMClient) -> None:
    async with aclosing(client.stream(REQUEST)) as stream:
        text = "".join([chunk.delta async for chunk in stream])
    assert text == (await client.generate(REQUEST)).content


async def test_the_same_request_gives_the_same_answer(client: LLMClient) -> None:
    first, second = await client.generate(REQUEST), await client.generate(REQUEST)
    assert (first.content, first.usage) == (second.content, second.usage)


async def test_a_stream_can_be_closed_early_and_another_begun(client: LLMClient) -> None:
    async with aclosing(client.stream(REQUEST)) as stream:
        async for chunk in stream:
            if chunk.delta:
                break
    assert (await client.generate(REQUEST)).content == ANSWER


async def test_a_stream_can_be_closed_before_it_began(client: LLMClient) -> None:
    await client.stream(REQUEST).aclose()
    assert (await client.generate(REQUEST)).content == ANSWER


async def test_a_refusal_is_a_provider_error(refusing: LLMClient) -> None:
    with pytest.raises(ProviderError):
        await refusing.generate(REQUEST)
    with pytest.raises(ProviderError):
        async with aclosing(refusing.stream(REQUEST)) as stream:
            await anext(stream)


async def test_capabilities_and_name_are_known(client: LLMClient) -> None:
    assert client.name() in {"llamacpp", "scripted"}
    assert (await client.capabilities()).max_context_window >= 0
