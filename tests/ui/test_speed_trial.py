"""What tuning tried is a table; the one in use has a check where there is a conclusion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.contract.speed import Trial, Tuning, Verdict
from rony_desktop.ui.speed.trial import TrialTable
from rony_desktop.ui.theme import Theme
from tests.fixture.speed import launch

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
THIN, DASH = "\u2009", "\u2013"
TRIALS = (
    Trial({}, 100.0, 10.0, 10.0, 0.02),
    Trial({"repack": False}, 50.0, 10.0, 15.0, 1.0),
    Trial({"threads": 4}, 100.0, 12.0, 8.0, 0.03),
)
FASTER = Tuning(Verdict.FASTER, launch(threads=4), 0.2, 0.02, TRIALS)


def shown(theme: Theme, qtbot: QtBot, tuning: Tuning) -> TrialTable:
    table = TrialTable(theme, tuning)
    qtbot.addWidget(table)
    return table


def rows(table: TrialTable) -> list[str]:
    names = (label.accessibleName() for label in table.findChildren(QLabel))
    return [name for name in names if "," in name]


def in_use(table: TrialTable) -> int:
    return sum(label.accessibleName() == "In use" for label in table.findChildren(QLabel))


def test_the_planned_settings_come_first_then_the_fastest(
    theme: Theme, qtbot: QtBot, child: Find
) -> None:
    table = shown(theme, qtbot, FASTER)
    assert child(table, QLabel, "speed_verdict").text() == f"20{THIN}% faster"
    assert "4 threads for writing" in child(table, QLabel, "speed_meaning").text()
    rate = f"{THIN}tok/s"
    assert rows(table) == [
        f"The planned settings, 100{rate}, 10.0{rate}, {DASH}, 2{THIN}%",
        f"4 threads for writing, 100{rate}, 12.0{rate}, 20{THIN}% faster, 3{THIN}%",
        f"Weights as in the file, 50.0{rate}, 10.0{rate}, 50{THIN}% slower, one round",
    ]


@pytest.mark.parametrize(
    ("verdict", "count"),
    [(Verdict.FASTER, 1), (Verdict.KEPT, 1), (Verdict.NOISY, 0), (Verdict.UNFINISHED, 0)],
)
def test_only_a_conclusion_says_what_is_in_use(
    theme: Theme, qtbot: QtBot, verdict: Verdict, count: int
) -> None:
    assert in_use(shown(theme, qtbot, replace(FASTER, verdict=verdict))) == count


def test_without_trials_there_is_only_the_verdict(theme: Theme, qtbot: QtBot) -> None:
    tuning = Tuning(Verdict.UNFINISHED, launch(), 0.0, 1.0, ())
    assert rows(shown(theme, qtbot, tuning)) == []
