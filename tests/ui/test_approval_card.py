"""The card: it says everything, it is hard to answer by accident, and easy on purpose."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QElapsedTimer, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import (
    ApprovalRequest,
    AskReason,
    FileChange,
    GrantScope,
    Hunk,
)
from rony_desktop.contract.message import ToolCall
from rony_desktop.ui.approval.card import ApprovalCard
from rony_desktop.ui.approval.choice import Choice
from rony_desktop.ui.approval.guard import GUARD_MS
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
HUNKS = (Hunk(0, ("a\n",), ("b\n",)), Hunk(4, (), ("c\n",)), Hunk(8, ("d\n",), ()))
CHANGE = FileChange("docs/plan.md", "before", "after", HUNKS)
ASK = ApprovalRequest(
    "s",
    ToolCall("1", "write_file", '{"path": "docs/plan.md"}'),
    AskReason.CHANGES,
    "/home/ana/bridges",
    "openat2",
    "digest",
    CHANGE,
    "docs/*",
)
RUN = replace(ASK, call=ToolCall("2", "shell", '{"command": "ls"}'), change=None, pattern="")


@pytest.fixture
def card(theme: Theme, qtbot: QtBot) -> Iterator[ApprovalCard]:
    """A card in a window with a field in which somebody may type."""
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    field = QLineEdit(window)
    field.setObjectName("typing")
    card = ApprovalCard(theme, window)
    column.addWidget(field)
    column.addWidget(card)
    column.addStretch(1)
    window.resize(760, 700)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    yield card
    assert window.windowTitle() == ""  # it lived until here


def shown(qtbot: QtBot, card: ApprovalCard, request: ApprovalRequest, waiting: int = 1) -> None:
    """Ask, and wait until Allow can be pressed."""
    card.show_request(request, waiting)
    allow = card.findChild(QPushButton, "approval_allow")
    qtbot.waitUntil(lambda: allow.isEnabled() and card._guard.armed)


def click(card: ApprovalCard, name: str) -> None:
    button = card.findChild(QAbstractButton, name)
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("request_", "title"),
    [
        (ASK, "Rony wants to change docs/plan.md"),
        (replace(ASK, change=replace(CHANGE, before=None)), "Rony wants to create docs/plan.md"),
        (RUN, "Rony wants to run shell"),
    ],
)
def test_the_title_says_what_will_happen(
    card: ApprovalCard, qtbot: QtBot, child: Find, request_: ApprovalRequest, title: str
) -> None:
    shown(qtbot, card, request_)
    assert child(card, QLabel, "approval_title").text() == title
    assert card.accessibleName() == title
    assert child(card, QLabel, "approval_folder").text() == "in /home/ana/bridges"
    assert not child(card, QWidget, "approval_protected").isVisible()
    assert child(card, QPlainTextEdit, "approval_text").isVisible() is (request_ is RUN)


def test_a_protected_file_says_why_it_is_always_asked(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    shown(qtbot, card, replace(ASK, reason=AskReason.PROTECTED, pattern=""))
    assert child(card, QWidget, "approval_protected").isVisible()
    assert not child(card, QPushButton, "approval_longer").isVisible()


def test_allow_takes_every_hunk_or_those_left(card: ApprovalCard, qtbot: QtBot) -> None:
    shown(qtbot, card, ASK)
    with qtbot.waitSignal(card.allowed) as caught:
        click(card, "approval_allow")
    assert caught.args == [Choice(GrantScope.ONCE, None)]
    click(card, "hunk_1")
    with qtbot.waitSignal(card.allowed) as caught:
        click(card, "approval_allow")
    assert caught.args == [Choice(GrantScope.ONCE, (0, 2))]


def test_no_hunk_left_is_no_allow(card: ApprovalCard, qtbot: QtBot, child: Find) -> None:
    shown(qtbot, card, ASK)
    for number in range(3):
        box = child(card, QCheckBox, f"hunk_{number}")
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Space)
    assert not child(card, QPushButton, "approval_allow").isEnabled()
    assert child(card, QLabel, "approval_hint").text() == "Take a change, or deny."
    with qtbot.assertNotEmitted(card.allowed):
        click(card, "approval_allow")
    click(card, "hunk_2")
    assert child(card, QPushButton, "approval_allow").isEnabled()


@pytest.mark.x11  # offscreen has no menus and sheets above others
@pytest.mark.parametrize("scope", [GrantScope.SESSION, GrantScope.ALWAYS])
def test_the_menu_allows_for_longer_and_names_the_pattern(
    card: ApprovalCard, qtbot: QtBot, scope: GrantScope
) -> None:
    shown(qtbot, card, replace(ASK, pattern="a&b\u202e/*"))
    click(card, "approval_longer")
    qtbot.waitUntil(lambda: card.findChild(QMenu, "approval_menu") is not None)
    action = card.findChild(QAction, f"approval_{scope.value}")
    assert action is not None
    assert "a&&b\\u202e/*" in action.text()
    with qtbot.waitSignal(card.allowed) as caught:
        action.trigger()
    assert caught.args == [Choice(scope, None)]


def test_deny_and_tell_why(card: ApprovalCard, qtbot: QtBot, child: Find) -> None:
    shown(qtbot, card, ASK)
    with qtbot.waitSignal(card.denied) as caught:
        click(card, "approval_deny")
    assert caught.args == [""]
    height = card.height()
    click(card, "approval_deny_why")
    field = child(card, QLineEdit, "approval_reason")
    assert field.isVisible()
    assert card.height() == height
    qtbot.keyClicks(field, "Use another name")
    with qtbot.waitSignal(card.denied) as caught:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert caught.args == ["Use another name"]
    with qtbot.assertNotEmitted(card.denied):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not field.isVisible()
    click(card, "approval_deny_why")
    click(card, "approval_back")
    assert not field.isVisible()


def test_escape_denies_and_reaches_no_shortcut_of_the_window(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    shown(qtbot, card, ASK)
    box = child(card, QCheckBox, "hunk_0")
    box.setFocus()
    with qtbot.waitSignal(card.denied) as caught:
        qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert caught.args == [""]


def test_enter_on_deny_denies(card: ApprovalCard, qtbot: QtBot, child: Find) -> None:
    shown(qtbot, card, ASK)
    deny = child(card, QPushButton, "approval_deny")
    qtbot.waitUntil(deny.hasFocus)
    with qtbot.waitSignal(card.denied), qtbot.assertNotEmitted(card.allowed):
        qtbot.keyClick(deny, Qt.Key.Key_Return)


def test_the_focus_comes_only_after_half_a_second_without_a_key(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    typing = child(card.window(), QLineEdit, "typing")
    deny = child(card, QPushButton, "approval_deny")
    card.show_request(ASK)
    clock = QElapsedTimer()
    clock.start()
    while not clock.hasExpired(2 * GUARD_MS):
        qtbot.keyClicks(typing, "x")
        last = clock.elapsed()
        qtbot.waitUntil(lambda last=last: clock.elapsed() > last + 50)
        assert typing.hasFocus()
    qtbot.waitUntil(deny.hasFocus)
    assert clock.elapsed() >= last + GUARD_MS * 0.94  # a timer of Qt's may be 5 % early
    typing.setFocus()
    qtbot.keyClicks(typing, "more")
    assert typing.hasFocus()


def test_allow_takes_nothing_for_half_a_second(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    allow = child(card, QPushButton, "approval_allow")
    shown(qtbot, card, ASK)

    def fronted() -> None:
        QApplication.sendEvent(card.window(), QEvent(QEvent.Type.WindowActivate))

    for again in (lambda: card.show_request(replace(ASK)), card.hide, fronted):
        qtbot.waitUntil(lambda: card._guard.armed)
        again()
        card.show()
        assert not card._guard.armed
        qtbot.waitUntil(allow.isEnabled)
        assert not card._guard.armed, "too slow to tell"
        with qtbot.assertNotEmitted(card.allowed):
            click(card, "approval_allow")
            qtbot.keyClick(allow, Qt.Key.Key_Space)
            allow.click()
        qtbot.waitUntil(lambda: card._guard.armed)
        with qtbot.waitSignal(card.allowed):
            click(card, "approval_allow")


def test_the_next_question_is_guarded_too_and_deny_has_the_focus(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    shown(qtbot, card, ASK, 2)
    assert child(card, QLabel, "approval_waiting").text() == "1 of 2"
    click(card, "hunk_0")
    card.show_request(ASK, 3)
    assert child(card, QLabel, "approval_waiting").text() == "1 of 3"
    assert not child(card, QCheckBox, "hunk_0").isChecked()
    click(card, "approval_allow")
    child(card, QPushButton, "approval_allow").setFocus()
    card.show_request(RUN)
    assert child(card, QPushButton, "approval_deny").hasFocus()
    assert not card._guard.armed
    assert not child(card, QLabel, "approval_waiting").isVisible()


NASTY = (
    "a\u202eb", "z\u200bw", "\x1b[31m", "nul\x00", "tag\U000e0041", "own\ue000", "\u2028", "\ufeff",
    "soft\u00ad", "iso\u2067", "\u3164", "\x85",
)  # fmt: skip


@pytest.mark.x11  # offscreen has no menus and sheets above others
def test_no_invisible_character_is_in_any_widget(card: ApprovalCard, qtbot: QtBot) -> None:
    nasty = "".join(NASTY)
    hunk = Hunk(0, (nasty + "\n",), (nasty + nasty + "\n",))
    ask = ApprovalRequest(
        "s",
        ToolCall("1", f"tool{nasty}", f'{{"x": "{nasty}"}}'),
        AskReason.CHANGES,
        f"/home/{nasty}",
        "walk",
        "d",
        FileChange(f"dir/{nasty}", "x", "y", (hunk, hunk)),
        f"dir{nasty}/*",
    )
    for request in (ask, replace(ask, change=None)):
        shown(qtbot, card, request)
        click(card, "approval_longer")
        text = "".join(said(card))
        assert {unicodedata.category(c) for c in text} & {"Cc", "Cf", "Co", "Cs", "Zl"} == set()
        assert not any(item in text for item in NASTY)
        for menu in card.findChildren(QMenu):
            menu.close()


def said(card: ApprovalCard) -> Iterator[str]:
    """Every text of the card, lines apart."""
    yield card.accessibleName()
    for widget in card.findChildren(QWidget):
        yield widget.toolTip() + widget.accessibleName()
        yield widget.accessibleDescription().replace("\n", "")
        if isinstance(widget, QLabel) and widget.pixmap().isNull():
            assert widget.textFormat() is Qt.TextFormat.PlainText
        if isinstance(widget, QLabel | QPushButton | QCheckBox | QLineEdit):
            yield widget.text()
        if isinstance(widget, QPlainTextEdit):
            yield widget.toPlainText().replace("\n", "")
    yield from (action.text() for action in card.findChildren(QAction))


def test_a_change_without_hunks_says_so(card: ApprovalCard, qtbot: QtBot, child: Find) -> None:
    shown(qtbot, card, replace(ASK, change=FileChange("empty", None, "")))
    assert child(card, QLabel, "approval_nothing").text() == "The file will be empty."
    shown(qtbot, card, replace(ASK, change=FileChange("same", "a", "a")))
    assert child(card, QLabel, "approval_nothing").text() == "The text of the file stays as it is."
    with qtbot.waitSignal(card.allowed) as caught:
        click(card, "approval_allow")
    assert caught.args == [Choice()]


def test_everything_is_reached_by_tab_in_order(
    card: ApprovalCard, qtbot: QtBot, child: Find
) -> None:
    shown(qtbot, card, ASK)
    child(card, QWidget, "approval_diff").setFocus()
    order = []
    for _ in range(8):
        order.append(card.window().focusWidget().objectName())
        QTest.keyClick(card.window().focusWidget(), Qt.Key.Key_Tab)
    assert order == [
        "approval_diff", "hunk_0", "hunk_1", "hunk_2", "approval_fold", "approval_deny_why",
        "approval_deny", "approval_allow",
    ]  # fmt: skip
    assert card.window().focusWidget().objectName() == "approval_longer"


def test_every_button_has_a_name(card: ApprovalCard, qtbot: QtBot) -> None:
    shown(qtbot, card, ASK)
    for button in card.findChildren(QAbstractButton):
        if not isinstance(button.parent(), QLineEdit):
            assert button.accessibleName(), button
            assert button.objectName(), button


def test_the_fold_shows_the_exact_arguments(card: ApprovalCard, qtbot: QtBot, child: Find) -> None:
    shown(qtbot, card, ASK)
    click(card, "approval_fold")
    text = child(card, QPlainTextEdit, "approval_text")
    assert text.isVisible()
    assert text.toPlainText() == '{"path": "docs/plan.md"}'
    click(card, "approval_fold")
    assert not text.isVisible()
