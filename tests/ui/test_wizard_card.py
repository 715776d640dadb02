"""A suggestion says what it is and what it takes, aloud as well."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.card import SuggestionCard
from tests.fixture.wizard import CANDIDATE, ENTRY

pytestmark = pytest.mark.ui


def test_it_is_read_aloud_and_chosen(theme: Theme, qtbot: QtBot) -> None:
    card = SuggestionCard(theme, ("large", "Most able"), CANDIDATE, best=True)
    qtbot.addWidget(card)
    assert card.accessibleName().startswith("Most able: What 3B. Good for everything.")
    assert card.button.accessibleName() == "Download What 3B"
    with qtbot.waitSignal(card.chosen) as told:
        card.button.click()
    assert told.args == [ENTRY]
