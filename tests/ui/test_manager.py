from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.manager import ManagerDialog
from rony_desktop.ui.theme import Theme

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]


def test_pages_are_reached_by_their_numbers_and_esc_closes(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ManagerDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, on=False)
    made: list[str] = []

    def page(name: str) -> QWidget:
        made.append(name)
        return QLabel(name)

    for name in ("one", "two", "three"):
        dialog.add_page(name, name.title(), partial(page, name))
    dialog.show_page("three")
    assert made == ["three"], "a page is made when it is first shown"
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClick(dialog, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    shown = dialog.page("two")
    assert shown
    assert shown.isVisible()
    assert shown.accessibleName() == "Two"
    tabs = dialog.findChild(QTabWidget, "manager_tabs")
    assert isinstance(tabs, QTabWidget)
    tabs.setCurrentIndex(0)
    dialog.show_page("three")
    assert made == ["three", "two", "one"]
    with qtbot.waitSignal(dialog.closed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_page_may_say_where_the_keys_go(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ManagerDialog(window)
    keen, field = QWidget(), QLineEdit()
    field.setParent(keen)
    keen.setFocusProxy(field)
    dialog.add_page("one", "One", QWidget)
    dialog.add_page("two", "Two", lambda: keen)
    dialog.show_page("two")
    qtbot.waitUntil(dialog.isActiveWindow)
    assert field.hasFocus()
    dialog.show_page("one")
    assert not field.hasFocus()
    dialog.close()
