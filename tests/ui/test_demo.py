"""The window without a user: one question printed, one line about a start."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QImage

from rony_desktop import __version__
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import FolderUnwritable
from rony_desktop.ui.chat.presenter import ChatPresenter
from rony_desktop.ui.demo import Echo, demo, smoke

pytestmark = pytest.mark.ui
Start = Callable[[], AbstractAsyncContextManager[Any]]
Captured = pytest.CaptureFixture[str]


def options(question: str, picture: str | None = None) -> argparse.Namespace:
    return argparse.Namespace(demo=question, picture=picture)


def echoing(program: Any) -> Any:
    """Let the program print what it shows, as --demo does."""
    shell = program.shell
    shell.chat = ChatPresenter(
        program.app.chat, Echo(program.window.chat), lambda _: None, shell._finished
    )
    return shell


async def test_a_question_is_asked_printed_and_pictured(
    start: Start, capsys: Captured, tmp_path: Path
) -> None:
    picture = tmp_path / "made" / "window.png"
    async with start() as program:
        code = await demo(
            program.app, program.window, echoing(program), options("hello", str(picture))
        )
    assert code == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[:2] == ["> hello", "Hello to you."]
    assert "tok/s, 3 tokens, end_turn]" in lines[-1]
    assert str(picture) in said.err
    image = QImage(str(picture))
    assert image.width() > 700
    colours = {
        image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)
    }
    assert len(colours) > 3


async def test_the_answer_is_shown_as_well(start: Start, capsys: Captured) -> None:
    async with start() as program:
        await demo(program.app, program.window, echoing(program), options("hello"))
        assert program.window.chat.transcript.plain_text() == "hello\n\nHello to you."


async def test_a_failed_answer_is_exit_code_1(start: Start, capsys: Captured) -> None:
    async with start() as program:
        code = await demo(program.app, program.window, echoing(program), options("nothing known"))
    assert code == 1
    assert "rony-desktop: The model server refused the request" in capsys.readouterr().err


async def test_a_start_is_reported_as_one_line_of_json(start: Start, capsys: Captured) -> None:
    async with start() as program:
        assert await smoke(program.app, time.time(), []) == 0
        model = program.app.runtime.status().model
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert set(found) == {"version", "platform", "window_ms", "rss_mb", "engine", "model", "error"}
    assert (found["version"], found["engine"]) == (__version__, "ready")
    assert (found["model"], found["error"]) == (model, "")
    assert found["rss_mb"] > 10
    assert found["window_ms"] > 0


async def test_a_start_that_went_wrong_says_why(start: Start, capsys: Captured) -> None:
    async with start() as program:
        failure = FolderUnwritable(path="data", detail="read-only").failure()
        assert await smoke(program.app, time.time(), [failure]) == 1
        assert json.loads(capsys.readouterr().out)["error"] == str(failure)
        await program.app.runtime.use("nothing")
        assert await smoke(program.app, time.time(), []) == 1
        assert program.app.runtime.status().state is EngineState.FAILED
    found = json.loads(capsys.readouterr().out)
    assert found["engine"] == "failed"
    assert "nothing" in found["error"]
