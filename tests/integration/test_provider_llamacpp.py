"""The provider against the real llama-server and a real model."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from rony_desktop import net
from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import ContextOverflow, ProviderRefused
from rony_desktop.contract.llm import CompletionRequest, StopReason, StreamChunk
from rony_desktop.contract.message import Message, Role
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.provider.exchange import ask
from rony_desktop.provider.llamacpp import LlamaCppClient
from rony_desktop.provider.token import LlamaCppTokenCounter
from tests.fixture.engine import serving

pytestmark = pytest.mark.engine

N_CTX = 4096
SYSTEM = Message(Role.SYSTEM, "You answer briefly.")
IDLE_LIMIT_S = 0.5


@pytest.fixture(scope="module")
def endpoint(engine_binary: Path, starter_model: Path) -> Iterator[Endpoint]:
    """A server on a private socket."""
    env = {**os.environ, "LD_LIBRARY_PATH": str(engine_binary.parent)}
    flags = f"-c {N_CTX} -np 1 -b 64 -ub 64 -t 1 -cram 64"
    with serving([engine_binary], starter_model, flags, env) as place:
        yield place


@pytest.fixture
def client(endpoint: Endpoint) -> LlamaCppClient:
    return LlamaCppClient(lambda: endpoint)


def request(text: str, max_tokens: int | None = 16) -> CompletionRequest:
    return CompletionRequest(
        (SYSTEM, Message(Role.USER, text)), temperature=0.0, max_tokens=max_tokens
    )


async def idle_after(endpoint: Endpoint, limit_s: float) -> float:
    """Wait until the slot is idle; fail above the limit."""
    started = time.monotonic()
    while (await _slot(endpoint))["is_processing"]:
        assert time.monotonic() - started < limit_s, "the slot is still busy"
        await asyncio.sleep(0.005)
    return time.monotonic() - started


async def _slot(endpoint: Endpoint) -> dict[str, object]:
    async with net.client(endpoint) as http:
        slots: list[dict[str, object]] = (await http.get("/slots")).json()
        return slots[0]


async def test_an_answer_streams_with_usage_timings_and_a_reason(client: LlamaCppClient) -> None:
    async with aclosing(client.stream(request("Say hello."))) as stream:
        chunks = [chunk async for chunk in stream]
    assert "".join(chunk.delta for chunk in chunks).strip()
    usage, timings = chunks[-1].usage, chunks[-1].timings
    assert usage
    assert timings
    assert usage.input_tokens == timings.cache_n + timings.prompt_n
    assert usage.cached_tokens == timings.cache_n
    assert 0 < usage.output_tokens <= 16
    assert timings.decode_tokens_per_s > 0
    assert [c.finish_reason for c in chunks if c.finish_reason] in (
        [StopReason.END_TURN],
        [StopReason.MAX_TOKENS],
    )
    assert {chunk.model for chunk in chunks} == {"starter"}


async def test_generate_is_the_whole_stream(client: LlamaCppClient) -> None:
    answer = await client.generate(request("Count to one hundred.", max_tokens=5))
    assert answer.stop_reason is StopReason.MAX_TOKENS
    assert answer.usage.output_tokens == 5
    assert answer.id


async def test_prefill_reports_progress_batch_by_batch(client: LlamaCppClient) -> None:
    async with aclosing(client.stream(request("stone " * 300, max_tokens=1))) as stream:
        progress = [chunk.progress async for chunk in stream if chunk.progress]
    done = [step.processed for step in progress]
    assert done == sorted(done)
    assert len(done) >= 4
    assert done[-1] == progress[-1].total > 300
    assert max(b - a for a, b in pairwise(done)) <= 64


async def test_a_second_turn_reads_only_what_is_new(client: LlamaCppClient) -> None:
    first = await client.generate(request("Tell me about rivers."))
    history = (
        *request("Tell me about rivers.").messages,
        Message(Role.ASSISTANT, first.content),
        Message(Role.USER, "And about lakes?"),
    )
    second = await client.generate(CompletionRequest(history, temperature=0.0, max_tokens=4))
    fresh = second.usage.input_tokens - first.usage.total_tokens
    assert second.timings.prompt_n <= fresh + 16
    assert second.usage.cached_tokens > 0


async def test_unicode_survives_both_ways(client: LlamaCppClient, endpoint: Endpoint) -> None:
    text = "Grüße 你好 🦙🏽 \ud800 \x00"
    answer = await client.generate(request(f"Repeat: {text}"))
    assert answer.content
    assert "\ufffd" not in answer.content[:-1]
    assert await LlamaCppTokenCounter(lambda: endpoint).count((Message(Role.USER, text),)) > 10


async def test_a_chat_above_the_window_overflows(client: LlamaCppClient) -> None:
    with pytest.raises(ContextOverflow) as caught:
        await client.generate(request("word " * 5000))
    assert caught.value.params["limit"] == str(N_CTX)
    assert int(caught.value.params["needed"]) > 5000


async def test_without_the_key_everything_is_refused(endpoint: Endpoint) -> None:
    client = LlamaCppClient(lambda: replace(endpoint, key=""))
    with pytest.raises(ProviderRefused) as caught:
        await client.generate(request("hi"))
    assert caught.value.params["status"] == "401"
    with pytest.raises(ProviderRefused):
        await client.capabilities()


async def test_the_model_is_described(client: LlamaCppClient) -> None:
    can = await client.capabilities()
    assert (can.max_context_window, can.supports_tools) == (N_CTX, False)


async def test_counted_tokens_are_the_prompts(client: LlamaCppClient, endpoint: Endpoint) -> None:
    counter = LlamaCppTokenCounter(lambda: endpoint)
    by_template = LlamaCppTokenCounter(lambda: endpoint)
    by_template._without_count.add(endpoint)
    for text in ("hi", "Grüße, 你好 🦙", "def f(x):\n\treturn x  # <|im_end|>"):
        asked = request(text, max_tokens=8)
        used = (await client.generate(asked)).usage.input_tokens
        assert await counter.count(asked.messages) == used
        assert await by_template.count(asked.messages) == used


async def test_cancel_in_decode_frees_the_slot(client: LlamaCppClient, endpoint: Endpoint) -> None:
    begun = asyncio.Event()

    async def read() -> None:
        async with aclosing(client.stream(request("Write a long story.", None))) as stream:
            async for chunk in stream:
                if chunk.delta:
                    begun.set()

    reading = asyncio.ensure_future(read())
    await asyncio.wait_for(begun.wait(), 30)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await idle_after(endpoint, IDLE_LIMIT_S)


async def test_leaving_the_stream_frees_the_slot(
    client: LlamaCppClient, endpoint: Endpoint
) -> None:
    async with aclosing(client.stream(request("Write a long story.", None))) as stream:
        while not (await anext(stream)).delta:
            pass
    await idle_after(endpoint, IDLE_LIMIT_S)


async def test_cancel_in_prefill_frees_the_slot_after_one_batch(
    client: LlamaCppClient, endpoint: Endpoint
) -> None:
    arrived: list[float] = []

    async def read() -> list[StreamChunk]:
        async with aclosing(client.stream(request("pebble " * 1800, 4))) as stream:
            chunks = []
            async for chunk in stream:
                arrived.append(time.monotonic())
                chunks.append(chunk)
            return chunks

    reading = asyncio.ensure_future(read())
    async with asyncio.timeout(30):
        while len(arrived) < 5:
            await asyncio.sleep(0.01)
    assert not reading.done()
    batch_s = max(b - a for a, b in pairwise(arrived))
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await idle_after(endpoint, batch_s + IDLE_LIMIT_S)


async def test_the_header_says_what_the_engine_reads(
    endpoint: Endpoint, starter_model: Path
) -> None:
    meta = (await ask(endpoint, "/v1/models"))["data"][0]["meta"]
    found = await asyncio.to_thread(GgufMetadataReader().read, starter_model)
    assert found.vocabulary_size == meta["n_vocab"]
    assert found.context_length == meta["n_ctx_train"]
    assert found.embedding_length == meta["n_embd"]
    assert found.chat_template == (await ask(endpoint, "/props"))["chat_template"]
    # 30 layers, 3 heads for keys and values, 64 wide, f16: SmolLM2-135M's published shape.
    assert found.kv_bytes_per_token == 30 * 3 * (64 + 64) * 2
