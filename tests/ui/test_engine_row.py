"""A build as a row: one button that begins, cancels, or gives way to a mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.engine.presenter import Deed, Work
from rony_desktop.ui.engine.row import BuildRow
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
WORK = Work(Deed.INSTALL, "b1-cpu", 10, 40)


@pytest.fixture
def row(theme: Theme, qtbot: QtBot) -> BuildRow:
    row = BuildRow(theme, "b1-cpu")
    qtbot.addWidget(row)
    row.show()
    row.show_build("b1 · processor", "Runs on every processor")
    row.set_verb("Install")
    row.show_work(None, busy=False)
    return row


@pytest.fixture
def button(row: BuildRow, child: Callable[..., Any]) -> QPushButton:
    found: QPushButton = child(row, QPushButton, "engine_row_button")
    return found


def test_it_begins_and_cancels(row: BuildRow, button: QPushButton, qtbot: QtBot) -> None:
    assert button.accessibleName() == "Install: b1 · processor"
    with qtbot.waitSignal(row.pressed) as told, qtbot.assertNotEmitted(row.cancelled):
        button.click()
    assert told.args == ["b1-cpu"]
    row.show_work(WORK, busy=True)
    assert (button.text(), row.findChild(Meter).isVisible()) == ("Cancel", True)
    with qtbot.waitSignal(row.cancelled), qtbot.assertNotEmitted(row.pressed):
        button.click()
    row.show_work(Work(Deed.INSTALL, "b1-cpu", stopping=True), busy=True)
    assert not button.isEnabled()


def test_it_waits_while_another_one_works_or_a_setting_decides(
    row: BuildRow, button: QPushButton
) -> None:
    row.show_work(None, busy=True)
    assert not button.isEnabled()
    row.show_work(None, busy=False, blocked=True)
    assert not button.isEnabled()
    row.show_work(None, busy=False)
    assert button.isEnabled()


def test_the_chosen_one_has_a_mark_instead(row: BuildRow, button: QPushButton) -> None:
    row.set_verb("Use", "Chosen")
    row.show_work(None, busy=False)
    assert not button.isVisible()
    assert not row._tick.pixmap().isNull()
    row.set_verb("Use")
    row.show_work(None, busy=False)
    assert button.isVisible()
    assert row._tick.pixmap().isNull()
