"""A scripted server is examined as a real one is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rony_desktop.app.examiner import REPLY, STEPS, THOUGHT, Examiner
from rony_desktop.contract.check import ModelCheck, Part, Shape, ToolMode, ToolScore
from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import ModelTemplate, StreamBroken
from rony_desktop.provider.llamacpp import LlamaCppClient
from tests.fixture.model_server import ModelServer, start_server

CALLS = {
    "get_weather": {"city": "Lisbon"},
    "get_time": {"city": "Tokyo"},
    "set_timer": {"minutes": 25},
    "set_light": {"room": "bedroom", "on": False},
    "send_message": {"to": ["Ann", "Bob"], "text": "I am late"},
}
NEXT = ("get_weather", {"city": "Oslo"})


@pytest.fixture(scope="module")
def able() -> Iterator[ModelServer]:
    with start_server() as server:
        yield server


@pytest.fixture(scope="module")
def plain() -> Iterator[ModelServer]:
    with start_server("--no-tools") as server:
        yield server


def native(name: str, arguments: object) -> dict[str, Any]:
    call = {"id": "c1", "name": name, "arguments": json.dumps(arguments)}
    return {"text": "", "tool_calls": [call], "finish": "tool_calls"}


def enveloped(name: str, arguments: object) -> dict[str, Any]:
    return {"text": json.dumps({"tool": name, "args": arguments})}


def good(call: Any, answer: Any) -> list[dict[str, Any]]:
    """What a good model says in one form."""
    return [*(call(*each) for each in CALLS.items()), answer("Bye!"), answer("17."), call(*NEXT)]


def text(words: str) -> dict[str, Any]:
    return {"text": words}


def final(words: str) -> dict[str, Any]:
    return {"text": json.dumps({"final": words})}


async def examined(
    server: ModelServer, replies: Sequence[Any], steps: list[tuple[int, int]] | None = None
) -> ModelCheck:
    server.script(*replies)
    heard: list[tuple[int, int]] = [] if steps is None else steps
    client = LlamaCppClient(lambda: server.endpoint, first_chunk_s=5, idle_s=0.5)
    examiner = Examiner(client, "tiny.gguf", lambda *step: heard.append(step))
    return await examiner.examined("engine b1")


async def test_a_model_that_calls_well_is_native_and_the_envelope_is_not_tried(
    able: ModelServer,
) -> None:
    check = await examined(able, good(native, text))
    assert (check.build, check.mode) == ("engine b1", ToolMode.NATIVE)
    assert (check.native, check.envelope) == (ToolScore(8, 8, 8), None)
    assert check.failure is None


async def test_what_a_template_leaves_out_is_named(plain: ModelServer) -> None:
    check = await examined(plain, good(enveloped, final))
    found = {each.shape: each.dropped for each in check.shapes}
    assert found == {
        Shape.SYSTEM: (),
        Shape.TURNS: (),
        Shape.TOOLS: (),
        Shape.RESULT: (Part.CALL,),  # the scripted server's prompt has none
    }


async def test_a_model_without_native_tools_is_tried_in_the_envelope_alone(
    plain: ModelServer,
) -> None:
    steps: list[tuple[int, int]] = []
    check = await examined(plain, good(enveloped, final), steps)
    assert check.mode is ToolMode.ENVELOPE
    assert (check.native, check.envelope) == (None, ToolScore(8, 8, 8))
    done = [step for step, _ in steps]
    assert done == sorted(done)
    assert {whole for _, whole in steps} == {STEPS}
    assert (done[0], done[-1]) == (0, STEPS)


async def test_a_model_that_only_talks_natively_falls_to_the_envelope(able: ModelServer) -> None:
    check = await examined(able, [*[text("Let me see.")] * 8, *good(enveloped, final)])
    assert check.mode is ToolMode.ENVELOPE
    assert (check.native, check.envelope) == (ToolScore(1, 8, 8), ToolScore(8, 8, 8))


async def test_a_model_that_writes_nothing_of_use_gets_no_tools(able: ModelServer) -> None:
    refusal = {"status": 500, "body": {"error": {"message": "Failed to parse", "code": 500}}}
    replies = [refusal, text(""), *[text("Sure!")] * 6, *[text("no JSON")] * 8]
    check = await examined(able, replies)
    assert check.mode is ToolMode.NONE
    assert (check.native, check.envelope) == (ToolScore(1, 6, 8), ToolScore(0, 0, 8))


async def test_requests_are_short_exact_and_without_thinking(able: ModelServer) -> None:
    before = len(able.log())
    await examined(able, [*[text("Hm.")] * 8, *good(enveloped, final)])
    bodies = [
        entry["body"]
        for entry in able.log()[before:]
        if entry["event"] == "request" and entry["path"] == "/v1/chat/completions"
    ]
    assert len(bodies) == 16
    assert {body["max_tokens"] for body in bodies} == {REPLY}
    assert {body["temperature"] for body in bodies} == {0}
    assert all(not body["chat_template_kwargs"]["enable_thinking"] for body in bodies)
    heads = {json.dumps([body["messages"][0], body.get("tools")]) for body in bodies}
    assert len(heads) == 2  # read once in each form


async def test_a_model_that_thinks_all_the_same_gets_the_room_to(able: ModelServer) -> None:
    before = len(able.log())
    thought = {"text": "", "thinking": "Well, ", "finish": "length"}
    check = await examined(able, [thought, *good(native, text)])
    assert check.native == ToolScore(8, 8, 8)
    limits = [
        entry["body"]["max_tokens"]
        for entry in able.log()[before:]
        if entry["event"] == "request" and entry["path"] == "/v1/chat/completions"
    ]
    assert limits == [REPLY, *[THOUGHT] * 8]


async def test_a_shape_that_is_refused_is_told_in_the_servers_words() -> None:
    with start_server("--no-tools", "--without", "/apply-template") as server:
        check = await examined(server, good(enveloped, final))
    assert {each.words for each in check.shapes} == {"File Not Found"}
    assert check.mode is ToolMode.ENVELOPE


async def test_a_template_that_takes_the_server_down_is_the_cause() -> None:
    with start_server() as server:
        endpoint = server.endpoint
    client = LlamaCppClient(lambda: Endpoint(endpoint.base_url))
    with pytest.raises(ModelTemplate) as caught:
        await Examiner(client, "tiny.gguf", lambda *_: None).examined("b")
    assert caught.value.params["path"] == "tiny.gguf"
    assert caught.value.params["detail"]


async def test_a_stream_that_breaks_is_no_judgement_of_the_model(able: ModelServer) -> None:
    with pytest.raises(StreamBroken):
        await examined(able, [native("get_weather", {"city": "Lisbon"}), "disconnect"])
    able.script()
