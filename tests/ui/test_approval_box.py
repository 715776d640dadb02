"""The check box: its state and its focus are seen, all of it can be clicked."""

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from rony_desktop.ui.approval.box import CheckBox
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_the_box_is_clicked_anywhere_and_seen(theme: Theme, qtbot: QtBot) -> None:
    box = CheckBox(theme, "Take this change")
    qtbot.addWidget(box)
    box.resize(box.sizeHint())
    box.show()
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    box.clearFocus()
    empty = box.grab().toImage()
    edge = QPoint(box.width() - 2, box.height() // 2)
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=edge)
    assert box.isChecked()
    box.clearFocus()
    checked = box.grab().toImage()
    assert checked != empty
    box.setFocus(Qt.FocusReason.TabFocusReason)
    assert box.grab().toImage() != checked
    assert box.accessibleName() == "Take this change"
