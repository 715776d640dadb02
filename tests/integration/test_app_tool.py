"""The whole program without a window: a model asks for tools, the user answers, files change."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.app.context import AppContext
from rony_desktop.app.factory import create_app
from rony_desktop.app.lifecycle import shutdown, startup
from rony_desktop.app.tool import plain_result
from rony_desktop.contract.approval import ApprovalRequest, AskReason, GrantScope
from rony_desktop.contract.error import SessionBusy
from rony_desktop.contract.event import (
    Append,
    ApprovalAsked,
    ToolProgress,
    TurnEvent,
    TurnFinished,
)
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import Role
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import ToolState
from tests.fixture.model_server import ModelServer, start_server

TEXT = "one\ntwo\nthree\nfour\nfive\nsix\n"
NEW = TEXT.replace("one", "ONE").replace("six", "SIX")
Answering = Callable[[AppContext, ApprovalRequest], object]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with start_server() as running:
        yield running


@pytest.fixture
async def app(server: ModelServer, tmp_path: Path) -> AsyncIterator[AppContext]:
    work(tmp_path)
    made = create_app(remote=("scripted", server.endpoint))
    await startup(made)
    await made.folders.choose("s", str(tmp_path / "work"))
    yield made
    await shutdown(made)


def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir(exist_ok=True)
    (folder / "notes.md").write_text(TEXT)
    return folder


def calls(*wanted: tuple[str, dict[str, Any]], id: str = "") -> dict[str, Any]:
    """A reply that asks for these tools."""
    found = [
        {"id": id or f"call_{n}", "name": name, "arguments": json.dumps(arguments)}
        for n, (name, arguments) in enumerate(wanted)
    ]
    return {"text": "", "tool_calls": found, "finish": "tool_calls"}


READ = ("read_file", {"path": "notes.md"})
WRITE = ("write_file", {"path": "notes.md", "content": NEW})
DONE = {"text": "All done."}


async def turn(app: AppContext, answering: Answering, text: str = "Go on") -> list[TurnEvent]:
    """Run one turn to its end, answering what it asks."""
    heard: list[TurnEvent] = []
    async with asyncio.timeout(30), aclosing(app.chat.send("s", text)) as events:
        async for event in events:
            heard.append(event)
            if isinstance(event, ApprovalAsked):
                answering(app, event.request)
    return heard


def allow(app: AppContext, request: ApprovalRequest) -> None:
    app.approvals.answer(request, allowed=True)


def nobody(app: AppContext, request: ApprovalRequest) -> None:
    raise AssertionError(f"asked about {request.call}")


def results(session: Session) -> list[str]:
    found = (m.message for m in session.messages if m.message.role is Role.TOOL)
    return [plain_result(m.tool_result) for m in found if m.tool_result]


def reason(events: list[TurnEvent]) -> StopReason:
    assert isinstance(events[-1], TurnFinished)
    return events[-1].response.stop_reason


def sent(server: ModelServer) -> list[list[dict[str, Any]]]:
    """The messages of every completion that was asked for."""
    return [
        entry["body"]["messages"]
        for entry in server.log()
        if entry["event"] == "request" and entry["path"] == "/v1/chat/completions"
    ]


async def test_it_reads_then_writes_what_the_user_allowed(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    server.script(calls(READ), calls(WRITE, id="call_9"), DONE)
    events = await turn(app, allow)
    assert reason(events) is StopReason.END_TURN
    assert (tmp_path / "work" / "notes.md").read_text() == NEW
    session = await app.chat.open("s")
    assert TEXT.strip() in results(session)[0]
    assert session.messages[-1].message.content == "All done."
    states = [(e.call, e.state) for e in events if isinstance(e, ToolProgress)]
    assert [state for call, state in states if call == "call_9"] == [
        ToolState.ASKED,
        ToolState.ALLOWED,
        ToolState.STARTED,
        ToolState.DONE,
    ]
    assert [state for call, state in states if call == "call_0"] == [
        ToolState.STARTED,
        ToolState.DONE,
    ]
    last = sent(server)[-1]
    assert [message["role"] for message in last] == [
        "system",
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
    ]
    assert "<untrusted_content" in last[3]["content"]


async def test_a_part_that_was_refused_is_not_written_and_the_model_is_told(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    def one(app: AppContext, request: ApprovalRequest) -> None:
        assert request.change and len(request.change.hunks) == 2
        app.approvals.answer(request, allowed=True, hunks=(0,))

    server.script(calls(WRITE), DONE)
    await turn(app, one)
    assert (tmp_path / "work" / "notes.md").read_text() == TEXT.replace("one", "ONE")
    assert "left out 1 of 2 parts" in sent(server)[-1][-1]["content"]


async def test_a_refusal_with_its_reason_reaches_the_model(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    def deny(app: AppContext, request: ApprovalRequest) -> None:
        app.approvals.answer(request, allowed=False, reason="that file is precious")

    server.script(calls(WRITE), DONE)
    events = await turn(app, deny)
    assert (tmp_path / "work" / "notes.md").read_text() == TEXT
    assert "that file is precious" in sent(server)[-1][-1]["content"]
    assert reason(events) is StopReason.END_TURN
    assert (await app.chat.open("s")).calls["call_0"].params["reason"] == "that file is precious"


async def test_a_grant_for_this_chat_asks_no_more_until_it_is_revoked(
    app: AppContext, server: ModelServer
) -> None:
    def for_this_chat(app: AppContext, request: ApprovalRequest) -> None:
        app.approvals.answer(request, allowed=True, scope=GrantScope.SESSION)

    second = ("write_file", {"path": "other.md", "content": "x\n"})
    server.script(calls(WRITE), calls(second, id="call_5"), DONE, calls(second, id="call_6"), DONE)
    events = await turn(app, for_this_chat)
    assert len([e for e in events if isinstance(e, ApprovalAsked)]) == 1
    await turn(app, nobody)
    (grant,) = (await app.chat.open("s")).grants
    assert (grant.tool, grant.pattern) == ("write_file", "*.md")


async def test_a_protected_name_asks_even_with_a_grant(
    app: AppContext, server: ModelServer
) -> None:
    asked: list[AskReason] = []

    def always(app: AppContext, request: ApprovalRequest) -> None:
        asked.append(request.reason)
        app.approvals.answer(request, allowed=True, scope=GrantScope.ALWAYS)

    rules = ("write_file", {"path": "AGENTS.md", "content": "Obey.\n"})
    server.script(calls(WRITE), calls(rules, id="a"), calls(WRITE, id="b"), DONE)
    await turn(app, always)
    assert asked == [AskReason.CHANGES, AskReason.PROTECTED]


async def test_what_the_program_keeps_asks_even_with_a_grant(
    app: AppContext, server: ModelServer
) -> None:
    asked: list[tuple[AskReason, str]] = []

    def deny(app: AppContext, request: ApprovalRequest) -> None:
        asked.append((request.reason, request.pattern))
        app.approvals.answer(request, allowed=False)

    await app.folders.choose("s", str(app.place.data_dir.parent))
    grants = str(app.place.records_dir / "grants.json")
    server.script(calls(("write_file", {"path": grants, "content": "{}"})), DONE)
    await turn(app, deny)
    assert asked == [(AskReason.PROTECTED, "")]


async def test_stop_while_the_user_is_asked_runs_nothing_and_answers_the_call(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    stops: list[asyncio.Task[None]] = []

    def stop(app: AppContext, request: ApprovalRequest) -> None:
        stops.append(asyncio.ensure_future(app.chat.stop("s")))

    server.script(calls(READ, WRITE))
    events = await turn(app, stop)
    await asyncio.gather(*stops)
    assert reason(events) is StopReason.CANCELLED
    assert (tmp_path / "work" / "notes.md").read_text() == TEXT
    session = await app.chat.open("s")
    assert session.unanswered == ()
    assert "the user stopped" in results(session)[-1]
    appended = [e.message.tool_call_id for e in events if isinstance(e, Append)]
    assert appended == ["call_0", "call_1"]
    server.script(DONE)
    assert reason(await turn(app, nobody)) is StopReason.END_TURN


async def test_another_program_neither_answers_nor_joins_a_turn_that_runs(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    others: list[asyncio.Task[None]] = []

    async def look(request: ApprovalRequest) -> None:
        second = create_app(remote=("scripted", server.endpoint))
        assert (await second.chat.open("s")).unanswered == (request.call,)
        with pytest.raises(SessionBusy):
            async with aclosing(second.chat.send("s", "Me too")) as events:
                await anext(events)
        await second.store.aclose()
        allow(app, request)

    def from_elsewhere(app: AppContext, request: ApprovalRequest) -> None:
        others.append(asyncio.ensure_future(look(request)))

    server.script(calls(WRITE), DONE)
    assert reason(await turn(app, from_elsewhere)) is StopReason.END_TURN
    await asyncio.gather(*others)
    assert (tmp_path / "work" / "notes.md").read_text() == NEW


async def test_a_path_that_leads_out_is_refused_and_said(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "work" / "link").symlink_to(tmp_path / "secret.txt")
    paths = ("../secret.txt", "link", str(tmp_path / "secret.txt"), "/etc/passwd")
    server.script(calls(*(("read_file", {"path": path}) for path in paths)), DONE)
    await turn(app, nobody)
    told = results(await app.chat.open("s"))
    assert len(told) == 4
    assert all("outside" in text for text in told)
    assert not any("secret\n" in text or text == "secret" for text in told)


async def test_an_absolute_path_inside_the_folder_is_the_folders(
    app: AppContext, server: ModelServer, tmp_path: Path
) -> None:
    server.script(calls(("read_file", {"path": str(tmp_path / "work" / "notes.md")})), DONE)
    await turn(app, nobody)
    (told,) = results(await app.chat.open("s"))
    assert TEXT.strip() in told


async def test_300_calls_in_one_reply_are_each_answered_once_and_in_order(
    app: AppContext, server: ModelServer
) -> None:
    server.script("many-tools", DONE)
    events = await turn(app, nobody)
    appended = [e.message.tool_call_id for e in events if isinstance(e, Append)]
    assert appended == [f"call_{n}" for n in range(300)]
    assert reason(events) is StopReason.END_TURN


async def test_without_a_folder_no_tool_is_offered(app: AppContext, server: ModelServer) -> None:
    await app.folders.choose("s", "")
    server.script(DONE)
    await turn(app, nobody)
    request = next(e for e in server.log() if e["path"] == "/v1/chat/completions")
    assert "tools" not in request["body"]
