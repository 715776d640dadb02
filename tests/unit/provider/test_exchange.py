from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from rony_desktop.contract.error import ProviderError, ProviderRefused, ProviderUnavailable
from rony_desktop.provider import exchange
from rony_desktop.provider.exchange import ask, opened
from rony_desktop.provider.stream import events
from tests.fixture.model_server import ModelServer, start_server

CHAT = "/v1/chat/completions"
BODY = {"messages": [{"role": "user", "content": "hi"}]}


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with start_server(key="k") as running:
        yield running


async def test_ask_gets_an_object(server: ModelServer) -> None:
    assert await ask(server.endpoint, "/health") == {"status": "ok"}


async def test_ask_posts_where_there_is_something_to_say(server: ModelServer) -> None:
    assert await ask(server.endpoint, "/tokenize", {"content": "a b"}) == {"tokens": [0, 1]}


async def test_ask_wants_an_object(server: ModelServer) -> None:
    with pytest.raises(ProviderRefused, match="not a JSON object"):
        await ask(server.endpoint, "/slots")


async def test_ask_wants_json(server: ModelServer) -> None:
    server.script("html")
    with pytest.raises(ProviderRefused, match="not JSON"):
        await ask(server.endpoint, CHAT, BODY)


async def test_ask_types_a_refusal(server: ModelServer) -> None:
    with pytest.raises(ProviderRefused) as caught:
        await ask(server.endpoint, "/nowhere")
    assert caught.value.params == {"status": "404", "detail": "File Not Found"}


async def test_ask_types_an_answer_that_breaks(server: ModelServer) -> None:
    server.script("disconnect")
    with pytest.raises(ProviderUnavailable):
        await ask(server.endpoint, CHAT, BODY)


async def test_an_open_stream_can_be_read(server: ModelServer) -> None:
    async with opened(server.endpoint, CHAT, BODY, 5.0) as response:
        found = [data async for data in events(response)]
    assert found[-1] == "[DONE]"


@pytest.mark.parametrize(
    "reply",
    [
        {"status": 500, "body": "x" * 1_000_000},
        {"status": 500, "fault": "disconnect", "text": "x"},
    ],
)
async def test_a_refusal_of_any_length_is_short(server: ModelServer, reply: dict[str, Any]) -> None:
    server.script(reply)
    with pytest.raises(ProviderError) as caught:
        async with opened(server.endpoint, CHAT, BODY, 5.0):
            pytest.fail("opened")
    assert type(caught.value) is ProviderError
    assert len(caught.value.params["detail"]) <= 300


async def test_the_key_is_not_in_a_refusal(server: ModelServer) -> None:
    server.script({"status": 400, "body": "what is Bearer k?"})
    with pytest.raises(ProviderRefused) as caught:
        await ask(server.endpoint, CHAT, BODY)
    assert caught.value.params["detail"] == "what is Bearer ***?"


async def test_closing_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "CLOSE_S", 0.05)
    started = time.monotonic()
    await exchange._shielded(asyncio.sleep(60))
    assert time.monotonic() - started < 2.0


async def test_closing_goes_on_while_its_task_is_cancelled() -> None:
    closing, closed = asyncio.Event(), asyncio.Event()

    async def close() -> None:
        closing.set()
        await asyncio.sleep(0.01)
        closed.set()

    task = asyncio.ensure_future(exchange._shielded(close()))
    await closing.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(closed.wait(), 2.0)
