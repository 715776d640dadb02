from __future__ import annotations

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
    pages = [QLabel(name) for name in ("one", "two", "three")]
    for page in pages:
        dialog.add_page(page.text(), page)
    tabs = dialog.findChild(QTabWidget, "manager_tabs")
    assert isinstance(tabs, QTabWidget)
    dialog.show_page(pages[2])
    assert tabs.currentWidget() is pages[2]
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClick(dialog, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert tabs.currentWidget() is pages[1]
    with qtbot.waitSignal(dialog.closed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_a_page_may_say_where_the_keys_go(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = ManagerDialog(window)
    plain, keen, field = QWidget(), QWidget(), QLineEdit()
    field.setParent(keen)
    keen.setFocusProxy(field)
    dialog.add_page("one", plain)
    dialog.add_page("two", keen)
    dialog.show_page(keen)
    qtbot.waitUntil(dialog.isActiveWindow)
    assert field.hasFocus()
    dialog.show_page(plain)
    assert not field.hasFocus()
    dialog.close()
