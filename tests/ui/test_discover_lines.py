"""Rows of lines: what they tell, what changes one by one, and that all of it is painted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from rony_desktop.ui.discover.lines import Line, LineDelegate, LineModel
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
ONE = Line("One", "a · b", tip="<b>One</b>")
TWO = Line("Two", "c", tag="Best", sign="check", role="ok", side="Fits", below="Here")


def test_a_line_is_spoken_whole() -> None:
    assert ONE.spoken == "One, a, b"
    assert TWO.spoken == "Two, Best, Fits, Here, c"


def test_the_model_tells_what_a_line_says_as_plain_text() -> None:
    model = LineModel()
    assert model.set_lines([ONE, TWO])
    first = model.index(0)
    assert model.data(first) == "One"
    assert model.data(first, Qt.ItemDataRole.AccessibleTextRole) == ONE.spoken
    assert "&lt;b&gt;One" in str(model.data(first, Qt.ItemDataRole.ToolTipRole))
    assert model.data(first, Qt.ItemDataRole.DecorationRole) is None
    assert model.rowCount(first) == 0


def test_only_lines_that_changed_are_told_of(qtbot: QtBot) -> None:
    model, told = LineModel(), list[int]()
    model.set_lines([ONE, TWO])
    model.dataChanged.connect(lambda start, _: told.append(start.row()))
    with qtbot.assertNotEmitted(model.modelReset):
        assert not model.set_lines([ONE, replace(TWO, below="Gone")])
    assert told == [1]
    assert model.line(model.index(1)).below == "Gone"
    with qtbot.waitSignal(model.modelReset):
        assert model.set_lines([TWO])
    assert model.rowCount() == 1


def painted(theme: Theme, qtbot: QtBot, line: Line, width: int = 400, **how: bool) -> QImage:
    view = QListView()
    qtbot.addWidget(view)
    model = LineModel(view)
    model.set_lines([line])
    view.setModel(model)
    delegate = LineDelegate(theme, 120, view)
    view.setItemDelegate(delegate)
    view.resize(width, 120)
    if how.get("chosen"):
        view.setCurrentIndex(model.index(0))
    view.show()
    return view.grab().toImage()


def test_every_part_of_a_line_is_painted(theme: Theme, qtbot: QtBot) -> None:
    whole = painted(theme, qtbot, TWO)
    for name in ("title", "detail", "tag", "sign", "side", "below"):
        assert painted(theme, qtbot, replace(TWO, **{name: ""})) != whole, name
    assert painted(theme, qtbot, TWO, chosen=True) != whole


def test_parts_that_find_no_room_are_left_out_whole(theme: Theme, qtbot: QtBot) -> None:
    short = replace(ONE, detail="first part of it")
    long = replace(ONE, detail=f"first part of it · {'x' * 80}")
    assert painted(theme, qtbot, long, 300) == painted(theme, qtbot, short, 300)
