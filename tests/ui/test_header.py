"""The header: the title that can be changed, the model, the menu."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.button import StateLook
from rony_desktop.ui.header import Header
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
LONG = (
    "<b>A very long title</b> that goes on and on about bridges, arches and domes in all of Spain"
)


def test_title_is_edited_by_double_click(theme: Theme, qtbot: QtBot, child: Find) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.resize(700, 44)
    header.show()
    header.set_title(LONG)
    label = child(header, QLabel, "title_label")
    assert label.textFormat() is Qt.TextFormat.PlainText
    qtbot.mouseDClick(label, Qt.MouseButton.LeftButton)
    field = child(header, QLineEdit, "title_field")
    assert field.text() == LONG
    field.setText("Short")
    with qtbot.waitSignal(header.titleChanged) as caught:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert caught.args == ["Short"]
    assert label.text() == "Short"


def test_enter_ends_the_edit_and_does_not_begin_another(
    theme: Theme, qtbot: QtBot, child: Find
) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.resize(900, 44)
    header.show()
    header.activateWindow()
    qtbot.waitUntil(header.isActiveWindow)
    header.set_title("Old")
    title, field = child(header, QWidget, "title"), child(header, QLineEdit, "title_field")
    title.setFocus()
    qtbot.keyClick(title, Qt.Key.Key_Return)
    assert header.focusWidget() is field
    qtbot.keyClicks(field, "New")
    with qtbot.waitSignal(header.titleChanged) as caught:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert caught.args == ["New"]
    assert not field.isVisible()
    assert header.focusWidget() is title


def test_escape_leaves_the_title(theme: Theme, qtbot: QtBot, child: Find) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.show()
    header.set_title("Kept")
    header.edit_title()
    field = child(header, QLineEdit, "title_field")
    field.setText("Lost")
    with qtbot.assertNotEmitted(header.titleChanged):
        qtbot.keyClick(field, Qt.Key.Key_Escape)
        field.clearFocus()
    assert child(header, QLabel, "title_label").text() == "Kept"


def test_model_button_and_menu(theme: Theme, qtbot: QtBot, child: Find) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.resize(900, 44)
    header.show()
    header.set_model("A & B " * 30, "ready")
    button = child(header, QPushButton, "model_button")
    assert button.width() < 400
    assert button.accessibleName().startswith("Model: A & B")
    with qtbot.waitSignal(header.modelRequested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(header.themeRequested) as caught:
        child(header.menu, QAction, "theme_dark").trigger()
    assert caught.args == ["dark"]
    with qtbot.waitSignal(header.sidebarToggled):
        qtbot.mouseClick(child(header, QToolButton, "sidebar_button"), Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("state", "words"),
    [("busy", "Loading"), ("off", "Choose a model"), ("error", "Choose a model")],
)
def test_a_model_is_asked_for_only_where_none_is_on_its_way(
    theme: Theme, qtbot: QtBot, child: Find, state: StateLook, words: str
) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.resize(900, 44)
    header.set_model("", state)
    assert child(header, QPushButton, "model_button").text() == words


def test_the_focus_of_the_title_is_seen(theme: Theme, qtbot: QtBot, child: Find) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.resize(900, 44)
    header.show()
    header.activateWindow()
    qtbot.waitUntil(header.isActiveWindow)
    header.set_title("Bridges")
    title = child(header, QWidget, "title")
    child(header, QPushButton, "model_button").setFocus()
    without = title.grab().toImage()
    title.setFocus(Qt.FocusReason.TabFocusReason)
    assert title.grab().toImage() != without
    assert title.height() == 32
