"""Without a model there are three ways to one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.installed.blank import Blank

pytestmark = pytest.mark.ui


def test_the_buttons_come_when_it_was_looked(qtbot: QtBot, child: Callable[..., Any]) -> None:
    blank = Blank()
    qtbot.addWidget(blank)
    blank.show()
    blank.set_looking(True)
    find = child(blank, QPushButton, "blank_discover")
    assert not find.isVisible()
    assert child(blank, QLabel, "installed_blank_title").text() == "Looking for models"
    blank.set_looking(False)
    assert child(blank, QLabel, "installed_blank_title").text() == "No model yet"
    for name, asked in (
        ("discover", blank.discoverRequested),
        ("foreign", blank.foreignRequested),
        ("file", blank.fileRequested),
    ):
        with qtbot.waitSignal(asked):
            child(blank, QPushButton, f"blank_{name}").click()
