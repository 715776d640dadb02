"""The program killed around a tool: nothing half done, nothing unanswered, and it is said."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rony_desktop.app.factory import create_app
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import NOT_RUN, NotRun
from rony_desktop.tool.sandbox.root import Root
from tests.e2e.deadline import until
from tests.e2e.home import Home
from tests.e2e.program import run
from tests.e2e.tool import DONE, SOON_S, calling, click, ended, sent, until_asked
from tests.e2e.window import FIRST_CHAT, PICTURES, Window, opened, picture, xdotool
from tests.fixture.model_server import ModelServer, start_server

pytestmark = [pytest.mark.e2e, pytest.mark.x11, pytest.mark.race, pytest.mark.timeout(60)]

BEFORE = "needle\n" + "some words of a long file\n" * 120_000
AFTER = BEFORE.replace("needle", "NEEDLE")
EDIT = calling("edit_file", "call_edit", path="big.txt", old="needle", new="NEEDLE")
AGAIN = calling("edit_file", "call_again", path="small.txt", old="one", new="ONE")
MOMENTS = range(8)
# Seconds from the click until it is allowed, and until the write has ended.
SOONEST_S, LATEST_S = 0.015, 0.055


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "big.txt").write_text(BEFORE)
    (folder / "small.txt").write_text("one\n")
    return folder


@pytest.fixture
def server(home: Home, work: Path) -> Iterator[ModelServer]:
    with start_server("--n-ctx", "100000") as running:
        base_url = f"provider:\n  base_url: {running.endpoint.base_url}\n"
        home.configure(f"{base_url}sandbox:\n  workspace: {work}\n")
        yield running


def kill(window: Window) -> None:
    window.process.kill()
    window.process.wait()


def reopened(chat: str) -> Session:
    """A chat as the next start of the program opens it."""

    async def load() -> Session:
        app = create_app()
        try:
            return await app.chat.open(chat)
        finally:
            await app.store.aclose()

    return asyncio.run(load())


def check_answered(chat: str, call: str) -> str:
    """Every call has one answer, in order; what was said of this one."""
    session = reopened(chat)
    assert session.notices == ()
    assert session.unanswered == ()
    calls = [call.id for entry in session.messages for call in entry.message.tool_calls]
    results = [entry.message for entry in session.messages if entry.message.tool_result]
    assert [result.tool_call_id for result in results] == calls
    assert reopened(chat) == session, "opening it twice changes it"
    return next(result.content for result in results if result.tool_call_id == call)


def check_goes_on(home: Home, server: ModelServer, work: Path, chat: str) -> None:
    """The chat is opened by a click, and its next question works, tools included."""
    server.script(AGAIN, DONE)
    title = home.chat(chat).questions[0]
    with opened(home) as window:
        window.click(FIRST_CHAT)
        until(lambda: title in xdotool("getwindowname", window.id), SOON_S, "the chat is open")
        asked = window.ask("Go on")
        assert asked.id == chat
        click(window, until_asked(window, asked, "call_again"))
        ended(window, asked)
        window.close()
    assert (work / "small.txt").read_text() == "ONE\n"
    roles = [message["role"] for message in sent(server)[-1]["messages"]]
    assert roles.count("tool") == 2


def test_killed_while_the_card_is_open(home: Home, server: ModelServer, work: Path) -> None:
    server.script(EDIT)
    with opened(home) as window:
        chat = window.ask("Change it")
        until_asked(window, chat, "call_edit")
        kill(window)
    assert (work / "big.txt").read_text() == BEFORE
    assert home.chat(chat.id).states("call_edit") == ["asked"]

    with opened(home) as window:
        window.click(FIRST_CHAT)
        until(lambda: "Nothing was run." in window.copied(), SOON_S, "it says so")
        until(lambda: home.chat(chat.id).result("call_edit"), SOON_S, "the call is answered")
        picture(PICTURES / "tool_killed.png", window.id)
        window.close()
    assert "was not run: the program was closed" in check_answered(chat.id, "call_edit")
    check_goes_on(home, server, work, chat.id)
    told = [m["content"] for m in sent(server)[-1]["messages"] if m["role"] == "tool"]
    assert "was not run: the program was closed" in told[0]


def test_killed_while_a_tool_runs(home: Home, server: ModelServer, work: Path) -> None:
    """A search through many gigabytes: one file under many names."""
    (work / "deep").mkdir()
    (work / "deep" / "0.txt").write_text("some words of a long file\n" * 75_000)
    for number in range(1, 3000):
        os.link(work / "deep" / "0.txt", work / "deep" / f"{number}.txt")
    server.script(calling("search_files", "call_search", pattern="no such w+ords?", path="deep"))
    with opened(home) as window:
        chat = window.ask("Search it")
        until(lambda: home.chat(chat.id).states("call_search"), SOON_S, "it runs")
        time.sleep(random.Random(0).uniform(0.2, 0.6))
        assert home.chat(chat.id).states("call_search") == ["started"], "it was over too soon"
        kill(window)
    said = check_answered(chat.id, "call_search")
    assert "was broken off: the program was closed" in said
    session = reopened(chat.id)
    result = next(m.message.tool_result for m in session.messages if m.message.tool_result)
    assert result is not None
    assert result.metadata[NOT_RUN] == NotRun.CLOSED
    check_goes_on(home, server, work, chat.id)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_around_a_write(home: Home, server: ModelServer, work: Path, moment: int) -> None:
    share = (moment + random.Random(moment).random()) / len(MOMENTS)
    moment_s = SOONEST_S + share * (LATEST_S - SOONEST_S)
    server.script(EDIT, DONE)
    with opened(home) as window:
        chat = window.ask("Change it")
        place = until_asked(window, chat, "call_edit").center()
        xdotool("mousemove", "--window", window.id, place.x(), place.y())
        with subprocess.Popen(["xdotool", "click", "1"]):
            time.sleep(moment_s)
            kill(window)
    states, text = home.chat(chat.id).states("call_edit"), (work / "big.txt").read_text()
    litter = sorted(path.name for path in work.iterdir() if path.name.startswith("."))
    changed = {BEFORE: "before", AFTER: "after"}.get(text, "half")
    print(f"killed {moment_s:.3f} s after the click: {states}, {changed}, left: {litter}")
    assert changed != "half"
    assert "started" in states or changed == "before"
    assert "done" not in states or changed == "after"
    with Root(work) as root:
        assert root.list(".") == ["big.txt", "small.txt"]
    said = check_answered(chat.id, "call_edit")
    if home.chat(chat.id).states("call_edit")[-1] == "started":
        assert "It may have been done in part" in said
    server.script(DONE)
    again = run("ask", "--session", chat.id, "Are you there?")
    assert (again.code, again.out) == (0, "All done.\n")
