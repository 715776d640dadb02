"""A list of lines by keys: it tells of what the user does, and of nothing the program does."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from rony_desktop.ui.discover.lines import Line
from rony_desktop.ui.discover.list import LineList
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
LINES = [Line(name, "") for name in ("one", "two", "three")]


class Told:
    """A list, and what it told."""

    def __init__(self, theme: Theme, qtbot: QtBot) -> None:
        self.list = LineList(theme, 0)
        qtbot.addWidget(self.list)
        self.said = list[tuple[str, int]]()
        self.list.moved.connect(lambda row: self.said.append(("moved", row)))
        self.list.picked.connect(lambda row: self.said.append(("picked", row)))
        self.list.confirmed.connect(lambda: self.said.append(("confirmed", 0)))
        self.list.left.connect(lambda: self.said.append(("left", 0)))
        self.list.set_lines(LINES)
        self.list.resize(300, 300)
        self.list.show()


@pytest.fixture
def told(theme: Theme, qtbot: QtBot) -> Told:
    return Told(theme, qtbot)


def test_arrows_move_and_enter_picks(told: Told, qtbot: QtBot) -> None:
    told.list.set_current(-1)
    qtbot.keyClick(told.list, Qt.Key.Key_Return)
    assert told.said == []
    told.list.set_current(0)
    assert told.said == []
    qtbot.keyClick(told.list, Qt.Key.Key_Down)
    qtbot.keyClick(told.list, Qt.Key.Key_Enter)
    qtbot.keyClick(told.list, Qt.Key.Key_Left)
    assert told.said == [("moved", 1), ("picked", 1), ("confirmed", 0), ("left", 0)]


def test_a_click_picks(told: Told, qtbot: QtBot) -> None:
    place = told.list.visualRect(told.list.model().index(2, 0)).center()
    qtbot.mouseClick(told.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.said == [("moved", 2), ("picked", 2)]
    qtbot.mouseDClick(told.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.said[2:] == [("confirmed", 0)]


def test_the_row_stays_while_words_change_and_goes_with_other_rows(told: Told) -> None:
    told.list.set_current(1)
    told.list.set_lines([Line(line.title, "more") for line in LINES])
    assert told.list.currentIndex().row() == 1
    assert told.list.line(1).detail == "more"
    told.list.set_lines(LINES[:2])
    assert not told.list.selectedIndexes()
    assert told.list.count() == 2
    told.list.set_current(1)
    told.list.set_current(-1)
    assert not told.list.selectedIndexes()
    assert told.said == []


def test_tab_comes_to_the_first_row(told: Told, qtbot: QtBot) -> None:
    told.list.activateWindow()
    qtbot.waitUntil(told.list.isActiveWindow)
    told.list.clearFocus()
    told.list.set_current(-1)
    told.list.setFocus(Qt.FocusReason.TabFocusReason)
    assert [index.row() for index in told.list.selectedIndexes()] == [0]
    assert told.said == []
