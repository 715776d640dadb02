"""Trust: both files whole, refusing is the default."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.approval.escape import RETURN
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.workspace.trust import TrustSheet

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@dataclass(frozen=True)
class File:
    name: str
    text: str


FILES = (File("rony.yaml", "model: small\n"), File("AGENTS.md", "Be \u202e brief.\n" * 300))


@pytest.fixture
def sheet(theme: Theme, qtbot: QtBot) -> Iterator[TrustSheet]:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    sheet = TrustSheet(theme, window)
    sheet.show_files("/home/ana\u200b", FILES)
    qtbot.waitUntil(sheet.isActiveWindow)
    yield sheet
    sheet.close()
    assert not window.windowTitle()


def test_both_files_are_shown_whole(sheet: TrustSheet, qtbot: QtBot, child: Find) -> None:
    title = child(sheet, QLabel, "trust_title").text()
    assert title == "Use the settings and instructions in /home/ana\\u200b?"
    first, second = (child(sheet, QPlainTextEdit, f"trust_{n}") for n in range(2))
    assert first.toPlainText() == "model: small" + RETURN + "\n"
    whole = ("Be \\u202e brief." + RETURN + "\n") * 300
    qtbot.waitUntil(lambda: second.toPlainText() == whole)
    said = " ".join(label.text() for label in sheet.findChildren(QLabel))
    assert "rony.yaml It may change model, persona and app settings" in said
    assert "AGENTS.md It tells Rony how to work" in said


def test_not_now_has_the_focus_and_enter_refuses(
    sheet: TrustSheet, qtbot: QtBot, child: Find
) -> None:
    later = child(sheet, QPushButton, "trust_later")
    qtbot.waitUntil(later.hasFocus)
    with qtbot.waitSignal(sheet.refused), qtbot.assertNotEmitted(sheet.trusted):
        qtbot.keyClick(later, Qt.Key.Key_Return)
    assert not sheet.isVisible()


def test_use_them_waits_half_a_second(sheet: TrustSheet, qtbot: QtBot, child: Find) -> None:
    use = child(sheet, QPushButton, "trust_use")
    sheet._guard.restart()
    qtbot.mouseClick(use, Qt.MouseButton.LeftButton)
    assert sheet.isVisible()
    qtbot.waitUntil(lambda: sheet._guard.armed)
    with qtbot.waitSignal(sheet.trusted), qtbot.assertNotEmitted(sheet.refused):
        qtbot.mouseClick(use, Qt.MouseButton.LeftButton)


def test_closing_refuses(sheet: TrustSheet, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sheet.refused):
        sheet.close()


def test_other_files_take_their_place(sheet: TrustSheet, child: Find) -> None:
    sheet.show_files("/other", FILES[1:])
    assert sheet._files.findChild(QPlainTextEdit, "trust_1") is None
    assert child(sheet._files, QPlainTextEdit, "trust_0").toPlainText().startswith("Be \\u202e")
