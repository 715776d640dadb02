"""A note is seen by its icon and read aloud by its words."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.speed.note import Note
from rony_desktop.ui.theme import Theme, ThemeMode

pytestmark = pytest.mark.ui


def test_it_says_its_words_in_the_colours_of_the_theme(theme: Theme, qtbot: QtBot) -> None:
    note = Note(theme, "triangle-alert", "warn")
    qtbot.addWidget(note)
    note.set_text("<b>busy</b>")
    assert (note.text(), note.accessibleName()) == ("<b>busy</b>", "<b>busy</b>")
    light = note._picture.pixmap().toImage()
    theme.set_mode(ThemeMode.DARK)
    assert note._picture.pixmap().toImage() != light
