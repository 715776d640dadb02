"""A value says whose choice it is, and is given back with one button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.control import ControlRow

pytestmark = [pytest.mark.ui, pytest.mark.usefixtures("theme")]
Find = Callable[..., Any]


def test_a_value_is_the_plans_until_the_user_sets_it(qtbot: QtBot, child: Find) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    control = QSlider(window)
    row = ControlRow("Context", "row", control, window)
    window.show()
    reset = child(row, QPushButton, "row_reset")
    row.show_choice(given=False, whose="planned", why="Because.")
    assert not reset.isVisible()
    assert child(row, QLabel, "row_why").text() == "Because."
    row.touched()
    assert reset.isVisible()
    assert reset.accessibleName() == "Leave to the plan: Context"
    with qtbot.waitSignal(row.resetRequested):
        qtbot.keyClick(reset, Qt.Key.Key_Space)
    assert window.focusWidget() is control
