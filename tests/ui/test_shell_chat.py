"""The list of chats and the conversation beside it: opened, renamed, deleted, found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QPlainTextEdit, QPushButton

from rony_desktop.contract.error import Action

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
Start = Callable[[], AbstractAsyncContextManager[Any]]
CTRL = Qt.KeyboardModifier.ControlModifier


def rows(program: Any, child: Find) -> list[str]:
    model = child(program.window.chats, QListView, "chat_list").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


@pytest.mark.parametrize("way", ["action", "key", "button"])
async def test_a_new_chat_is_empty_and_ready_to_be_written(
    start: Start, child: Find, way: str
) -> None:
    async with start() as program:
        await program.ask("hello")
        before = program.shell.chat.session
        if way == "action":
            program.shell.act(Action.NEW_CHAT)
        elif way == "key":
            QTest.keyClick(program.window, Qt.Key.Key_N, CTRL)
        else:
            QTest.mouseClick(
                child(program.window, QPushButton, "new_chat"), Qt.MouseButton.LeftButton
            )
        assert program.shell.chat.session != before
        assert program.window.chat.transcript.plain_text() == ""
        assert program.window.windowTitle() == "Rony"
        if way != "action":
            assert program.window.focusWidget() is child(
                program.window, QPlainTextEdit, "composer_text"
            )


async def test_a_chat_is_opened_by_a_click_while_another_answers(start: Start, child: Find) -> None:
    async with start() as program:
        await program.ask("hello")
        first = program.shell.chat.session
        program.shell.act(Action.NEW_CHAT)
        program.window.chat.sendRequested.emit("long")
        await program.until(lambda: "word" in program.window.chat.transcript.plain_text())
        program.window.chats.chatSelected.emit(first)
        await program.until(lambda: program.shell.chat.session == first)
        assert program.window.chat.transcript.plain_text() == "hello\n\nHello to you."
        view = child(program.window.chats, QListView, "chat_list")
        await program.until(lambda: view.currentIndex().data() == "hello")


async def test_a_chat_is_renamed_in_the_list_and_in_the_header(start: Start, child: Find) -> None:
    async with start() as program:
        await program.ask("hello")
        session = program.shell.chat.session
        program.window.chats.renameRequested.emit(session, "By the list")
        await program.until(lambda: rows(program, child) == ["Today", "By the list"])
        assert program.window.windowTitle() == "By the list - Rony"
        QTest.keyClick(program.window, Qt.Key.Key_F2)
        field = child(program.window, QLineEdit, "title_field")
        assert field.text() == "By the list"
        field.setText("By the header")
        QTest.keyClick(field, Qt.Key.Key_Return)
        await program.until(lambda: rows(program, child) == ["Today", "By the header"])
        assert program.failures == []


async def test_a_deleted_chat_comes_back_by_undo(start: Start, child: Find) -> None:
    async with start() as program:
        await program.ask("hello")
        session = program.shell.chat.session
        child(program.window.chats, QListView, "chat_list").setFocus()
        program.window.chats.deleteRequested.emit(session)
        assert program.shell.chat.session != session
        assert child(program.window, QPlainTextEdit, "composer_text").hasFocus()
        await program.until(lambda: not program.window.notice.isHidden())
        sentence = child(program.window.notice, QLabel, "banner_sentence").text()
        assert sentence == "“hello” was moved to the bin."
        await program.until(lambda: rows(program, child) == [])
        undo = child(program.window.notice, QPushButton, "banner_action")
        assert undo.text() == "Undo"
        QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
        await program.until(lambda: rows(program, child) == ["Today", "hello"])
        assert program.window.notice.isHidden()


async def test_search_narrows_the_list(start: Start, child: Find) -> None:
    async with start() as program:
        await program.ask("hello")
        program.shell.act(Action.NEW_CHAT)
        await program.ask("again")
        await program.until(lambda: rows(program, child) == ["Today", "again", "hello"])
        child(program.window, QLineEdit, "chat_search").setText("hello")
        await program.until(lambda: rows(program, child) == ["Today", "hello"])
