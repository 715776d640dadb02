"""Explain my launch: what runs, what was taken, every flag, and the command to copy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from rony_desktop.contract.engine import EngineState, EngineStatus, Loaded
from rony_desktop.contract.error import Action, BinaryNotFound
from rony_desktop.contract.launch import Rung
from rony_desktop.ui.launch.command import command
from rony_desktop.ui.launch.table import FlagTable
from rony_desktop.ui.launch.view import LaunchPane
from rony_desktop.ui.theme import Theme
from tests.fixture.plan import CARD, planned

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
READY = EngineState.READY


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> LaunchPane:
    pane = LaunchPane(theme)
    qtbot.addWidget(pane)
    pane.resize(720, 480)
    pane.show()
    return pane


def test_every_state_says_whether_these_options_run(
    pane: LaunchPane, tmp_path: Path, child: Find
) -> None:
    made, said = planned(tmp_path), {}
    for state in EngineState:
        pane.show_launch(made, EngineStatus(state))
        said[state] = child(pane, QLabel, "launch_state").text()
    assert len(set(said.values())) == 4
    assert said[READY] == said[EngineState.SUSPECT] == "The engine runs with these options."


@pytest.mark.parametrize(("layers", "loud"), [(0, True), (5, False), (None, False)])
def test_an_engine_that_leaves_the_gpu_alone_is_told_of(
    pane: LaunchPane, tmp_path: Path, child: Find, layers: int | None, loud: bool
) -> None:
    made = planned(tmp_path, gpus=(CARD,))
    assert made.launch.gpu_layers
    pane.show_launch(made, EngineStatus(READY, loaded=Loaded(4096, layers, 17)))
    assert child(pane, QFrame, "launch_warning").isVisible() is loud
    pane.show_launch(made, EngineStatus(EngineState.LOADING, loaded=Loaded(4096, layers, 17)))
    assert not child(pane, QFrame, "launch_warning").isVisible()


def test_steps_down_are_told(pane: LaunchPane, tmp_path: Path, child: Find) -> None:
    pane.show_launch(planned(tmp_path), EngineStatus(READY))
    assert not child(pane, QLabel, "launch_rungs").isVisible()
    rungs = (Rung.SMALLER_CACHE, Rung.HALF_CONTEXT)
    pane.show_launch(planned(tmp_path, rungs=rungs), EngineStatus(READY))
    words = child(pane, QLabel, "launch_rungs")
    assert words.isVisible()
    assert words.text().endswith("keys and values half as large, half the context.")


def test_the_whole_command_is_copied(
    pane: LaunchPane, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    made = planned(tmp_path)
    pane.show_launch(made, EngineStatus(READY))
    copy = child(pane, QPushButton, "launch_copy")
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == command(made.flags)
    assert copy.text() == "Copied"
    qtbot.waitUntil(lambda: copy.text() == "Copy as a command", timeout=4000)


def test_the_page_follows_the_row_that_is_chosen(
    pane: LaunchPane, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    pane.resize(520, 300)
    pane.show_launch(planned(tmp_path), EngineStatus(READY))
    scroll = pane.findChild(QScrollArea)
    assert isinstance(scroll, QScrollArea)
    qtbot.waitUntil(lambda: scroll.verticalScrollBar().maximum() > 100)
    table = child(pane, FlagTable, "launch_flags")
    table.setCurrentCell(table.rowCount() - 1, 0)
    assert scroll.verticalScrollBar().value() > 0


def test_a_failure_without_a_launch_says_what_to_do(
    pane: LaunchPane, child: Find, qtbot: QtBot
) -> None:
    pane.show_working("tiny")
    pane.show_failure(BinaryNotFound(tried="none").failure())
    with qtbot.waitSignal(pane.actionRequested) as caught:
        qtbot.mouseClick(child(pane, QPushButton, "banner_action"), Qt.MouseButton.LeftButton)
    assert caught.args == [Action.OPEN_CONFIG]
    pane.show_failure(None)
    pane.show_nothing(elsewhere=False)
    with qtbot.waitSignal(pane.actionRequested) as caught:
        qtbot.mouseClick(child(pane, QPushButton, "empty_action"), Qt.MouseButton.LeftButton)
    assert caught.args == [Action.FIND_MODEL]
