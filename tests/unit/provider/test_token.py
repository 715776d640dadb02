from __future__ import annotations

from collections.abc import Iterator

import pytest

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import EngineStopped
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.provider.token import REMEMBERED, LlamaCppTokenCounter, estimate
from tests.fixture.model_server import ModelServer, start_server

COUNT = "/v1/chat/completions/input_tokens"
CHAT = (Message(Role.SYSTEM, "be brief"), Message(Role.USER, "hello there my friend"))
FRAMES = 2 * len(CHAT)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with start_server(key="k") as running:
        yield running


def asked(server: ModelServer) -> list[str]:
    return [event["path"] for event in server.log()]


async def test_counts_what_the_server_counts(server: ModelServer) -> None:
    counter = LlamaCppTokenCounter(lambda: server.endpoint)
    assert await counter.count(CHAT) == 6 + FRAMES


async def test_the_same_messages_are_asked_for_once(server: ModelServer) -> None:
    counter = LlamaCppTokenCounter(lambda: server.endpoint)
    before = len(asked(server))
    for _ in range(3):
        await counter.count((Message(Role.USER, "once"),))
    assert asked(server)[before:] == [COUNT]
    await counter.count((Message(Role.SYSTEM, "once"),))
    assert len(asked(server)) == before + 2


async def test_the_oldest_count_is_forgotten(server: ModelServer) -> None:
    counter = LlamaCppTokenCounter(lambda: server.endpoint)
    for number in range(REMEMBERED + 1):
        await counter.count((Message(Role.USER, f"n{number}"),))
    before = len(asked(server))
    await counter.count((Message(Role.USER, f"n{REMEMBERED}"),))
    assert len(asked(server)) == before
    await counter.count((Message(Role.USER, "n0"),))
    assert len(asked(server)) == before + 1


async def test_an_older_server_counts_by_its_template() -> None:
    with start_server("--without", COUNT) as old:
        counter = LlamaCppTokenCounter(lambda: old.endpoint)
        assert await counter.count(CHAT) == 6 + FRAMES
        assert await counter.count(CHAT[:1]) == 2 + 2
        assert asked(old) == [COUNT, *["/apply-template", "/tokenize"] * 2]


async def test_a_server_that_cannot_count_is_estimated() -> None:
    with start_server("--without", COUNT, "--without", "/tokenize") as foreign:
        counter = LlamaCppTokenCounter(lambda: foreign.endpoint)
        assert await counter.count(CHAT) == estimate(CHAT)


async def test_no_server_is_estimated() -> None:
    counter = LlamaCppTokenCounter(lambda: Endpoint("http://127.0.0.1:1"))
    assert await counter.count(CHAT) == estimate(CHAT)


async def test_no_engine_is_estimated() -> None:
    def stopped() -> Endpoint:
        raise EngineStopped

    assert await LlamaCppTokenCounter(stopped).count(CHAT) == estimate(CHAT)


async def test_an_estimate_is_not_remembered(server: ModelServer) -> None:
    places = [server.endpoint, Endpoint("http://127.0.0.1:1")]
    counter = LlamaCppTokenCounter(lambda: places[-1])
    assert await counter.count(CHAT) == estimate(CHAT)
    places.pop()
    assert await counter.count(CHAT) == 6 + FRAMES


async def test_no_messages_are_no_tokens(server: ModelServer) -> None:
    assert await LlamaCppTokenCounter(lambda: server.endpoint).count(()) == 0


@pytest.mark.parametrize(
    "text", ["plain words of English", "你好世界你好世界", "def f(x):\n\treturn x"]
)
def test_an_estimate_is_not_below_a_third_of_the_bytes(text: str) -> None:
    assert estimate((Message(Role.USER, text),)) >= len(text.encode()) // 3 + 8


def test_an_estimate_counts_tool_calls() -> None:
    call = ToolCall("c", "read_file", '{"path": "' + "x" * 300 + '"}')
    message = Message(Role.ASSISTANT, tool_calls=(call,))
    assert estimate((message,)) > estimate((Message(Role.ASSISTANT),)) + 100
