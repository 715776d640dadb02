"""A predicted speed as figures, with what it rests on."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.figure import SpeedFigures
from rony_desktop.ui.theme import Theme
from tests.fixture.plan import SPEED

pytestmark = pytest.mark.ui


def test_ranges_stand_with_their_units_and_are_read_as_one_sentence(
    theme: Theme, qtbot: QtBot
) -> None:
    figures = SpeedFigures(theme)
    qtbot.addWidget(figures)
    figures.show_speed(SPEED)
    said = [label.text() for label in figures.findChildren(QLabel)]
    assert "402\u2013518\u2009tok/s" in said
    assert "1.2\u20131.6\u2009s" in said
    assert "Predicted from measured runs of this file on this computer." in said
    assert figures.accessibleName().startswith("Reads 402\u2013518\u2009tok/s, writes 24")


def test_without_a_prediction_it_says_so(theme: Theme, qtbot: QtBot) -> None:
    figures = SpeedFigures(theme)
    qtbot.addWidget(figures)
    figures.show_speed(SPEED)
    figures.show_speed(None)
    said = [label.text() for label in figures.findChildren(QLabel)]
    assert not any("tok/s" in text for text in said)
    assert figures.accessibleName() == "There is no prediction yet."
