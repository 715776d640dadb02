"""Empty states: one sentence and one button."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.empty import EmptyKind, EmptyState
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@pytest.mark.parametrize("kind", list(EmptyKind))
def test_empty_states_say_what_to_do(
    theme: Theme, qtbot: QtBot, kind: EmptyKind, child: Find
) -> None:
    empty = EmptyState(theme)
    qtbot.addWidget(empty)
    empty.show()
    empty.set_kind(kind, "<b>x</b>")
    button = child(empty, QPushButton, "empty_action")
    assert button.isVisible() is (
        kind in {EmptyKind.NO_MODEL, EmptyKind.NO_CHAT, EmptyKind.NO_DOWNLOAD}
    )
    assert all(
        label.textFormat() is Qt.TextFormat.PlainText for label in empty.findChildren(QLabel)
    )
    if button.isVisible():
        with qtbot.waitSignal(empty.actionTriggered) as caught:
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert caught.args == [kind.value]


def test_before_anything_is_known_it_gets_ready(theme: Theme, qtbot: QtBot, child: Find) -> None:
    empty = EmptyState(theme)
    qtbot.addWidget(empty)
    empty.show()
    assert not child(empty, QPushButton, "empty_action").isVisible()
    assert empty.accessibleName() == "Getting ready. Loading the model"


def test_a_failure_leaves_the_button_to_the_banner(theme: Theme, qtbot: QtBot, child: Find) -> None:
    empty = EmptyState(theme)
    qtbot.addWidget(empty)
    empty.show()
    empty.set_kind(EmptyKind.FAILED, "Choose another model.")
    assert not child(empty, QPushButton, "empty_action").isVisible()
    assert empty.accessibleName() == "Not ready to answer. Choose another model."
