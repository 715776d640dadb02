"""Questions, permissions and folders in the whole window, over a scripted model server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
)

from rony_desktop.contract.error import Action
from rony_desktop.contract.llm import StopReason
from rony_desktop.ui.approval.card import ApprovalCard
from tests.fixture.model_server import ModelServer, start_server

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
Start = Callable[..., AbstractAsyncContextManager[Any]]
LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier

LINES = [f"line {number}\n" for number in range(1, 21)]
TEXT = "".join(LINES)
NEW = TEXT.replace("line 1\n", "first\n").replace("line 20\n", "last\n")
DONE = {"text": "All done."}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with start_server() as running:
        yield running


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "notes.md").write_text(TEXT)
    return folder


def calling(name: str, id: str = "call_0", **arguments: str) -> dict[str, Any]:
    """A reply that asks for a tool."""
    call = {"id": id, "name": name, "arguments": json.dumps(arguments)}
    return {"text": "", "tool_calls": [call], "finish": "tool_calls"}


def writing(path: str = "notes.md", content: str = NEW, id: str = "call_0") -> dict[str, Any]:
    return calling("write_file", id, path=path, content=content)


def asked(server: ModelServer) -> dict[str, Any]:
    """The newest request for an answer."""
    requests = [e for e in server.log() if e["event"] == "request"]
    found = [e["body"] for e in requests if e["path"] == "/v1/chat/completions"][-1]
    assert isinstance(found, dict)
    return found


def told(server: ModelServer) -> str:
    """The last message the model was sent."""
    return str(asked(server)["messages"][-1]["content"])


class User:
    """Somebody who asks, and answers what is asked."""

    def __init__(self, program: Any, child: Find) -> None:
        self.program = program
        self.card: ApprovalCard = program.shell.desk.view.card
        self._child = child

    async def asks(self, text: str = "Go on") -> None:
        """Send a question; returns when the model asks back."""
        self.program.window.chat.sendRequested.emit(text)
        await self.program.until(self.card.isVisible)

    async def presses(self, name: str, button: Any = None) -> None:
        """Click a button of the card once it takes clicks."""
        button = button or self._child(self.card, QPushButton, name)
        await self.program.until(lambda: button.isEnabled() and self.card._guard.armed)
        QTest.mouseClick(button, LEFT)

    async def ended(self) -> StopReason:
        """The end of the answer."""
        send = self._child(self.program.window, QPushButton, "send_button")
        await self.program.until(lambda: self.program.shell.last and send.isVisible())
        return StopReason(self.program.shell.last.stop_reason)


async def test_the_diff_is_shown_and_allow_writes_it(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    server.script(calling("read_file", path="notes.md"), writing(id="call_1"), DONE)
    async with start(server, work) as program:
        user = User(program, child)
        await user.asks()
        assert child(user.card, QLabel, "approval_title").text() == "Rony wants to change notes.md"
        for number in (0, 1):
            assert child(user.card, QCheckBox, f"hunk_{number}").isChecked()
        assert (work / "notes.md").read_text() == TEXT
        await user.presses("approval_allow")
        assert await user.ended() is StopReason.END_TURN
        assert (work / "notes.md").read_text() == NEW
        assert not user.card.isVisible()
        shown = program.window.chat.transcript.plain_text()
        assert "Read notes.md" in shown
        assert shown.endswith("All done.")
        assert program.failures == []


async def test_a_refused_hunk_is_not_written_and_the_model_is_told(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    server.script(writing(), DONE)
    async with start(server, work) as program:
        user = User(program, child)
        await user.asks()
        await user.presses("", child(user.card, QCheckBox, "hunk_1"))
        await user.presses("approval_allow")
        await user.ended()
        assert (work / "notes.md").read_text() == TEXT.replace("line 1\n", "first\n")
        assert "left out 1 of 2 parts" in told(server)


async def test_a_reason_for_denying_reaches_the_model(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    server.script(writing(), DONE)
    async with start(server, work) as program:
        user = User(program, child)
        await user.asks()
        await user.presses("approval_deny_why")
        field = child(user.card, QLineEdit, "approval_reason")
        QTest.keyClicks(field, "keep the numbers")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert await user.ended() is StopReason.END_TURN
        assert (work / "notes.md").read_text() == TEXT
        assert "keep the numbers" in told(server)
        assert "you refused: keep the numbers" in program.window.chat.transcript.plain_text()


async def test_stop_takes_the_question_away(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    server.script(writing())
    async with start(server, work) as program:
        user = User(program, child)
        await user.asks()
        program.window.chat.composer.setFocus()
        QTest.keyClick(program.window.focusWidget(), Qt.Key.Key_Escape)
        assert await user.ended() is StopReason.CANCELLED
        assert not user.card.isVisible()
        assert (work / "notes.md").read_text() == TEXT
        assert "not run: you stopped" in program.window.chat.transcript.plain_text()


async def test_another_chat_that_waits_is_a_click_away(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    server.script(writing(), DONE)
    async with start(server, work) as program:
        user = User(program, child)
        await user.asks()
        asking = program.shell.chat.session
        program.shell.act(Action.NEW_CHAT)
        assert not user.card.isVisible()
        waiting = child(program.window.status, QPushButton, "status_waiting")
        assert waiting.text() == "1 chat waits for you"
        QTest.mouseClick(waiting, LEFT)
        await program.until(user.card.isVisible)
        assert program.shell.chat.session == asking
        assert not waiting.isVisible()
        await user.presses("approval_allow")
        await user.ended()
        assert (work / "notes.md").read_text() == NEW


@pytest.mark.qt_log_ignore("does not support", extend=True)
@pytest.mark.parametrize("scope", ["session", "always"])
async def test_what_was_allowed_for_longer_is_listed_and_taken_back(
    start: Start, child: Find, server: ModelServer, work: Path, scope: str
) -> None:
    other = writing("other.md", "x\n", id="call_1")
    server.script(writing(), other, DONE, writing("third.md", "x\n", id="call_2"), DONE)
    async with start(server, work) as program:
        user = User(program, child)
        await user.asks()
        await user.presses("approval_longer")
        menu = child(user.card, QMenu, "approval_menu")
        child(menu, QAction, f"approval_{scope}").trigger()
        menu.close()
        await user.ended()
        assert (work / "other.md").read_text() == "x\n"

        program.window.header.folder.permissionsRequested.emit()
        await program.until(lambda: program.window.findChild(QDialog, "grant_dialog"))
        dialog = child(program.window, QDialog, "grant_dialog")
        await program.until(dialog.isVisible)
        rows = child(dialog, QFrame, "grant_area")
        texts = " ".join(label.text() for label in rows.findChildren(QLabel))
        assert "*.md" in texts
        (revoke,) = rows.findChildren(QPushButton)
        QTest.mouseClick(revoke, LEFT)
        await program.until(child(dialog, QLabel, "grant_empty").isVisible)
        dialog.close()

        await user.asks("Once more")
        await user.presses("approval_deny")
        await user.ended()
        assert not (work / "third.md").exists()


@pytest.mark.qt_log_ignore("does not support", extend=True)
async def test_a_folder_is_chosen_by_the_menu_and_kept_with_the_chat(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    server.script(DONE, DONE)
    async with start(server) as program:
        button = child(program.window, QPushButton, "folder_button")
        assert button.text() == "No folder"
        await program.ask("Without a folder")
        assert "tools" not in asked(server)

        QTest.keyClick(program.window, Qt.Key.Key_O, CTRL)
        await program.until(lambda: program.window.findChild(QMenu, "folder_menu"))
        menu = child(program.window, QMenu, "folder_menu")
        child(menu, QAction, "folder_choose").trigger()
        menu.close()
        dialog = child(program.window, QFileDialog, "folder_dialog")
        dialog.selectFile(str(work))
        dialog.accept()
        await program.until(lambda: button.text() == "work")
        asking = program.shell.chat.session
        await program.ask("With a folder")
        names = {tool["function"]["name"] for tool in asked(server)["tools"]}
        assert {"read_file", "write_file", "search_files"} <= names

        program.shell.act(Action.NEW_CHAT)
        await program.until(lambda: button.text() == "No folder")
        program.window.chats.chatSelected.emit(asking)
        await program.until(lambda: button.text() == "work")
        QTest.mouseClick(button, LEFT)
        await program.until(lambda: program.window.findChild(QMenu, "folder_menu"))
        menu = child(program.window, QMenu, "folder_menu")
        assert [a.isChecked() for a in menu.actions() if a.text().endswith("/work")] == [True]
        child(menu, QAction, "folder_none").trigger()
        menu.close()
        await program.until(lambda: button.text() == "No folder")
        assert program.failures == []


async def test_a_folder_that_is_gone_is_told_and_not_chosen(
    start: Start, child: Find, work: Path
) -> None:
    async with start() as program:
        program.window.header.folder.chosen.emit(str(work / "nowhere"))
        await program.until(lambda: program.failures)
        assert program.failures[0].code == "tool.workspace"
        assert child(program.window, QPushButton, "folder_button").text() == "No folder"


async def test_files_of_a_folder_are_trusted_once_and_ask_again_when_they_change(
    start: Start, child: Find, server: ModelServer, work: Path
) -> None:
    def system() -> str:
        return str(asked(server)["messages"][0]["content"])

    (work / "AGENTS.md").write_text("Answer like a pirate.\n")
    server.script(DONE, DONE, DONE)
    async with start(server, work) as program:

        async def sheet() -> QDialog:
            await program.until(lambda: program.window.findChild(QDialog, "trust_sheet"))
            return program.window.findChild(QDialog, "trust_sheet")

        async def answer(name: str) -> None:
            shown = await sheet()
            await program.until(lambda: shown._guard.armed)
            QTest.mouseClick(child(shown, QPushButton, name), LEFT)
            await program.until(lambda: not program.window.findChild(QDialog, "trust_sheet"))

        await answer("trust_use")
        await program.ask("One")
        assert "like a pirate" in system()
        (work / "AGENTS.md").write_text("Answer like a spy.\n")
        await program.ask("Two")
        assert "like a" not in system()
        await answer("trust_later")
        await program.ask("Three")
        assert "like a" not in system()
        assert program.window.findChild(QDialog, "trust_sheet") is None
