"""The end was seen only where it was complete, scrolled to, and painted."""

import pytest
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.approval.end import EndWatch

pytestmark = pytest.mark.ui


def test_the_end_is_seen_where_it_is_seen(qtbot: QtBot) -> None:
    outer = QWidget()
    qtbot.addWidget(outer)
    outer.resize(300, 100)
    area = QPlainTextEdit("line\n" * 100, outer)
    area.setGeometry(0, 60, 300, 200)
    watch = EndWatch(area, area.viewport())
    outer.show()
    qtbot.waitExposed(outer)
    bar = area.verticalScrollBar()

    def painted() -> bool:
        outer.repaint()
        area.viewport().repaint()
        return watch.seen

    bar.setValue(bar.maximum())
    assert not painted(), "there is more to come"
    watch.complete()
    assert not painted(), "its lower edge lies outside the window"
    outer.resize(300, 300)
    bar.setValue(0)
    assert not painted(), "its beginning is shown"
    with qtbot.waitSignal(watch.came):
        bar.setValue(bar.maximum())
    watch.complete(False)
    assert watch.seen, "what was seen was seen"
    watch.reset()
    assert not painted()
