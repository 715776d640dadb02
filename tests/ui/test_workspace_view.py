"""The view of the folder: the header's button and the sheet of trust."""

from dataclasses import dataclass

import pytest
from PySide6.QtWidgets import QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.theme import Theme
from rony_desktop.ui.workspace.folder import FolderButton
from rony_desktop.ui.workspace.trust import TrustSheet
from rony_desktop.ui.workspace.view import WorkspacePane

pytestmark = pytest.mark.ui


@dataclass(frozen=True)
class File:
    name: str = "AGENTS.md"
    text: str = "Be brief."


@pytest.mark.x11  # offscreen has no menus and sheets above others
def test_trust_is_answered_once_and_taken_away_without_an_answer(
    theme: Theme, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    button = FolderButton(theme, window)
    window.show()
    pane = WorkspacePane(theme, button, window)
    answers: list[bool] = []
    pane.answered.connect(answers.append)
    pane.show_folder("/home/ana/Bridges")
    assert button.text() == "Bridges"
    pane.show_menu(())
    menu = button.findChild(QMenu, "folder_menu")
    assert menu is not None
    menu.close()
    pane.ask_trust("/a", (File(),))
    pane.hide_trust()
    assert answers == []
    for press, answer in (("reject", False), ("accept", True)):
        pane.ask_trust("/a", (File(),))
        sheet = pane._sheet
        assert isinstance(sheet, TrustSheet)
        assert sheet.findChild(QPushButton, "trust_later") is not None
        getattr(sheet, press)()
        assert answers[-1] is answer
        assert pane._sheet is None
    pane.hide_trust()
    assert answers == [False, True]
