"""The speed page shows the state it is given, and its buttons ask for what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.app.bench import Benchmarked
from rony_desktop.contract.error import Action, EngineBusy, Failure, NoModel
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.speed import (
    Basis,
    Measured,
    Rate,
    Sample,
    Span,
    Speed,
    Trial,
    Tuning,
    Verdict,
)
from rony_desktop.ui.speed.presenter import Job, Progress, SpeedState
from rony_desktop.ui.speed.view import SpeedPane
from rony_desktop.ui.theme import Theme
from tests.fixture.speed import launch

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
SPAN, RATE = Span(2.0, 1.0, 3.0), Rate(2.0, 2.0, 0.0)
RUN = Measured(512, 48, RATE, RATE, 2.0, (Sample(Timings(), 2.0),))
IDLE = SpeedState("one")
DONE = replace(
    IDLE,
    measured=Benchmarked(Speed(SPAN, SPAN, SPAN, Basis.RUN), (RUN,)),
    tuning=Tuning(Verdict.KEPT, launch(), 0.0, 0.0, (Trial({}, 2.0, 2.0, 1.0, 0.0),)),
)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> SpeedPane:
    pane = SpeedPane(theme)
    qtbot.addWidget(pane)
    pane.resize(720, 480)
    pane.show()
    return pane


def test_without_a_model_it_says_what_to_do(pane: SpeedPane, child: Find) -> None:
    for name in ("measure", "tune"):
        assert not child(pane, QPushButton, f"speed_{name}").isEnabled()
        assert child(pane, QLabel, f"speed_{name}_about").text().startswith("Choose a model")
    pane.show_state(IDLE)
    assert "about a minute" in child(pane, QLabel, "speed_tune_about").text()


def test_the_buttons_begin_what_they_say(pane: SpeedPane, child: Find, qtbot: QtBot) -> None:
    pane.show_state(IDLE)
    for name, asked in (("measure", pane.measureRequested), ("tune", pane.tuneRequested)):
        with qtbot.waitSignal(asked), qtbot.assertNotEmitted(pane.cancelRequested):
            qtbot.keyClick(child(pane, QPushButton, f"speed_{name}"), Qt.Key.Key_Space)


def test_while_one_runs_its_button_cancels_and_the_other_waits(
    pane: SpeedPane, child: Find, qtbot: QtBot
) -> None:
    pane.show_state(replace(IDLE, progress=Progress(Job.TUNE, 2, 6)))
    measure, tune = (child(pane, QPushButton, f"speed_{name}") for name in ("measure", "tune"))
    assert (measure.isEnabled(), tune.text()) == (False, "Cancel")
    assert child(pane, QLabel, "speed_tune_progress").text().startswith("3 of 6")
    assert not child(pane, QLabel, "speed_measure_progress").isVisible()
    with qtbot.waitSignal(pane.cancelRequested), qtbot.assertNotEmitted(pane.tuneRequested):
        tune.click()
    pane.show_state(replace(IDLE, progress=Progress(Job.TUNE, 2, 6, stopping=True)))
    assert not tune.isEnabled()
    pane.show_state(IDLE)
    assert (tune.isEnabled(), tune.text()) == (True, "Tune")


def test_results_stay_while_something_else_changes(pane: SpeedPane, child: Find) -> None:
    pane.show_state(DONE)
    result, trials = (child(pane, QWidget, f"speed_{name}") for name in ("result", "trials"))
    assert child(pane, QPushButton, "speed_measure").text() == "Measure again"
    assert child(pane, QPushButton, "speed_tune").text() == "Tune again"
    pane.show_state(replace(DONE, progress=Progress(Job.TUNE, 1, 2)))
    assert (result.isVisible(), trials.isVisible()) == (True, True)
    pane.show_state(IDLE)
    assert (result.isVisible(), trials.isVisible()) == (False, False)


def test_an_error_is_tried_again_where_nothing_else_helps(
    pane: SpeedPane, child: Find, qtbot: QtBot
) -> None:
    pane.show_state(replace(IDLE, failed=Job.TUNE, failure=EngineBusy().failure()))
    assert child(pane, QLabel, "speed_tune_sentence").text() == "An answer is being written."
    assert not child(pane, QWidget, "speed_measure_error").isVisible()
    repeat = child(pane, QPushButton, "speed_tune_repeat")
    assert repeat.text() == "Try again"
    with qtbot.waitSignal(pane.retryRequested), qtbot.assertNotEmitted(pane.actionTriggered):
        repeat.click()


def test_an_error_that_the_window_answers_is_handed_on(
    pane: SpeedPane, child: Find, qtbot: QtBot
) -> None:
    failure = Failure(NoModel.code, {"folder": "/m"})
    pane.show_state(replace(IDLE, failed=Job.MEASURE, failure=failure))
    with qtbot.waitSignal(pane.actionTriggered) as told:
        child(pane, QPushButton, "speed_measure_repeat").click()
    assert told.args == [Action.CHOOSE_MODEL]


def test_what_begins_below_comes_into_sight(pane: SpeedPane, child: Find, qtbot: QtBot) -> None:
    pane.resize(720, 200)
    pane.show_state(DONE)
    bar = pane._area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert bar.value() == 0
    pane.show_state(replace(DONE, progress=Progress(Job.TUNE)))
    qtbot.waitUntil(lambda: bar.value() > 0)
