"""The line about a model's health: what it says, and what its button asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.check import ModelCheck, Part, Shape, ShapeCheck, ToolMode, ToolScore
from rony_desktop.contract.error import EngineBusy
from rony_desktop.ui.installed.health import HealthState
from rony_desktop.ui.installed.health_view import HealthLine
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
ONE, TWO = Path("/one"), Path("/two")
BAD = ModelCheck(build="b1", mode=ToolMode.NONE, shapes=(ShapeCheck(Shape.TOOLS, (Part.TOOL,)),))
FAILED = replace(BAD, failure=EngineBusy().failure())
KNOWN = HealthState(ONE, ModelCheck(build="b1", mode=ToolMode.NATIVE, native=ToolScore(8, 8, 8)))


@pytest.fixture
def line(theme: Theme, qtbot: QtBot) -> HealthLine:
    line = HealthLine(theme)
    qtbot.addWidget(line)
    line.resize(400, 40)
    line.show()
    return line


@pytest.mark.parametrize(
    ("state", "words", "role", "label"),
    [
        (HealthState(ONE), "Not checked yet", "quiet", "Check"),
        (KNOWN, "Chat template works", "quiet", "Check again"),
        (HealthState(ONE, BAD), "Its template has trouble", "warn", "Check again"),
        (HealthState(ONE, failure=EngineBusy().failure()), "An answer", "danger", "Check again"),
        (HealthState(ONE, FAILED), "An answer", "danger", "Check again"),
        (HealthState(ONE, checking=ONE), "Loading the model", "quiet", "Cancel"),
        (HealthState(ONE, None, ONE, 3, 20), "Checking, step 4 of 20", "quiet", "Cancel"),
        (HealthState(ONE, None, ONE, 3, 20, stopping=True), "Stopping", "quiet", "Cancel"),
        (replace(KNOWN, checking=TWO), "Chat template works", "quiet", "Check again"),
    ],
)
def test_every_state_has_its_words(
    line: HealthLine, child: Find, state: HealthState, words: str, role: str, label: str
) -> None:
    line.show_health(state)
    said = child(line, QLabel, "installed_health_words")
    button = child(line, QPushButton, "installed_check")
    assert said.text().startswith(words)
    assert (said.property("role"), button.text()) == (role, label)
    mine = state.checking == ONE
    assert line.findChild(Meter).isVisible() is mine
    assert button.isEnabled() is (state.checking is None or (mine and not state.stopping))


def test_the_button_begins_and_cancels(line: HealthLine, child: Find, qtbot: QtBot) -> None:
    button = child(line, QPushButton, "installed_check")
    line.show_health(HealthState(ONE))
    with qtbot.waitSignal(line.checkRequested), qtbot.assertNotEmitted(line.cancelRequested):
        button.click()
    line.show_health(HealthState(ONE, checking=ONE))
    with qtbot.waitSignal(line.cancelRequested), qtbot.assertNotEmitted(line.checkRequested):
        button.click()


def test_what_is_no_model_is_not_checked(line: HealthLine, child: Find) -> None:
    line.show_health(HealthState(ONE))
    line.set_usable(False)
    assert not child(line, QPushButton, "installed_check").isEnabled()
