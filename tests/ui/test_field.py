"""A field that takes Esc from the window only while it holds something."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.field import Field

pytestmark = pytest.mark.ui


def test_esc_is_the_fields_first_and_then_the_windows(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    field, told = Field(window), list[str]()
    field.escaped.connect(lambda: (told.append("field"), field.setText("")))
    shortcut = QShortcut(QKeySequence("Esc"), window)
    shortcut.activated.connect(lambda: told.append("window"))
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    field.setFocus()
    qtbot.keyClicks(field, "words")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert told == ["field", "window"]
    assert field.text() == ""
