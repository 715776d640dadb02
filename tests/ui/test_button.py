"""Buttons: every one can be found by name and read aloud."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.banner import Banner
from rony_desktop.ui.button import page_button, state_icon
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.empty import EmptyKind, EmptyState
from rony_desktop.ui.header import Header
from rony_desktop.ui.sidebar import ChatList
from rony_desktop.ui.status import StatusBar
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_every_button_has_a_name(theme: Theme, qtbot: QtBot) -> None:
    banner = Banner(theme)
    banner.show_error(ErrorText("Cause.", "Remedy.", "Button", "retry"))
    empty = EmptyState(theme)
    empty.set_kind(EmptyKind.NO_CHAT)
    for widget in (
        ChatList(theme),
        Header(theme),
        StatusBar(theme),
        banner,
        empty,
    ):
        qtbot.addWidget(widget)
        for button in (*widget.findChildren(QPushButton), *widget.findChildren(QToolButton)):
            if button.parent() is not None and not isinstance(button.parent(), QLineEdit):
                assert button.accessibleName(), button
                assert button.objectName(), button


def test_states_differ_in_shape_and_not_only_in_colour(theme: Theme) -> None:
    shapes = set()
    for state in ("off", "busy", "ready", "error"):
        image = state_icon(theme, state).pixmap(12, 12).toImage()
        shapes.add(
            tuple(image.pixelColor(x, y).alpha() > 128 for x in range(12) for y in range(12))
        )
    assert len(shapes) == 4


def test_enter_in_a_field_of_the_dialog_means_no_button_of_a_page(qtbot: QtBot) -> None:
    dialog, pressed = QDialog(), []
    qtbot.addWidget(dialog)
    button, field = page_button("Delete", "outline", "delete", dialog), QLineEdit(dialog)
    button.clicked.connect(lambda: pressed.append("delete"))
    dialog.show()
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert (pressed, button.height()) == ([], 32)
    button.click()
    assert pressed == ["delete"]
