"""The doctor page: checks as they come, one line that sums up, a report to copy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.app.check import Check, Found
from rony_desktop.ui.doctor.presenter import Report
from rony_desktop.ui.doctor.view import DoctorPane
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
GOOD = Check("settings", "ok", Found.SETTINGS_DEFAULT)
MORE = Check("gpu", "ok", Found.GPU_NONE)
ODD = Check("gpu", "warning", Found.GPU_UNASKED, {"gpu": "G"})
BAD = Check("engine", "failed", Found.ENGINE_NONE)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> DoctorPane:
    pane = DoctorPane(theme)
    qtbot.addWidget(pane)
    pane.resize(720, 480)
    pane.show()
    return pane


@pytest.mark.parametrize(
    ("report", "summary"),
    [
        (Report(), "Nothing was checked yet"),
        (Report(running=True), "Checking this computer"),
        (Report((GOOD, MORE)), "Everything works"),
        (Report((GOOD, ODD)), "One thing needs attention"),
        (Report((BAD, ODD)), "2 things need attention"),
        (Report((GOOD,), stopped=True), "Not everything was checked"),
    ],
)
def test_one_line_sums_up(pane: DoctorPane, child: Find, report: Report, summary: str) -> None:
    pane.show_report(report)
    assert child(pane, QLabel, "doctor_summary").text() == summary
    assert child(pane, QLabel, "doctor_about").text()


def test_rows_stay_as_others_come(pane: DoctorPane) -> None:
    pane.show_report(Report((GOOD,), running=True))
    first = pane._rows[0]
    pane.show_report(Report((GOOD, BAD), running=True))
    assert pane._rows[0] is first
    assert len(pane._rows) == 2
    pane.show_report(Report(running=True))
    assert pane._rows == []
    pane.show_report(Report((MORE,)))
    assert pane._rows[0].accessibleName().startswith("Graphics: OK.")


def test_while_it_runs_the_button_cancels(pane: DoctorPane, child: Find, qtbot: QtBot) -> None:
    button, meter = child(pane, QPushButton, "doctor_again"), pane._meter
    pane.show_report(Report((GOOD,), running=True))
    assert (button.text(), button.accessibleName()) == ("Cancel", "Cancel")
    assert meter.moving()
    with qtbot.waitSignal(pane.cancelRequested), qtbot.assertNotEmitted(pane.againRequested):
        qtbot.keyClick(button, Qt.Key.Key_Space)
    pane.show_report(Report((GOOD,)))
    assert not meter.isVisible()
    with qtbot.waitSignal(pane.againRequested), qtbot.assertNotEmitted(pane.cancelRequested):
        button.click()


def test_rows_do_not_move_when_it_is_done(pane: DoctorPane) -> None:
    pane.show_report(Report((GOOD, MORE), running=True))
    QGuiApplication.processEvents()
    before = pane._rows[1].mapTo(pane, pane._rows[1].rect().topLeft())
    pane.show_report(replace(pane._report, running=False))
    QGuiApplication.processEvents()
    assert pane._rows[1].mapTo(pane, pane._rows[1].rect().topLeft()) == before


def test_the_report_is_copied_as_text(pane: DoctorPane, child: Find) -> None:
    copy = child(pane, QPushButton, "doctor_copy")
    assert not copy.isEnabled()
    pane.show_report(Report((GOOD, BAD)))
    copy.click()
    said = QGuiApplication.clipboard().text().splitlines()
    assert said[0] == "OK: Settings: The defaults; there is no settings file"
    assert said[1] == "Failed: Engine: No engine works on this computer"
    assert "copied" in child(pane, QLabel, "doctor_about").text()
