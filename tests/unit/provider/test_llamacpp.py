from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import (
    ContextOverflow,
    EmptyAnswer,
    EngineStopped,
    ProviderError,
    ProviderLoading,
    ProviderRefused,
    ProviderUnavailable,
    StreamBroken,
)
from rony_desktop.contract.llm import (
    CompletionRequest,
    ProviderCapabilities,
    StopReason,
    StreamChunk,
    TokenUsage,
    ToolRef,
)
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolSchema
from rony_desktop.provider.llamacpp import LlamaCppClient
from tests.fixture.model_server import ModelServer, start_server
from tests.fixture.reply import NAMED

KEY = "s3cret-key"
HELLO = "Hello from the scripted model."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    folder = tmp_path_factory.mktemp("s")
    with start_server(socket=folder / "x.sock", key=KEY) as running:
        yield running


@pytest.fixture
def client(server: ModelServer) -> LlamaCppClient:
    return LlamaCppClient(lambda: server.endpoint)


def ask(text: str) -> CompletionRequest:
    return CompletionRequest((Message(Role.USER, text),))


async def read(client: LlamaCppClient, text: str) -> list[StreamChunk]:
    async with aclosing(client.stream(ask(text))) as chunks:
        return [chunk async for chunk in chunks]


def quick(server: ModelServer) -> LlamaCppClient:
    return LlamaCppClient(lambda: server.endpoint, first_chunk_s=0.4, idle_s=0.2)


@pytest.mark.parametrize("name", ["normal", "crlf", "cr", "comments", "no-done", "no-usage"])
async def test_every_way_to_write_a_stream_gives_the_same_text(
    client: LlamaCppClient, name: str
) -> None:
    answer = await client.generate(ask(f"!{name}"))
    assert answer.content == HELLO
    assert answer.stop_reason is StopReason.END_TURN
    assert answer.model == "scripted-gguf"
    assert answer.timings.predicted_n == 5


@pytest.mark.parametrize("name", ["unicode", "bytes", "big"])
async def test_text_comes_through_as_it_was_sent(client: LlamaCppClient, name: str) -> None:
    assert (await client.generate(ask(f"!{name}"))).content == NAMED[name].text


async def test_chunks_come_in_order_and_usage_only_at_the_end(client: LlamaCppClient) -> None:
    chunks = await read(client, "!normal")
    progress = [chunk.progress for chunk in chunks if chunk.progress]
    assert [(p.total, p.cached, p.processed) for p in progress] == [(3, 0, 0), (3, 0, 1), (3, 0, 3)]
    assert [chunk.delta for chunk in chunks if chunk.delta] == [
        "Hello ",
        "from ",
        "the ",
        "scripted ",
        "model.",
    ]
    assert [chunk.usage for chunk in chunks if chunk.usage] == [TokenUsage(3, 5, 2)]
    assert chunks[-1].usage
    assert chunks[-2].finish_reason is StopReason.END_TURN


async def test_thinking_is_apart_from_text(client: LlamaCppClient) -> None:
    answer = await client.generate(ask("!thinking"))
    assert answer.thinking == "Let me see. It is a greeting. "
    assert answer.content == HELLO


async def test_thinking_alone_is_no_empty_answer(client: LlamaCppClient) -> None:
    answer = await client.generate(ask("!only-thinking"))
    assert (answer.content, answer.thinking) == ("", "Let me see. ")


async def test_tool_calls_are_put_together_by_index(client: LlamaCppClient) -> None:
    answer = await client.generate(ask("!tools"))
    assert answer.tool_calls == (
        ToolCall("call_1", "read_file", '{"path": "notes.txt", "from": 1}'),
        ToolCall("call_2", "list_dir", '{"path": "."}'),
    )
    assert answer.stop_reason is StopReason.TOOL_USE


async def test_a_call_cut_by_the_limit_says_so(client: LlamaCppClient) -> None:
    answer = await client.generate(ask("!cut-tool"))
    assert answer.stop_reason is StopReason.MAX_TOKENS
    assert answer.tool_calls[0].arguments == '{"pa'


LOOK = ToolSchema("look", "Looks.", {"type": "object"})


async def test_a_prompt_is_rendered_with_its_tools_and_nothing_else_is_sent(
    server: ModelServer, client: LlamaCppClient
) -> None:
    since = time.monotonic()
    messages = (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "hi"))
    prompt = await client.rendered(messages, (LOOK,))
    assert prompt.startswith("<tools> ")
    assert prompt.endswith("<system> Be brief. <end> <user> hi <end>")
    sent = (await server.seen("request", since))["body"]
    assert set(sent) == {"messages", "tools"}
    assert await client.rendered(messages) == "<system> Be brief. <end> <user> hi <end>"


async def test_a_server_that_renders_nothing_refuses() -> None:
    with start_server("--without", "/apply-template") as server:
        client = LlamaCppClient(lambda: server.endpoint)
        with pytest.raises(ProviderRefused):
            await client.rendered((Message(Role.USER, "hi"),))


async def test_the_request_is_what_was_asked(server: ModelServer, client: LlamaCppClient) -> None:
    tools = (ToolSchema("a", "", {"type": "object"}), ToolSchema("b", "", {"type": "object"}))
    request = CompletionRequest(
        (Message(Role.USER, "!normal"),),
        tools=tools,
        tool_choice=ToolRef("b"),
        max_tokens=5,
        temperature=0.5,
        stop=("#",),
    )
    await client.generate(request)
    body = [event["body"] for event in server.log() if event["event"] == "request"][-1]
    assert body["tool_choice"] == "required"
    assert [tool["function"]["name"] for tool in body["tools"]] == ["b"]
    assert (body["max_tokens"], body["temperature"], body["stop"]) == (5, 0.5, ["#"])
    assert body["return_progress"] is True


@pytest.mark.parametrize(
    ("name", "error", "params"),
    [
        ("unauthorized", ProviderRefused, {"status": "401", "detail": "Invalid API Key"}),
        ("not-found", ProviderRefused, {"status": "404", "detail": "File Not Found"}),
        ("busy", ProviderRefused, {"status": "429", "detail": "slow down"}),
        ("html", ProviderRefused, {"status": "200"}),
        ("crash", ProviderError, {"detail": "Failed to parse tools"}),
        ("overflow", ContextOverflow, {"needed": "5001", "limit": "2048"}),
        ("error", ProviderError, {"detail": "decode failed"}),
        ("malformed", StreamBroken, {}),
        ("disconnect", StreamBroken, {}),
        ("no-finish", StreamBroken, {}),
        ("empty", EmptyAnswer, {}),
        ("blank", EmptyAnswer, {}),
    ],
)
async def test_every_fault_is_a_typed_error(
    client: LlamaCppClient, name: str, error: type[ProviderError], params: dict[str, str]
) -> None:
    with pytest.raises(ProviderError) as caught:
        await client.generate(ask(f"!{name}"))
    assert type(caught.value) is error
    assert params.items() <= caught.value.params.items()


@pytest.mark.parametrize("name", ["error", "malformed", "disconnect"])
async def test_what_came_before_a_fault_was_given(client: LlamaCppClient, name: str) -> None:
    text: list[str] = []
    with pytest.raises(ProviderError):
        async with aclosing(client.stream(ask(f"!{name}"))) as chunks:
            async for chunk in chunks:
                text.append(chunk.delta)
    assert "".join(text) == "Hello from the "


@pytest.mark.parametrize("fault", ["stall", "disconnect"])
async def test_what_breaks_after_the_finish_loses_nothing(server: ModelServer, fault: str) -> None:
    answer = await quick(server).generate(ask(f'!{fault} {{"after": 1000}}'))
    assert answer.content == HELLO
    assert answer.stop_reason is StopReason.END_TURN


async def test_loading_is_told_apart_and_passes(client: LlamaCppClient) -> None:
    with pytest.raises(ProviderLoading):
        await client.generate(ask("!loading"))
    assert (await client.generate(ask("!loading"))).content == HELLO


async def test_silence_before_the_first_chunk_ends_the_wait(server: ModelServer) -> None:
    with pytest.raises(StreamBroken) as caught:
        await quick(server).generate(ask("!silent"))
    assert caught.value.params == {"detail": "no answer for 0.4 s"}


async def test_silence_in_the_answer_ends_the_wait(server: ModelServer) -> None:
    started = time.monotonic()
    with pytest.raises(StreamBroken) as caught:
        await quick(server).generate(ask("!stall"))
    assert caught.value.params == {"detail": "nothing came for 0.2 s"}
    assert time.monotonic() - started < 2.0
    await server.seen("disconnect", since=started)


async def test_progress_is_a_sign_of_life(server: ModelServer) -> None:
    """Prefill may last longer than first_chunk_s, as long as it goes on."""
    text = '!prefill {"prefill": 10, "prefill_s": 1.0}'
    assert (await quick(server).generate(ask(text))).content == HELLO


async def test_silence_in_prefill_may_last_longer_than_in_the_answer(server: ModelServer) -> None:
    text = '!prefill {"prefill": 2, "prefill_s": 0.6}'
    assert (await quick(server).generate(ask(text))).content == HELLO


@pytest.mark.parametrize("text", ["!endless", "!stall", "!prefill", "!silent"])
async def test_cancel_reaches_the_server_within_a_second(
    server: ModelServer, client: LlamaCppClient, text: str
) -> None:
    started = time.monotonic()
    reading = asyncio.ensure_future(read(client, text))
    await server.seen("request", since=started)
    cancelled = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert time.monotonic() - cancelled < 0.5
    await server.seen("disconnect", since=cancelled, deadline_s=1.0)


async def test_leaving_the_stream_reaches_the_server_within_a_second(
    server: ModelServer, client: LlamaCppClient
) -> None:
    async with aclosing(client.stream(ask("!endless"))) as chunks:
        while not (await anext(chunks)).delta:
            pass
        leaving = time.monotonic()
    assert time.monotonic() - leaving < 0.5
    await server.seen("disconnect", since=leaving, deadline_s=1.0)


async def test_five_thousand_chunks_cost_less_than_a_millisecond_each(
    client: LlamaCppClient,
) -> None:
    before = time.process_time()
    answer = await client.generate(ask('!fast {"rate": 0}'))
    spent = time.process_time() - before
    assert answer.usage.output_tokens == 5000
    assert spent < 5.0


async def test_the_key_is_needed_and_never_shown(server: ModelServer) -> None:
    wrong = Endpoint(server.endpoint.base_url, server.endpoint.socket, "wr0ng-key")
    with pytest.raises(ProviderRefused) as caught:
        await LlamaCppClient(lambda: wrong).generate(ask("hi"))
    assert caught.value.params["status"] == "401"
    assert "wr0ng-key" not in str(caught.value)


def nowhere(folder: Path) -> dict[str, Endpoint]:
    (folder / "file.sock").write_text("no socket")
    return {
        "no socket": Endpoint("http://localhost", folder / "none.sock"),
        "a file": Endpoint("http://localhost", folder / "file.sock"),
        "no port": Endpoint("http://127.0.0.1:1"),
        "no address": Endpoint("http://localhost:99x"),
        "no scheme": Endpoint("gopher://localhost"),
    }


@pytest.mark.parametrize("place", ["no socket", "a file", "no port", "no address", "no scheme"])
async def test_nobody_there_is_unavailable(tmp_path: Path, place: str) -> None:
    client = LlamaCppClient(lambda: nowhere(tmp_path)[place])
    with pytest.raises(ProviderUnavailable) as caught:
        await client.generate(ask("hi"))
    assert caught.value.params["detail"]
    with pytest.raises(ProviderUnavailable):
        await client.capabilities()


async def test_an_engine_that_does_not_run_says_so() -> None:
    def stopped() -> Endpoint:
        raise EngineStopped

    with pytest.raises(EngineStopped):
        await LlamaCppClient(stopped).generate(ask("hi"))


async def test_props_are_asked_once_per_endpoint(server: ModelServer) -> None:
    asked = [e for e in server.log() if e["path"] == "/props"]
    client = LlamaCppClient(lambda: server.endpoint)
    assert await client.capabilities() == await client.capabilities()
    assert len([e for e in server.log() if e["path"] == "/props"]) == len(asked) + 1


async def test_capabilities_are_the_loaded_models(client: LlamaCppClient) -> None:
    assert await client.capabilities() == ProviderCapabilities(
        supports_tools=True, supports_json=True, max_context_window=4096
    )


async def test_another_endpoint_is_asked_anew(server: ModelServer) -> None:
    places = [server.endpoint]
    client = LlamaCppClient(lambda: places[-1])
    assert (await client.capabilities()).max_context_window == 4096
    with start_server("--n-ctx", "512", "--no-tools") as other:
        places.append(other.endpoint)
        assert (await client.capabilities()).max_context_window == 512
        assert not (await client.capabilities()).supports_tools
        assert (await client.generate(ask("hi"))).content == HELLO


async def test_a_server_without_props_is_another_kind_and_takes_tools() -> None:
    with start_server("--without", "/props") as other:
        client = LlamaCppClient(lambda: other.endpoint)
        expected = ProviderCapabilities(supports_tools=True, supports_json=True)
        assert await client.capabilities() == expected
        assert (await client.generate(ask("hi"))).content == HELLO


async def test_capabilities_do_not_hide_a_refused_key(server: ModelServer) -> None:
    with pytest.raises(ProviderRefused):
        await LlamaCppClient(
            lambda: Endpoint(server.endpoint.base_url, server.endpoint.socket)
        ).capabilities()


async def test_a_prompt_above_the_window_overflows() -> None:
    with start_server("--n-ctx", "10") as small:
        with pytest.raises(ContextOverflow) as caught:
            await LlamaCppClient(lambda: small.endpoint).generate(ask("word " * 20))
        assert caught.value.params == {"needed": "22", "limit": "10"}
