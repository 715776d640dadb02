"""The sheet: the same card above the window, that can be put off and takes nobody's keys."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import ApprovalRequest, AskReason
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.choice import Choice
from rony_desktop.ui.approval.sheet import ApprovalSheet
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
ASK = ApprovalRequest(
    "s", ToolCall("1", "shell", '{"command": "ls"}'), AskReason.CHANGES, "/f", "walk", "d"
)


@pytest.fixture
def sheet(theme: Theme, qtbot: QtBot) -> Iterator[ApprovalSheet]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    sheet = ApprovalSheet(theme, window)
    sheet.show_request(ASK)
    sheet.activateWindow()  # as its user does; it does not by itself
    qtbot.waitUntil(sheet.isActiveWindow)
    yield sheet
    sheet.withdraw()


def test_deny_has_the_focus_and_enter_presses_it(
    sheet: ApprovalSheet, qtbot: QtBot, child: Find
) -> None:
    assert sheet.isWindow()
    assert sheet.windowModality() is Qt.WindowModality.NonModal
    assert sheet.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    deny = child(sheet, QPushButton, "approval_deny")
    qtbot.waitUntil(deny.hasFocus)
    with qtbot.waitSignal(sheet.denied) as caught, qtbot.assertNotEmitted(sheet.postponed):
        qtbot.keyClick(deny, Qt.Key.Key_Return)
    assert caught.args == [""]
    assert not sheet.isVisible()


def test_enter_on_allow_allows(sheet: ApprovalSheet, qtbot: QtBot, child: Find) -> None:
    allow = child(sheet, QPushButton, "approval_allow")
    qtbot.waitUntil(lambda: allow.isEnabled() and sheet.card._guard.armed)
    allow.setFocus()
    with qtbot.assertNotEmitted(sheet.denied), qtbot.waitSignal(sheet.allowed) as caught:
        qtbot.keyClick(allow, Qt.Key.Key_Return)
    assert caught.args == [Choice()]
    assert not sheet.isVisible()


def test_escape_denies(sheet: ApprovalSheet, qtbot: QtBot, child: Find) -> None:
    with qtbot.waitSignal(sheet.denied), qtbot.assertNotEmitted(sheet.postponed):
        qtbot.keyClick(child(sheet, QPushButton, "approval_deny"), Qt.Key.Key_Escape)


def test_closing_leaves_the_question_open(sheet: ApprovalSheet, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sheet.postponed), qtbot.assertNotEmitted(sheet.denied):
        sheet.close()
    sheet.show_request(ASK, 2)
    assert sheet.isVisible()


def test_a_question_settled_elsewhere_takes_the_sheet_away(
    sheet: ApprovalSheet, qtbot: QtBot
) -> None:
    with qtbot.assertNotEmitted(sheet.postponed):
        sheet.withdraw()
    assert not sheet.isVisible()


def test_nothing_of_it_is_cut(sheet: ApprovalSheet, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: sheet.card.height() >= sheet.card.heightForWidth(sheet.card.width()))
