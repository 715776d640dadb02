"""The row of buttons: what is default, what is named, what is open."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.approval.action import Actions
from rony_desktop.ui.approval.guard import Guard
from rony_desktop.ui.theme import Theme, ThemeMode

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


def test_only_deny_is_the_default(theme: Theme, qtbot: QtBot) -> None:
    actions = Actions(theme, Guard())
    qtbot.addWidget(actions)
    defaults = [b.objectName() for b in actions.findChildren(QPushButton) if b.isDefault()]
    assert defaults == ["approval_deny"]
    assert all(b.shortcut().isEmpty() for b in actions.findChildren(QPushButton))


def test_a_closed_allow_says_why(theme: Theme, qtbot: QtBot, child: Find) -> None:
    actions = Actions(theme, Guard())
    qtbot.addWidget(actions)
    actions.set_open(False, "Not yet.")
    allow = child(actions, QPushButton, "approval_allow")
    assert not allow.isEnabled()
    assert not child(actions, QPushButton, "approval_longer").isEnabled()
    assert allow.accessibleDescription() == "Not yet."
    assert child(actions, QLabel, "approval_hint").text() == "Not yet."
    theme.set_mode(ThemeMode.DARK)
    actions.set_open(True, "")
    assert allow.isEnabled()


def test_another_question_brings_the_buttons_back(theme: Theme, qtbot: QtBot, child: Find) -> None:
    actions = Actions(theme, Guard())
    qtbot.addWidget(actions)
    actions.show()
    child(actions, QPushButton, "approval_deny_why").click()
    field = child(actions, QLineEdit, "approval_reason")
    qtbot.keyClicks(field, "Half a reas")
    actions.focus_deny()
    assert field.isVisible()
    actions.set_deed("")
    assert not field.isVisible()
    assert field.text() == ""
    assert child(actions, QPushButton, "approval_longer").isHidden()
