"""The list of chats: what is asked for by click, key and menu."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.row import ChatRow
from rony_desktop.ui.sidebar import ChatList
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
LONG = (
    "<b>A very long title</b> that goes on and on about bridges, arches and domes in all of Spain"
)
ROWS = (
    ChatRow("1", "First", "Today"),
    ChatRow("2", LONG, "Today"),
    ChatRow("3", "Third", "Older"),
)


@pytest.fixture
def chats(theme: Theme, qtbot: QtBot) -> ChatList:
    chats = ChatList(theme)
    qtbot.addWidget(chats)
    chats.resize(260, 600)
    chats.set_rows(ROWS)
    chats.show()
    return chats


def test_a_click_chooses_a_chat(chats: ChatList, qtbot: QtBot, child: Find) -> None:
    view = child(chats, QListView, "chat_list")
    place = view.visualRect(view.model().index(1, 0)).center()
    with qtbot.waitSignal(chats.chatSelected) as caught:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert caught.args == ["1"]


def test_keys_choose_and_delete(chats: ChatList, qtbot: QtBot, child: Find) -> None:
    view = child(chats, QListView, "chat_list")
    chats.set_current("1")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(chats.chatSelected) as chosen:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    with qtbot.waitSignal(chats.deleteRequested) as deleted:
        qtbot.keyClick(view, Qt.Key.Key_Delete)
    assert chosen.args == deleted.args == ["2"]


def test_set_current_tells_nobody_and_survives_new_rows(
    chats: ChatList, qtbot: QtBot, child: Find
) -> None:
    view = child(chats, QListView, "chat_list")
    with qtbot.assertNotEmitted(chats.chatSelected):
        chats.set_current("3")
        chats.set_rows((ChatRow("0", "New", "Today"), *ROWS))
    assert view.currentIndex().data() == "Third"


def test_rename_asks_and_leaves_the_row(chats: ChatList, qtbot: QtBot, child: Find) -> None:
    view = child(chats, QListView, "chat_list")
    index = view.model().index(1, 0)
    view.edit(index)
    field = child(view, QLineEdit, "rename_field")
    field.setText("  Better  ")
    with qtbot.waitSignal(chats.renameRequested) as caught:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert caught.args == ["1", "Better"]
    assert index.data() == "First"


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_context_menu_deletes(chats: ChatList, qtbot: QtBot, child: Find) -> None:
    view = child(chats, QListView, "chat_list")
    view.customContextMenuRequested.emit(view.visualRect(view.model().index(1, 0)).center())
    menu = child(chats, QMenu, "chat_menu")
    with qtbot.waitSignal(chats.deleteRequested) as caught:
        menu.actions()[1].trigger()
    menu.close()
    assert caught.args == ["1"]


def test_search_and_new(chats: ChatList, qtbot: QtBot, child: Find) -> None:
    field = child(chats, QLineEdit, "chat_search")
    with qtbot.waitSignal(chats.searchChanged) as caught:
        qtbot.keyClick(field, "x")
    assert caught.args == ["x"]
    with qtbot.waitSignal(chats.newRequested):
        qtbot.mouseClick(child(chats, QPushButton, "new_chat"), Qt.MouseButton.LeftButton)


def test_a_search_without_a_hit_says_so_and_is_cleared(
    chats: ChatList, qtbot: QtBot, child: Find
) -> None:
    field = child(chats, QLineEdit, "chat_search")
    clear = child(chats, QPushButton, "clear_search")
    assert not clear.isVisible()
    qtbot.keyClicks(field, "zebra")
    chats.set_rows(())
    labels = [label.text() for label in chats.findChildren(QLabel) if label.isVisible()]
    assert "No chat has these words." in labels
    with qtbot.waitSignal(chats.searchChanged) as caught:
        qtbot.mouseClick(clear, Qt.MouseButton.LeftButton)
    assert caught.args == [""]
    chats.set_rows(ROWS)
    assert not clear.isVisible()


def test_esc_clears_the_search(chats: ChatList, qtbot: QtBot, child: Find) -> None:
    field = child(chats, QLineEdit, "chat_search")
    qtbot.keyClicks(field, "zebra")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""


def test_the_focus_goes_to_what_shows_it(chats: ChatList, child: Find) -> None:
    view = child(chats, QListView, "chat_list")
    assert chats.focusProxy() is view
    chats.set_rows(())
    assert chats.focusProxy() is child(chats, QPushButton, "new_chat")
    assert view.focusPolicy() is Qt.FocusPolicy.NoFocus
