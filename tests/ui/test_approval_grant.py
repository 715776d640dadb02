"""Permissions: listed in full, taken back by click or key."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import Grant
from rony_desktop.ui.approval.grant import GrantDialog

pytestmark = [pytest.mark.ui, pytest.mark.usefixtures("theme")]
Find = Callable[..., Any]
ALWAYS = Grant("1", "write_file", "a\u202e/*", "/f", "walk", expires="2026-12-30T12:00:00+00:00")
CHAT = Grant("2", "edit_file", "b", "/g", "walk", session="s")
OTHER = Grant("3", "edit_file", "<b>c</b>", "/h", "walk", expires="never")


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[GrantDialog]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialog = GrantDialog(window)
    dialog.open()
    qtbot.waitUntil(dialog.isActiveWindow)
    yield dialog
    dialog.close()
    assert not window.windowTitle()


def lines(dialog: GrantDialog, name: str) -> list[str]:
    return [label.text() for label in dialog._area.widget().findChildren(QLabel, name)]


def test_every_permission_says_what_where_and_how_long(dialog: GrantDialog) -> None:
    dialog.set_grants((ALWAYS, CHAT, OTHER, Grant("4", "x", "y", "/i", "walk")))
    assert lines(dialog, "grant_what") == [
        "Write a\\u202e/*", "Edit b", "Edit <b>c</b>", "x y",
    ]  # fmt: skip
    assert lines(dialog, "grant_where") == [
        "until 30 December 2026, in /f", "in this chat, in /g", "until never, in /h", "in /i",
    ]  # fmt: skip


def test_revoke_by_click_and_by_key_keeps_the_place(
    dialog: GrantDialog, qtbot: QtBot, child: Find
) -> None:
    dialog.set_grants((ALWAYS, CHAT))
    button = child(dialog, QPushButton, "revoke_1")
    assert button.accessibleName() == "Revoke: Write a\\u202e/*"
    with qtbot.waitSignal(dialog.revoked) as caught:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert caught.args == ["1"]
    button.setFocus()
    dialog.set_grants((CHAT,))
    left = dialog._buttons()[0]
    assert left.hasFocus()
    with qtbot.waitSignal(dialog.revoked) as caught:
        qtbot.keyClick(left, Qt.Key.Key_Space)
    assert caught.args == ["2"]
    dialog.set_grants(())
    assert child(dialog, QPushButton, "grant_done").hasFocus()


def test_an_empty_list_says_how_it_fills(dialog: GrantDialog, child: Find) -> None:
    assert child(dialog, QLabel, "grant_empty").isVisible()
    dialog.set_grants((CHAT,))
    assert not child(dialog, QLabel, "grant_empty").isVisible()
    child(dialog, QPushButton, "grant_done").click()
    assert not dialog.isVisible()
