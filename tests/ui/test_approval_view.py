"""Card and sheet together: where a question stands, and that it is asked once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import ApprovalRequest, AskReason
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.choice import Choice
from rony_desktop.ui.approval.view import ApprovalPane
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.window import MainWindow

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
LEFT = Qt.MouseButton.LeftButton
ASK = ApprovalRequest(
    "s", ToolCall("1", "shell", '{"command": "ls"}'), AskReason.CHANGES, "/f", "walk", "d"
)
NEXT = replace(ASK, call=ToolCall("2", "shell", '{"command": "pwd"}'))


@dataclass
class World:
    """A window with its questions, and another program's window that may be in front."""

    window: MainWindow
    pane: ApprovalPane
    other: QWidget
    bot: QtBot

    def bring(self, widget: QWidget) -> None:
        """Put a window in front."""
        widget.activateWindow()
        self.bot.waitUntil(widget.isActiveWindow)

    def ask_behind(self, request: ApprovalRequest = ASK) -> None:
        """Ask while the other window is in front."""
        self.bring(self.other)
        self.pane.show(request, 1)


@pytest.fixture
def world(theme: Theme, qtbot: QtBot) -> Iterator[World]:
    window, other = MainWindow(theme), QWidget()
    for widget in (window, other):
        qtbot.addWidget(widget)
        widget.show()
    other.resize(300, 200)
    pane = ApprovalPane(theme, window.chat, window.status, window)
    world = World(window, pane, other, qtbot)
    world.bring(other)  # or the window manager might do it later
    world.bring(window)
    yield world
    pane.hide()


def armed(card: QWidget) -> Callable[[], bool]:
    """Whether Allow of a card would take a press."""
    allow = card.findChild(QPushButton, "approval_allow")
    assert isinstance(allow, QPushButton)
    return lambda: allow.isEnabled() and card._guard.armed  # type: ignore[attr-defined]


def test_in_front_the_card_stands_in_the_conversation_alone(world: World, child: Find) -> None:
    world.pane.show(ASK, 2)
    card = world.pane.card
    assert card.isVisible()
    assert world.window.chat.transcript.isAncestorOf(card)
    assert child(card, QLabel, "approval_waiting").text() == "1 of 2"
    assert not world.pane.sheet.isVisible()
    assert world.window.isActiveWindow()


def test_behind_another_window_the_question_is_a_sheet_too(world: World, child: Find) -> None:
    world.ask_behind()
    sheet = world.pane.sheet
    assert sheet.isVisible()
    assert sheet.parentWidget() is world.window
    assert child(sheet, QLabel, "approval_title").text() == "Rony wants to run shell"
    assert world.pane.card.isVisible()


def test_closing_the_sheet_leaves_the_card_which_can_still_allow(world: World, child: Find) -> None:
    world.ask_behind()
    with world.bot.assertNotEmitted(world.pane.denied):
        world.pane.sheet.close()
    world.pane.show(ASK, 2)  # another chat's call was answered: the same question, counted anew
    assert not world.pane.sheet.isVisible()
    world.bring(world.window)
    card = world.pane.card
    assert card.isVisible()
    world.bot.waitUntil(armed(card))
    with world.bot.waitSignal(world.pane.allowed) as caught:
        QTest.mouseClick(child(card, QPushButton, "approval_allow"), LEFT)
    assert caught.args == [Choice()]


@pytest.mark.parametrize("answer", ["allow", "deny", "Escape"])
def test_the_sheet_answers_once(world: World, child: Find, answer: str) -> None:
    world.ask_behind()
    sheet, heard = world.pane.sheet, list[object]()
    world.pane.allowed.connect(heard.append)
    world.pane.denied.connect(heard.append)
    world.bring(sheet)
    world.bot.waitUntil(armed(sheet.card))
    if answer == "Escape":
        QTest.keyClick(child(sheet, QPushButton, "approval_deny"), Qt.Key.Key_Escape)
    else:
        QTest.mouseClick(child(sheet, QPushButton, f"approval_{answer}"), LEFT)
    assert heard == [Choice() if answer == "allow" else ""]
    assert not sheet.isVisible()


def test_the_next_question_follows_in_the_sheet_that_is_open(world: World, child: Find) -> None:
    world.ask_behind()
    world.bring(world.pane.sheet)
    world.pane.show(NEXT, 1)
    for card in (world.pane.card, world.pane.sheet.card):
        assert child(card, QPushButton, "approval_fold").text().endswith("18 characters")
    assert world.pane.sheet.isVisible()


def test_hiding_takes_card_and_sheet_away_and_answers_nothing(world: World) -> None:
    world.ask_behind()
    with (
        world.bot.assertNotEmitted(world.pane.denied),
        world.bot.assertNotEmitted(world.pane.allowed),
    ):
        world.pane.hide()
    assert not world.pane.sheet.isVisible()
    assert not world.pane.card.isVisible()
    # The same question asked again, as after a change of chat, is a new one to whoever looks.
    world.ask_behind()
    assert world.pane.sheet.isVisible()


def test_the_card_takes_the_focus_only_once_nobody_types(world: World, child: Find) -> None:
    field = world.window.chat.composer
    field.setFocus()
    typed = QApplication.focusWidget()
    world.pane.show(ASK, 1)
    deny = child(world.pane.card, QPushButton, "approval_deny")
    for letter in "wait for me ":
        QTest.keyClicks(typed, letter, delay=60)
        assert not deny.hasFocus()
    assert field.text() == "wait for me "
    world.bot.waitUntil(deny.hasFocus, timeout=2000)
    with world.bot.waitSignal(world.pane.denied):
        QTest.keyClick(deny, Qt.Key.Key_Return)


def test_other_chats_that_wait_are_told_in_the_status_bar(world: World, child: Find) -> None:
    waiting = child(world.window.status, QPushButton, "status_waiting")
    world.pane.show_elsewhere(2)
    assert waiting.text() == "2 chats wait for you"
    assert waiting.isVisible()
    world.pane.show_elsewhere(0)
    assert not waiting.isVisible()


def test_the_focus_goes_to_the_composer_when_the_card_goes(world: World, child: Find) -> None:
    """Qt alone would give it to the next in the window, the list of chats."""
    world.pane.show(ASK, 1)
    child(world.pane.card, QPushButton, "approval_deny").setFocus()
    world.pane.hide()
    assert world.window.focusWidget() is child(world.window, QWidget, "composer_text")
    world.window.chats.setFocus()
    before = world.window.focusWidget()
    world.pane.show(NEXT, 1)
    world.pane.hide()
    assert world.window.focusWidget() is before


def test_f6_comes_to_the_card_and_tab_goes_on_to_the_composer(world: World, child: Find) -> None:
    world.window.chat.transcript.setFocus()
    world.pane.show(ASK, 1)
    world.pane.card._quiet.stop()  # the focus is not taken meanwhile

    def press(key: Qt.Key) -> str:
        focus = world.window.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key)
        return world.window.focusWidget().objectName()

    assert press(Qt.Key.Key_Tab) == "approval_fold"
    world.window.chat.transcript.setFocus()
    assert press(Qt.Key.Key_F6) == "approval_deny"
    assert press(Qt.Key.Key_F6) == "composer_text"
    child(world.pane.card, QPushButton, "approval_deny_why").click()
    world.window.chat.transcript.setFocus()
    assert press(Qt.Key.Key_F6) == "approval_reason"
    QTest.keyClick(world.window.focusWidget(), Qt.Key.Key_Escape)
    world.bot.waitUntil(child(world.pane.card, QPushButton, "approval_allow").isEnabled)
    child(world.pane.card, QPushButton, "approval_allow").setFocus()
    assert press(Qt.Key.Key_Tab) == "composer_text"
    stops = [press(Qt.Key.Key_Tab) for _ in range(12)]
    assert len(set(stops)) == len(stops)  # nothing is come to twice
