"""The place for a card: its room, its height, the way of Tab and what happens out of sight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.chat.block import ShownMessage
from rony_desktop.ui.chat.slot import CardSlot
from rony_desktop.ui.chat.transcript import TranscriptView
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
LONG = "\n\n".join(f"Paragraph {n} with some words in it." for n in range(60))


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> TranscriptView:
    view = TranscriptView(theme)
    qtbot.addWidget(view)
    view.resize(800, 400)
    view.show()
    view.open([ShownMessage("a", "assistant", f"```py\nx = 1\n```\n\n{LONG}")])
    return view


@pytest.fixture
def card(qapp: object, view: TranscriptView) -> QFrame:
    """A card with two buttons and words that wrap; a child of the view for want of an owner."""
    card = QFrame(view)
    rows = QVBoxLayout(card)
    words = QLabel("words that wrap " * 30, card)
    words.setWordWrap(True)
    rows.addWidget(words)
    for name in ("deny", "allow"):
        button = QPushButton(name, card)
        button.setObjectName(name)
        rows.addWidget(button)
    return card


def pill(view: TranscriptView) -> QPushButton:
    found = view.findChild(QPushButton, "jump_to_latest")
    assert isinstance(found, QPushButton)
    return found


def seen(view: TranscriptView, card: QWidget) -> bool:
    return view.viewport().rect().contains(card.geometry())


def test_a_card_comes_into_sight_at_the_end(view: TranscriptView, card: QFrame) -> None:
    view.scroll_to(0.2)
    view.show_card(card)
    assert card.isVisible()
    assert seen(view, card)
    box = view._box(view._seen()[-1])
    assert card.y() >= box.bottom()
    assert (card.x(), card.width()) == (round(view._left()), round(view._column.width))
    assert not pill(view).isVisible()


def test_its_height_follows_its_width_and_its_contents(view: TranscriptView, card: QFrame) -> None:
    view.show_card(card)
    wide = card.height()
    assert wide == card.heightForWidth(card.width())
    view.resize(420, 400)
    assert card.height() == card.heightForWidth(card.width()) > wide
    assert seen(view, card)


def test_it_grows_when_something_is_added_to_it(
    view: TranscriptView, card: QFrame, qtbot: QtBot
) -> None:
    view.show_card(card)
    before = card.height()
    card.layout().addWidget(QLineEdit(card))
    qtbot.waitUntil(lambda: card.height() > before)
    qtbot.waitUntil(lambda: seen(view, card))


def test_it_moves_with_the_words_and_a_pill_brings_it_back(
    view: TranscriptView, card: QFrame, qtbot: QtBot
) -> None:
    view.show_card(card)
    place = card.y()
    bar = view.verticalScrollBar()
    bar.setValue(bar.value() - 30)
    assert card.y() == place + 30
    view.scroll_to(0.0)
    assert not view._slot.in_sight()
    assert card.isVisible()
    assert pill(view).isVisible()
    assert pill(view).text() == pill(view).accessibleName() == "Waiting for you"
    qtbot.mouseClick(pill(view), Qt.MouseButton.LeftButton)
    assert seen(view, card)
    assert not pill(view).isVisible()


def test_it_goes_without_a_trace_and_may_come_again(view: TranscriptView, card: QFrame) -> None:
    without = view.verticalScrollBar().maximum()
    view.show_card(card)
    assert view.verticalScrollBar().maximum() > without
    view.hide_card()
    assert not card.isVisible()
    assert view.verticalScrollBar().maximum() == without
    view.scroll_to(0.0)
    assert pill(view).text() == "Jump to latest"
    view.hide_card()
    view.show_card(card)
    assert seen(view, card)


def test_the_same_card_asked_for_again_comes_into_sight(view: TranscriptView, card: QFrame) -> None:
    view.show_card(card)
    view.scroll_to(0.0)
    view.show_card(card)
    assert seen(view, card)


def test_a_part_of_a_card_that_went_away_moves_nothing(
    view: TranscriptView, card: QFrame, qtbot: QtBot, child: Find
) -> None:
    view.show_card(card)
    view.hide_card()
    view.scroll_to(0.0)
    card.setParent(view)
    card.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    child(card, QPushButton, "deny").setFocus(Qt.FocusReason.TabFocusReason)
    assert view.verticalScrollBar().value() == 0


def test_another_chat_takes_it_away(view: TranscriptView, card: QFrame) -> None:
    view.show_card(card)
    view.open([ShownMessage("b", "user", "Other")])
    assert not card.isVisible()
    assert view._slot.widget is None


def test_a_second_card_takes_the_place_of_the_first(view: TranscriptView, card: QFrame) -> None:
    other = QLabel("other", view)
    view.show_card(card)
    view.show_card(other)
    assert (card.isVisible(), other.isVisible()) == (False, True)
    assert other.height() == other.sizeHint().height()


def test_a_card_its_owner_destroys_leaves_no_room(view: TranscriptView, card: QFrame) -> None:
    without = view.verticalScrollBar().maximum()
    view.show_card(card)
    shiboken6.delete(card)
    assert view.verticalScrollBar().maximum() == without
    view.hide_card()


def test_a_card_taller_than_the_view_shows_its_top(view: TranscriptView, card: QFrame) -> None:
    card.setMinimumHeight(900)
    tall = QLabel("\n".join("line" for _ in range(60)), view)
    view.show_card(tall)
    assert 0 <= tall.y() < 40
    assert tall.height() > view.viewport().height()


def test_words_that_come_after_it_was_shown_push_it_down(
    view: TranscriptView, card: QFrame
) -> None:
    view.show_card(card)
    view.add(ShownMessage("b", "assistant", LONG))
    assert seen(view, card)


def test_it_never_takes_the_focus_by_itself(view: TranscriptView, card: QFrame) -> None:
    view.setFocus()
    view.show_card(card)
    assert view.window().focusWidget() is view


def test_tab_comes_to_it_after_the_buttons_of_the_conversation(
    view: TranscriptView, card: QFrame, qtbot: QtBot
) -> None:
    view.open([ShownMessage("a", "assistant", "```py\nx = 1\n```")])
    view.show_card(card)
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.setFocus()
    order = []
    for _ in range(4):
        focus = view.window().focusWidget()
        assert focus is not None
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
        order.append(view.window().focusWidget().objectName())
    assert order == ["copy_code", "copy_message", "deny", "allow"]


def test_a_part_that_is_destroyed_takes_nothing_else_along(
    view: TranscriptView, card: QFrame, child: Find
) -> None:
    view.show_card(card)
    shiboken6.delete(child(card, QPushButton, "allow"))
    assert shiboken6.isValid(view.viewport())
    view.open([ShownMessage("a", "assistant", "```py\nx = 1\n```")])
    assert seen(view, card)


def test_tab_brings_the_part_it_comes_to_into_sight(
    view: TranscriptView, card: QFrame, qtbot: QtBot, child: Find
) -> None:
    view.resize(800, 200)
    view.show_card(card)
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    deny, allow = (child(card, QPushButton, name) for name in ("deny", "allow"))
    port = view.viewport()

    def comes_into_sight(button: QPushButton) -> bool:
        """Tab to it; again where a window of another test came in front meanwhile."""
        view.activateWindow()
        view.setFocus()
        view.scroll_to(0.0)
        button.setFocus(Qt.FocusReason.TabFocusReason)
        return port.rect().contains(button.rect().translated(button.mapTo(port, QPoint())))

    for button in (deny, allow):
        qtbot.waitUntil(lambda button=button: comes_into_sight(button))
    view.scroll_to(1.0)
    spot = view.verticalScrollBar().value()
    deny.setFocus(Qt.FocusReason.BacktabFocusReason)
    assert view.verticalScrollBar().value() == spot


def test_a_focus_nobody_asked_for_leaves_the_reader_alone(
    view: TranscriptView, card: QFrame, qtbot: QtBot, child: Find
) -> None:
    view.show_card(card)
    view.scroll_to(0.0)
    child(card, QPushButton, "deny").setFocus()
    assert view.verticalScrollBar().value() == 0


def test_an_empty_slot_wants_nothing(qtbot: QtBot) -> None:
    viewport = QWidget()
    qtbot.addWidget(viewport)
    slot = CardSlot(viewport)
    slot.place(0, 0, 100)
    slot.order(viewport)
    assert (slot.height(500), slot.in_sight(), slot.take()) == (0, True, None)
