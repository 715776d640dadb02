"""Each page of the wizard fills from where it stands, and again where that changes."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.card import SuggestionCard
from rony_desktop.ui.wizard.page import ChoosePage, ComputerPage, WayPage
from rony_desktop.ui.wizard.presenter import Page, WizardState
from tests.fixture.wizard import COMPUTER, NOTHING, SUGGESTION

pytestmark = pytest.mark.ui


def test_the_facts_are_shown_once(theme: Theme, qtbot: QtBot) -> None:
    page = ComputerPage(theme)
    qtbot.addWidget(page)
    for _ in range(2):
        page.show_state(WizardState(computer=COMPUTER))
    names = [label.text() for label in page.findChildren(QLabel)]
    assert names.count("Memory") == 1
    assert "llama.cpp b1" in names


def test_the_recommended_one_comes_first_and_has_the_focus(theme: Theme, qtbot: QtBot) -> None:
    page = ChoosePage(theme)
    qtbot.addWidget(page)
    page.show_state(WizardState(Page.CHOOSE, COMPUTER, SUGGESTION))
    page.show()
    cards = [card for card in page.findChildren(SuggestionCard) if not card.isHidden()]
    assert [card.objectName() for card in cards] == ["suggestion_balanced", "suggestion_large"]
    looks = [card.button.property("look") for card in cards]
    assert looks == ["primary", "outline"]
    page.focus()
    qtbot.waitUntil(lambda: page.focusWidget() is cards[0].button)
    page.show_state(WizardState(Page.CHOOSE, COMPUTER, NOTHING))
    assert not any(card.isVisible() for card in cards)


def test_a_way_without_words_is_hidden(theme: Theme, qtbot: QtBot) -> None:
    page = WayPage(theme, "test")
    qtbot.addWidget(page)
    page.show()
    label = page.findChild(QLabel, "wizard_test_words")
    assert isinstance(label, QLabel)
    page.show_way("half", 0.5)
    assert label.isVisible()
    page.show_way("", None)
    assert not label.isVisible()
