"""A suggestion says what it is and what it takes, aloud as well."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.card import SuggestionCard
from tests.fixture.wizard import CANDIDATE, ENTRY

pytestmark = pytest.mark.ui


@pytest.fixture
def card(theme: Theme, qtbot: QtBot) -> SuggestionCard:
    card = SuggestionCard(theme, "large", "Most able", gets=True)
    qtbot.addWidget(card)
    return card


def test_it_is_read_aloud_and_chosen(card: SuggestionCard, qtbot: QtBot) -> None:
    card.show_candidate(CANDIDATE, best=True)
    assert card.accessibleName().startswith("Most able: What 3B. Good for everything.")
    assert card.button.accessibleName() == "Download What 3B"
    with qtbot.waitSignal(card.chosen) as told:
        card.button.click()
    assert told.args == [ENTRY]
    with qtbot.waitSignal(card.chosen):
        qtbot.keyClick(card.button, Qt.Key.Key_Return)


def test_without_a_model_there_is_no_card(card: SuggestionCard) -> None:
    assert card.isHidden()
    card.show_candidate(CANDIDATE, best=True)
    assert (card.isVisible(), card.button.property("look")) == (True, "primary")
    card.show_candidate(CANDIDATE, best=False)
    assert card.button.property("look") == "outline"
    card.show_candidate(None, best=False)
    assert card.isHidden()


def test_where_it_only_shows_a_model_its_button_says_so(theme: Theme, qtbot: QtBot) -> None:
    card = SuggestionCard(theme, "large", "Most able", gets=False)
    qtbot.addWidget(card)
    card.show_candidate(CANDIDATE, best=False)
    assert (card.button.text(), card.button.accessibleName()) == ("Details", "Details of What 3B")


def test_in_a_narrow_place_the_button_stands_below_the_words(
    card: SuggestionCard, qtbot: QtBot
) -> None:
    card.show_candidate(CANDIDATE, best=True)
    for width, below in ((292, True), (600, False), (300, True)):
        card.resize(width, 220)
        name = card.findChildren(QLabel)[0]
        qtbot.waitUntil(
            lambda name=name, below=below: (
                (card.button.y() > name.geometry().bottom()) is below
                and (card.button.x() > name.geometry().right()) is not below
            )
        )
