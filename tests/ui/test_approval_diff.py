"""The well of changes: hunks are taken or refused, it grows to a limit, keys move it."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import FileChange, Hunk
from rony_desktop.ui.approval.diff import DiffView
from rony_desktop.ui.approval.text import HEIGHT
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


def change(hunks: int, lines: int = 1) -> FileChange:
    return FileChange(
        "a", "x", "y", tuple(Hunk(n * 9, ("old\n",), ("new\n",) * lines) for n in range(hunks))
    )


@pytest.fixture
def view(theme: Theme, qtbot: QtBot) -> DiffView:
    view = DiffView(theme)
    qtbot.addWidget(view)
    view.resize(600, 200)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_hunks_are_taken_unless_refused(view: DiffView, qtbot: QtBot, child: Find) -> None:
    view.show_change(change(3))
    assert view.taken is None
    box = child(view, QCheckBox, "hunk_1")
    assert "Removed: old" in box.accessibleDescription()
    with qtbot.waitSignal(view.chosen):
        qtbot.mouseClick(box, Qt.MouseButton.LeftButton)
    assert view.taken == (0, 2)
    view.show_change(change(2))
    assert view.taken is None


def test_a_single_hunk_and_very_many_have_no_boxes(view: DiffView) -> None:
    for count in (1, 201):
        view.show_change(change(count))
        assert view.taken is None
        assert view.findChild(QCheckBox, "hunk_0") is None


def test_it_grows_with_its_rows_up_to_a_limit(view: DiffView) -> None:
    heights = []
    for lines in (1, 5, 500):
        view.show_change(change(1, lines))
        heights.append(view.heightForWidth(600))
    assert heights[0] < heights[1] < heights[2] == HEIGHT
    assert view.sizeHint().height() == HEIGHT
    assert view.minimumSizeHint().height() < HEIGHT


def test_home_and_end_move_and_the_end_is_noted(view: DiffView, qtbot: QtBot) -> None:
    view.show_change(change(1, 500))
    view.viewport().repaint()
    assert not view.seen
    bar = view.verticalScrollBar()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert 0 < bar.value() < bar.maximum()
    with qtbot.waitSignal(view.endSeen):
        qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.seen
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert bar.value() == 0
    view.show_change(change(1, 600))
    assert not view.seen
