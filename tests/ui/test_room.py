"""The room of widgets."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.room import keep_room, scroll_area

pytestmark = pytest.mark.ui


def test_what_is_hidden_keeps_its_room(qtbot: QtBot) -> None:
    page, first, second = QWidget(), QLabel("first"), QLabel("second")
    qtbot.addWidget(page)
    column = QVBoxLayout(page)
    column.addWidget(first)
    column.addWidget(second)
    keep_room(first)
    before = column.sizeHint()
    first.hide()
    assert column.sizeHint() == before


@pytest.mark.parametrize("keys", [False, True])
def test_a_page_scrolls_up_and_down_alone(qtbot: QtBot, keys: bool) -> None:
    outside = QWidget()
    qtbot.addWidget(outside)
    page = QWidget(outside)
    page.setMinimumSize(400, 400)
    area = scroll_area("some_area", page, keys=keys)
    assert (area.widget(), area.parent(), area.objectName()) == (page, outside, "some_area")
    assert (area.focusPolicy() == Qt.FocusPolicy.NoFocus) is not keys
    outside.resize(100, 100)
    area.resize(100, 100)
    outside.show()
    assert area.verticalScrollBar().maximum() > 0
    assert not area.horizontalScrollBar().isVisible()
