"""One model: its files in a list, one sentence and one button for the chosen one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import HubGated
from rony_desktop.contract.launch import Fit
from rony_desktop.ui.discover.list import LineList
from rony_desktop.ui.discover.opened import OpenedPane
from rony_desktop.ui.discover.state import Item, Opened
from rony_desktop.ui.theme import Theme
from tests.fixture.download import MODEL, offer, quant

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
QUANTS = [quant(name) for name in ("Q2_K", "Q4_K_M", "Q8_0")]
ITEMS = tuple(Item(each, offer(each)) for each in QUANTS)
SHOWN = Opened(MODEL, reading=False, items=ITEMS, chosen=1)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> OpenedPane:
    pane = OpenedPane(theme)
    qtbot.addWidget(pane)
    pane.resize(560, 420)
    pane.show_opened(SHOWN)
    pane.show()
    return pane


def test_it_shows_the_chosen_one(pane: OpenedPane, child: Find) -> None:
    lines = child(pane, LineList, "opened_list")
    assert lines.count() == 3
    assert lines.currentIndex().row() == 1
    assert child(pane, QPushButton, "opened_press").text().startswith("Download")
    assert child(pane, QPushButton, "opened_press").accessibleName().endswith(", Q4_K_M")
    assert child(pane, QLabel, "opened_sentence").text().startswith("It fits")
    assert not child(pane, QLabel, "opened_nothing").isVisible()


def test_arrows_choose_and_a_double_click_presses(
    pane: OpenedPane, child: Find, qtbot: QtBot
) -> None:
    lines = child(pane, LineList, "opened_list")
    with qtbot.waitSignal(pane.chosen) as chosen:
        qtbot.keyClick(lines, Qt.Key.Key_Down)
    assert chosen.args == [2]
    pane.show_opened(replace(SHOWN, chosen=2))
    with qtbot.waitSignal(pane.pressed):
        qtbot.keyClick(lines, Qt.Key.Key_Return)
    with qtbot.waitSignal(pane.pressed):
        qtbot.keyClick(child(pane, QPushButton, "opened_press"), Qt.Key.Key_Space)
    with qtbot.waitSignal(pane.backRequested):
        qtbot.keyClick(lines, Qt.Key.Key_Left)


def test_a_click_chooses_and_presses_nothing(pane: OpenedPane, child: Find, qtbot: QtBot) -> None:
    lines = child(pane, LineList, "opened_list")
    place = lines.visualRect(lines.model().index(0, 0)).center()
    with qtbot.assertNotEmitted(pane.pressed), qtbot.waitSignal(pane.chosen):
        qtbot.mouseClick(lines.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_looks_of_the_button_follow(pane: OpenedPane, child: Find) -> None:
    press = child(pane, QPushButton, "opened_press")
    assert press.property("look") == "primary"
    large = replace(ITEMS[1], offer=offer(QUANTS[1], Fit.TOO_LARGE))
    pane.show_opened(replace(SHOWN, items=(ITEMS[0], large, ITEMS[2]), asked=True))
    assert (press.text(), press.property("look")) == ("Download anyway", "outline")


def test_while_it_is_read_nothing_can_be_pressed(pane: OpenedPane, child: Find) -> None:
    pane.show_opened(Opened(MODEL))
    assert not child(pane, QPushButton, "opened_press").isVisible()
    assert child(pane, QLabel, "opened_nothing").text() == "Reading what there is of it"
    assert pane._meter.moving()
    pane.show_opened(Opened(MODEL, reading=False))
    assert "nothing in it" in child(pane, QLabel, "opened_nothing").text()
    assert not pane._foot.isVisible()
    assert not pane._meter.moving()


def test_a_gated_model_says_what_to_do(pane: OpenedPane, child: Find, qtbot: QtBot) -> None:
    failure = HubGated(model=MODEL.id, page="https://hub/page").failure()
    pane.show_opened(replace(SHOWN, failure=failure))
    assert "https://hub/page" in child(pane, QLabel, "banner_remedy").text()
    with qtbot.waitSignal(pane.actionRequested) as asked:
        child(pane, QPushButton, "banner_action").click()
    assert asked.args == ["retry"]
    pane.show_opened(SHOWN)
    assert not child(pane, QLabel, "banner_remedy").isVisible()


def test_esc_leads_back_only_where_there_is_a_way(pane: OpenedPane, qtbot: QtBot) -> None:
    pane.set_back(False)
    with qtbot.assertNotEmitted(pane.backRequested):
        qtbot.keyClick(pane, Qt.Key.Key_Escape)
    pane.set_back(True)
    with qtbot.waitSignal(pane.backRequested):
        qtbot.keyClick(pane, Qt.Key.Key_Escape)


def test_enter_presses_only_the_button_that_has_the_focus(
    pane: OpenedPane, child: Find, qtbot: QtBot
) -> None:
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    press = child(pane, QPushButton, "opened_press")
    assert not press.autoDefault()
    with qtbot.assertNotEmitted(pane.pressed):
        qtbot.keyClick(pane, Qt.Key.Key_Return)
    press.setFocus()
    with qtbot.waitSignal(pane.pressed):
        qtbot.keyClick(press, Qt.Key.Key_Return)
