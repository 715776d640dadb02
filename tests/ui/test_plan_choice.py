"""A list to choose from tells only what the user chose."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.choice import ChoiceBox
from rony_desktop.ui.theme import Theme, ThemeMode

pytestmark = pytest.mark.ui
VALUES = {"a": "First", "b": "Second"}


def test_what_is_shown_is_not_told_and_what_is_chosen_is(theme: Theme, qtbot: QtBot) -> None:
    box = ChoiceBox(theme, "box")
    qtbot.addWidget(box)
    box.show()
    found: list[str] = []
    box.changed.connect(found.append)
    box.show_values(VALUES, "a")
    box.show_values(VALUES, "b")
    assert (box.currentText(), found) == ("Second", [])
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert found == ["a"]
    box.show_values({"c": "Third"}, "c")
    assert (box.count(), box.currentText()) == (1, "Third")
    assert found == ["a"]


def test_the_arrow_follows_the_theme(theme: Theme, qtbot: QtBot) -> None:
    box = ChoiceBox(theme, "box")
    qtbot.addWidget(box)
    box.resize(120, 32)
    light = box.grab().toImage()
    theme.set_mode(ThemeMode.DARK)
    dark = box.grab().toImage()
    theme.set_mode(ThemeMode.LIGHT)
    assert light.pixel(108, 17) != dark.pixel(108, 17)
