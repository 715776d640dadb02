"""The window itself: keys, room for the conversation, names for screen readers, its place kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import EngineDied
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.session import MessageStatus, Session, SessionMessage
from rony_desktop.ui.error import words
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.window import NARROW, SMALLEST, MainWindow

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def window(theme: Theme, qtbot: QtBot) -> Iterator[MainWindow]:
    window = MainWindow(theme)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()
    shiboken6.delete(window)


def test_the_first_paint_is_told_once(theme: Theme, qtbot: QtBot) -> None:
    window = MainWindow(theme)
    painted: list[bool] = []
    window.painted.connect(lambda: painted.append(True))
    with qtbot.waitSignal(window.painted):
        window.show()
    window.repaint()
    window.repaint()
    assert painted == [True]
    window.close()
    shiboken6.delete(window)


def test_the_cursor_begins_in_the_composer(window: MainWindow, child: Find) -> None:
    assert window.focusWidget() is child(window, QPlainTextEdit, "composer_text")


def test_a_title_is_in_header_and_frame(window: MainWindow, child: Find) -> None:
    label = child(window, QLabel, "title_label")
    window.show_title("On bridges")
    assert (label.text(), window.windowTitle()) == ("On bridges", "On bridges - Rony")
    window.show_title("")
    assert (label.text(), window.windowTitle()) == ("New chat", "Rony")


def test_ctrl_b_hides_and_shows_the_list(window: MainWindow, qtbot: QtBot) -> None:
    assert window.chats.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    assert not window.chats.isVisible()
    window.resize(1300, 800)
    assert not window.chats.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    assert window.chats.isVisible()


def test_a_narrow_window_gives_the_lists_room_away(window: MainWindow, qtbot: QtBot) -> None:
    window.resize(NARROW - 1, 700)
    assert not window.chats.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_B, CTRL)
    assert window.chats.isVisible()
    window.resize(NARROW + 100, 700)
    assert window.chats.isVisible()


def test_it_can_be_made_small_but_not_too_small(window: MainWindow) -> None:
    window.resize(10, 10)
    assert (window.width(), window.height()) == SMALLEST
    assert window.chat.composer.isVisible()
    assert window.chat.composer.geometry().right() <= window.width()


def test_ctrl_shift_f_searches_though_the_list_was_hidden(
    window: MainWindow, qtbot: QtBot, child: Find
) -> None:
    window.toggle_chats()
    qtbot.keyClick(window, Qt.Key.Key_F, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert window.focusWidget() is child(window, QLineEdit, "chat_search")
    assert window.chats.isVisible()


def test_f2_edits_the_title(window: MainWindow, qtbot: QtBot, child: Find) -> None:
    window.show_title("Old")
    qtbot.keyClick(window, Qt.Key.Key_F2)
    field = child(window, QLineEdit, "title_field")
    assert window.focusWidget() is field
    assert field.selectedText() == "Old"


def test_f6_goes_round_the_panes_that_are_seen(window: MainWindow, qtbot: QtBot) -> None:
    window.chat.show_session(
        Session("s", messages=(SessionMessage(Message(Role.USER, "Why?", "q")),))
    )
    panes = {"list": window.chats, "chat": window.chat.transcript, "composer": window.chat.composer}

    def place() -> list[str]:
        focus = window.focusWidget()
        return [name for name, pane in panes.items() if pane is focus or pane.isAncestorOf(focus)]

    seen = [place()]
    for _ in range(3):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        seen.append(place())
    assert seen == [["composer"], ["list"], ["chat"], ["composer"]]
    window.toggle_chats()
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert place() == ["chat"]


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_its_place_is_remembered(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "window.ini"
    for size in ((760, 600), (740, 520)):
        window = MainWindow(theme)
        window.remember(file)
        window.show()
        window.resize(*size)
        window.close()
        shiboken6.delete(window)
    window = MainWindow(theme)
    window.remember(file)
    assert (window.width(), window.height()) == (740, 520)
    shiboken6.delete(window)


def test_its_look_is_remembered_and_marked_in_the_menu(
    theme: Theme, child: Find, tmp_path: Path
) -> None:
    file = tmp_path / "window.ini"
    window = MainWindow(theme)
    window.remember(file)
    window.set_theme("dark")
    window.close()
    shiboken6.delete(window)
    again = Theme(ThemeMode.SYSTEM)
    window = MainWindow(again)
    window.remember(file)
    assert again.mode is ThemeMode.DARK
    assert child(window.header.menu, QAction, "theme_dark").isChecked()
    shiboken6.delete(window)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[General]\ntheme=loud\n",
        "[General]\ntheme=a, b\n",
        "[General]\ngeometry=broken\n",
    ],
)
def test_a_broken_memory_of_its_place_is_no_obstacle(
    theme: Theme, tmp_path: Path, text: str
) -> None:
    file = tmp_path / "window.ini"
    file.write_text(text, "utf-8")
    window = MainWindow(theme)
    window.remember(file)
    assert window.width() >= SMALLEST[0]
    shiboken6.delete(window)


@pytest.mark.qt_log_ignore("does not support", extend=True)
def test_it_comes_forward(window: MainWindow, qtbot: QtBot) -> None:
    window.showMinimized()
    window.come_forward()
    assert not window.isMinimized()
    qtbot.waitUntil(window.isActiveWindow)


def test_closing_is_told(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(window.closed):
        window.close()


def test_every_control_that_takes_the_focus_has_a_name(window: MainWindow) -> None:
    cut = SessionMessage(
        Message(Role.ASSISTANT, "```\ncode\n```", "a", thinking="hm"),
        status=MessageStatus.INTERRUPTED,
    )
    question = SessionMessage(Message(Role.USER, "Why?", "q"))
    window.chat.show_session(Session("s", messages=(question, cut)))
    window.banner.show_error(words(EngineDied(detail="boom").failure()))
    window.status.set_speed(3.0)
    window.status.set_first_token(0.4)
    window.status.set_context(10, 100)
    nameless, named = [], 0
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() is Qt.FocusPolicy.NoFocus or not widget.isVisibleTo(window):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface.text(QAccessible.Text.Name) or widget.accessibleName():
            named += 1
        elif widget.focusProxy() is None:
            nameless.append(f"{type(widget).__name__} {widget.objectName()!r}")
    assert nameless == []
    assert named > 15


def test_tab_goes_from_the_list_over_the_header_to_the_composer(
    window: MainWindow, qtbot: QtBot, child: Find
) -> None:
    window.chat.show_session(
        Session("s", messages=(SessionMessage(Message(Role.USER, "Why?", "q")),))
    )
    window.banner.show_error(words(EngineDied(detail="boom").failure()))
    child(window, QWidget, "new_chat").setFocus()
    names = []
    for _ in range(10):
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        names.append(window.focusWidget().objectName())
    assert names == [
        "chat_search", "sidebar_button", "title", "folder_button", "model_button",
        "menu_button", "banner_action", "banner_dismiss", "transcript", "composer_text",
    ]  # fmt: skip


def test_esc_leaves_the_title_before_it_stops_anything(
    window: MainWindow, qtbot: QtBot, child: Find
) -> None:
    stopped: list[bool] = []
    window.key("Esc", lambda: stopped.append(True))
    window.show_title("Old")
    window.header.edit_title()
    field = child(window, QLineEdit, "title_field")
    qtbot.keyClicks(field, "New")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible()
    assert child(window, QLabel, "title_label").text() == "Old"
    assert stopped == []
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert stopped == [True]


def test_it_fits_the_screen(window: MainWindow) -> None:
    window.resize(9000, 9000)
    window.fit_screen()
    room = window.screen().availableSize()
    assert window.width() <= room.width()
    assert window.height() < room.height()
