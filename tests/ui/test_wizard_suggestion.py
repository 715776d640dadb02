"""The suggestions for this computer: their order, their words, and where the keys are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.contract.hub import Suggestion
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.card import SuggestionCard
from rony_desktop.ui.wizard.suggestion import SuggestionColumn
from tests.fixture.wizard import CANDIDATE, ENTRY

pytestmark = pytest.mark.ui
ONE, TWO, THREE = (
    replace(CANDIDATE, entry=replace(ENTRY, model=f"a/{name}", name=name))
    for name in ("one", "two", "three")
)
ALL = Suggestion(small=ONE, balanced=TWO, large=THREE)


@pytest.fixture
def column(theme: Theme, qtbot: QtBot) -> SuggestionColumn:
    column = SuggestionColumn(theme, gets=True)
    qtbot.addWidget(column)
    column.resize(600, 500)
    column.show()
    column.activateWindow()
    qtbot.waitUntil(column.isActiveWindow)
    return column


def cards(column: SuggestionColumn) -> list[SuggestionCard]:
    return [card for card in column.findChildren(SuggestionCard) if card.isVisible()]


def test_the_recommended_one_comes_first_and_calls_for_the_eye(column: SuggestionColumn) -> None:
    assert column.is_empty()
    column.show_suggestion(ALL)
    assert not column.is_empty()
    texts = [[label.text() for label in card.findChildren(QLabel)] for card in cards(column)]
    found = [("Recommended", "two"), ("Most able", "three"), ("Quickest", "one")]
    for said, expected in zip(texts, found, strict=True):
        assert set(expected) <= set(said)
    looks = [card.button.property("look") for card in cards(column)]
    assert looks == ["primary", "outline", "outline"]
    column.show_suggestion(Suggestion(small=None, balanced=None, large=THREE))
    assert [card.button.property("look") for card in cards(column)] == ["primary"]
    column.show_suggestion(None)
    assert column.is_empty()


def test_the_keys_go_from_one_to_the_next_and_come_back_to_the_chosen(
    column: SuggestionColumn, qtbot: QtBot
) -> None:
    column.show_suggestion(ALL)
    column.take_focus()
    first, second, _ = (card.button for card in cards(column))
    assert first.hasFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert second.hasFocus()
    with qtbot.waitSignal(column.chosen) as told:
        qtbot.keyClick(second, Qt.Key.Key_Return)
    assert told.args == [THREE.entry]
    column.set_chosen("a/one")
    column.take_focus()
    assert cards(column)[2].button.hasFocus()
    column.set_chosen("")
    column.take_focus()
    assert first.hasFocus()


def test_while_something_is_on_its_way_none_can_be_chosen(column: SuggestionColumn) -> None:
    column.show_suggestion(ALL)
    column.set_enabled(False)
    assert not any(card.button.isEnabled() for card in cards(column))
