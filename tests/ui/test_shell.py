"""The window and its presenters together: what each action, key and button does."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListView,
    QPlainTextEdit,
    QPushButton,
)

from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus
from rony_desktop.contract.error import Action, DiskFull, EngineDied
from rony_desktop.contract.event import EngineChanged, Notice
from rony_desktop.contract.llm import StopReason
from rony_desktop.ui.manager import ManagerDialog
from rony_desktop.ui.model.picker import ModelPicker
from rony_desktop.ui.shell import Shell
from rony_desktop.ui.theme import ThemeMode
from rony_desktop.ui.window import MainWindow

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
Start = Callable[[], AbstractAsyncContextManager[Any]]
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened outside the window."""
    found: list[str] = []

    def note(url: QUrl) -> bool:
        found.append(url.toLocalFile() or url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", note)
    return found


def answers(program: Any) -> list[str]:
    """Texts of every answer of the shown chat on disk, whatever branch it is on."""
    file = program.app.place.sessions_dir / f"{program.shell.chat.session}.jsonl"
    entries = [json.loads(line) for line in file.read_text("utf-8").splitlines()[1:]]
    made = [e["id"] for e in entries if e["body"].get("role") == "assistant"]
    text = dict.fromkeys(made, "")
    for entry in entries:
        if entry["kind"] == "delta":
            text[entry["parent"]] += entry["body"].get("text", "")
    return [text[id] for id in made]


def rows(program: Any, child: Find) -> list[str]:
    model = child(program.window.chats, QListView, "chat_list").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


async def test_a_question_is_typed_sent_and_answered(start: Start, child: Find) -> None:
    async with start() as program:
        field = child(program.window, QPlainTextEdit, "composer_text")
        QTest.keyClicks(field, "hello")
        QTest.keyClick(field, Qt.Key.Key_Return)
        await program.until(lambda: program.shell.last)
        assert program.window.chat.transcript.plain_text() == "hello\n\nHello to you."
        assert program.window.chat.composer.text() == ""
        await program.until(lambda: rows(program, child) == ["Today", "hello"])
        await program.until(lambda: program.window.windowTitle() == "hello - Rony")
        assert child(program.window, QLabel, "title_label").text() == "hello"
        assert program.failures == []


async def test_what_was_typed_while_the_program_loaded_is_kept(start: Start) -> None:
    async with start() as program:
        program.window.chat.composer.set_text("typed early")
        program.shell.start()
        assert program.window.chat.composer.text() == "typed early"
        program.shell.chat.new()
        assert program.window.chat.composer.text() == ""


async def test_what_is_wrong_with_the_settings_is_shown(
    start: Start, own_home: Path, child: Find
) -> None:
    async with start() as program:
        from rony_desktop.app.factory import create_app

        program.app.place.config_file.write_text("app:\n  max_steps: many\n", "utf-8")
        window = MainWindow(program.window.theme)
        shell = Shell(create_app(), window, program.tasks)
        shell.start()
        assert not window.notice.isHidden()
        sentence = child(window.notice, QLabel, "banner_sentence").text()
        assert "app.max_steps" in sentence
        shell.close()
        await program.until(lambda: not program.tasks._running)
        shiboken6.delete(window)


async def test_retry_answers_the_question_again(start: Start) -> None:
    async with start() as program:
        await program.ask("hello")
        program.window.chat.actionTriggered.emit(Action.RETRY)
        await program.until(lambda: len(answers(program)) == 2)
        await program.until(lambda: not program.tasks._running)
        assert answers(program) == ["Hello to you."] * 2
        assert program.window.chat.transcript.plain_text().count("Hello to you.") >= 1


@pytest.mark.qt_log_ignore("does not support", extend=True)
@pytest.mark.parametrize("way", ["action", "header", "key"])
async def test_models_are_offered_in_a_picker(start: Start, child: Find, way: str) -> None:
    async with start() as program:
        if way == "action":
            program.shell.act(Action.CHOOSE_MODEL)
        elif way == "header":
            QTest.mouseClick(
                child(program.window, QPushButton, "model_button"), Qt.MouseButton.LeftButton
            )
        else:
            QTest.keyClick(program.window, Qt.Key.Key_L, CTRL)
        await program.until(lambda: program.window.findChild(ModelPicker, "model_picker"))
        program.window.findChild(ModelPicker, "model_picker").close()


@pytest.mark.qt_log_ignore("does not support", extend=True)
@pytest.mark.parametrize("page", ["plan", "launch", "speed", "doctor"])
async def test_the_pages_about_the_model_open_from_the_menu(
    start: Start, child: Find, page: str
) -> None:
    async with start() as program:
        child(program.window.header.menu, QAction, f"open_{page}").trigger()
        dialog = program.window.findChild(ManagerDialog, "manager")
        assert isinstance(dialog, ManagerDialog)
        await program.until(dialog.isVisible)
        child(program.window.header.menu, QAction, "open_plan").trigger()
        assert len(program.window.findChildren(ManagerDialog, "manager")) == 1
        dialog.close()
        program.shell.act(Action.OPEN_PLAN)
        again = [d for d in program.window.findChildren(ManagerDialog) if d.isVisible()]
        assert len(again) == 1
        again[0].close()


async def test_choosing_a_model_loads_it(start: Start, child: Find) -> None:
    async with start() as program:
        program.window.model.chosen.emit("nothing")
        await program.until(lambda: program.app.runtime.status().state is EngineState.FAILED)
        assert not program.window.banner.isHidden()
        assert "nothing" in child(program.window.banner, QLabel, "banner_sentence").text()
        program.window.model.chosen.emit(program.model)
        await program.until(lambda: program.app.runtime.status().state is EngineState.READY)
        assert program.window.banner.isHidden()


async def test_files_and_folders_are_opened(start: Start, opened: list[str]) -> None:
    async with start() as program:
        place = program.app.place
        program.shell.act(Action.OPEN_LOG)
        (place.log_dir / "llama.log").touch()
        program.shell.act(Action.OPEN_DATA)
        program.shell.act(Action.OPEN_CONFIG)
        place.config_file.write_text("", "utf-8")
        program.shell.act(Action.OPEN_CONFIG)
        program.window.status.engineClicked.emit()
        log = str(place.log_dir / "llama.log")
        assert opened == [
            *map(str, (place.log_dir, place.data_dir, place.config_dir, place.config_file)),
            log,
        ]


async def test_nothing_to_do_does_nothing(start: Start, opened: list[str]) -> None:
    async with start() as program:
        session = program.shell.chat.session
        program.shell.act(Action.NONE)
        program.shell.act("from.the.future")
        assert (opened, program.shell.chat.session) == ([], session)
        assert not program.tasks._running


async def test_esc_stops_the_answer_and_keeps_it(start: Start, child: Find) -> None:
    async with start() as program:
        program.window.chat.sendRequested.emit("long")
        await program.until(lambda: "word" in program.window.chat.transcript.plain_text())
        assert child(program.window, QPushButton, "stop_button").isVisible()
        QTest.keyClick(program.window, Qt.Key.Key_Escape)
        await program.until(lambda: program.shell.last)
        assert program.shell.last.stop_reason is StopReason.CANCELLED
        assert program.window.chat.transcript.plain_text().startswith("long\n\nword")
        await program.until(child(program.window, QPushButton, "send_button").isVisible)


async def test_the_stop_button_stops(start: Start, child: Find) -> None:
    async with start() as program:
        program.window.chat.sendRequested.emit("long")
        await program.until(lambda: "word" in program.window.chat.transcript.plain_text())
        QTest.mouseClick(
            child(program.window, QPushButton, "stop_button"), Qt.MouseButton.LeftButton
        )
        await program.until(lambda: program.shell.last)
        assert program.shell.last.stop_reason is StopReason.CANCELLED


async def test_ctrl_r_tries_again(start: Start) -> None:
    async with start() as program:
        await program.ask("hello")
        QTest.keyClick(program.window, Qt.Key.Key_R, CTRL)
        await program.until(lambda: len(answers(program)) == 2)
        await program.until(lambda: not program.tasks._running)


async def test_ctrl_q_closes(start: Start) -> None:
    async with start() as program:
        closed: list[bool] = []
        program.window.closed.connect(lambda: closed.append(True))
        QTest.keyClick(program.window, Qt.Key.Key_Q, CTRL)
        assert closed == [True]
        assert not program.window.isVisible()


async def test_an_engine_that_failed_is_loaded_again_by_the_banners_button(
    start: Start, child: Find, tmp_path: Path
) -> None:
    async with start() as program:
        rules = tmp_path / "rules.json"
        kept = rules.read_text("utf-8")
        rules.write_text("broken", "utf-8")
        program.window.model.chosen.emit(program.model)
        await program.until(lambda: not program.window.banner.isHidden())
        rules.write_text(kept, "utf-8")
        died = EngineDied(detail="boom").failure()
        program.app.feed.publish(EngineChanged(EngineStatus(EngineState.FAILED, "m", failure=died)))
        QTest.mouseClick(
            child(program.window.banner, QPushButton, "banner_action"), Qt.MouseButton.LeftButton
        )
        await program.until(lambda: program.app.runtime.status().state is EngineState.READY)
        await program.until(program.window.banner.isHidden)


async def test_a_notice_shows_as_a_banner_and_its_button_leaves_the_model_alone(
    start: Start, child: Find
) -> None:
    async with start() as program:
        program.app.feed.publish(Notice(DiskFull(path="data").failure()))
        assert not program.window.banner.isHidden()
        QTest.mouseClick(
            child(program.window.banner, QPushButton, "banner_action"), Qt.MouseButton.LeftButton
        )
        assert program.window.banner.isHidden()
        assert program.app.runtime.status().state is EngineState.READY


async def test_a_link_is_asked_about_before_it_is_opened(start: Start, opened: list[str]) -> None:
    async with start() as program:
        program.window.chat.linkActivated.emit("https://example.org/a")
        dialog = program.window.findChild(QDialog, "link_dialog")
        assert opened == []
        dialog.findChild(QPushButton, "link_open").click()
        assert opened == ["https://example.org/a"]


async def test_the_look_is_chosen_in_the_menu(start: Start) -> None:
    async with start() as program:
        program.window.header.themeRequested.emit("dark")
        assert program.window.theme.mode is ThemeMode.DARK
        program.window.header.themeRequested.emit("light")
        assert program.window.theme.mode is ThemeMode.LIGHT


@pytest.mark.qt_log_ignore("does not support", extend=True)
async def test_another_start_shows_this_window(start: Start) -> None:
    async with start() as program:
        program.window.hide()
        assert program.shell.answer({"want": "show"}) == {"ok": True}
        assert program.window.isVisible()


async def test_an_engine_of_our_own_is_lent_and_no_other(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start() as program:
        assert list(program.shell.answer({"want": "engine"})) == ["model"]
        lent = ("tiny", Endpoint("http://engine", Path("/run/x.sock"), "key"))
        monkeypatch.setattr(program.app.runtime, "lend", lambda: lent)
        assert program.shell.answer({"want": "engine"}) == {
            "model": "tiny",
            "base_url": "http://engine",
            "socket": "/run/x.sock",
            "key": "key",
        }


async def test_a_refused_question_stays_and_is_sent_again_by_one_button(
    start: Start, child: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start() as program:
        store = program.app.store
        append = store.append

        async def full(*_: object, **__: object) -> None:
            raise DiskFull(path="data")

        monkeypatch.setattr(store, "append", full)
        program.window.chat.composer.set_text("hello")
        program.window.chat.sendRequested.emit("hello")
        await program.until(lambda: not program.window.notice.isHidden())
        await program.until(child(program.window, QPushButton, "send_button").isVisible)
        sentence = child(program.window.notice, QLabel, "banner_sentence").text()
        assert sentence == "The disk that holds data is full."
        assert program.window.chat.composer.text() == "hello"
        monkeypatch.setattr(store, "append", append)
        before = program.shell.last
        QTest.mouseClick(
            child(program.window.notice, QPushButton, "banner_action"), Qt.MouseButton.LeftButton
        )
        await program.until(lambda: program.shell.last is not before)
        assert program.window.notice.isHidden()
        assert program.window.chat.transcript.plain_text() == "hello\n\nHello to you."
        assert program.window.chat.composer.text() == ""


async def test_a_model_that_was_chosen_and_works_is_kept_for_the_next_start(
    start: Start,
) -> None:
    async with start() as program:
        file = program.app.place.config_file
        program.window.model.chosen.emit("nothing")
        await program.until(lambda: program.app.runtime.status().state is EngineState.FAILED)
        await program.until(lambda: not program.tasks._running)
        assert not file.exists()
        program.window.model.chosen.emit(program.model)
        await program.until(file.exists)
        await program.until(lambda: not program.tasks._running)
        assert program.model in file.read_text("utf-8")
        assert program.failures == []
