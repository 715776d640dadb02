"""The folder's button: its name, its menu, its key, its size."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.header import Header
from rony_desktop.ui.theme import Theme, ThemeMode
from rony_desktop.ui.workspace.folder import RECENT, FolderButton

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@dataclass(frozen=True)
class Folder:
    path: str
    exists: bool = True


@pytest.fixture
def button(theme: Theme, qtbot: QtBot) -> FolderButton:
    button = FolderButton(theme)
    qtbot.addWidget(button)
    button.show()
    button.activateWindow()
    qtbot.waitUntil(button.isActiveWindow)
    return button


def test_it_names_the_folder_and_tells_the_whole_path(button: FolderButton) -> None:
    assert (button.text(), button.accessibleName()) == ("No folder", "Folder: No folder")
    button.show_folder("/home/ana/R&D \u202e")
    assert button.text() == "R&&D \\u202e"
    assert button.accessibleName() == "Folder: /home/ana/R&D \\u202e"
    assert "/home/ana/R&amp;D \\u202e" in button.toolTip()
    button.show_folder("/")
    assert button.text() == "/"
    button.show_folder("/home/" + "long" * 60)
    assert "\u2026" in button.text()
    assert button.sizeHint().width() < 260


def test_it_is_asked_by_click_and_key(button: FolderButton, qtbot: QtBot) -> None:
    with qtbot.waitSignal(button.menuRequested):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(button.menuRequested):
        qtbot.keyClick(button, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.x11  # offscreen has no menus and sheets above others
def test_the_menu_has_recent_folders_and_the_rest(
    button: FolderButton, qtbot: QtBot, child: Find
) -> None:
    button.show_folder("/b")
    long = "/home/" + "a&b/" * 60
    folders = [
        Folder("/a", False),
        Folder("/b"),
        Folder(long),
        *(Folder(f"/{n}") for n in range(9)),
    ]
    button.show_menu(folders)
    menu = child(button, QMenu, "folder_menu")
    actions = [action for action in menu.actions() if not action.isSeparator()]
    assert len(actions) == RECENT + 3
    assert (actions[0].text(), actions[0].isEnabled()) == ("/a (missing)", False)
    assert actions[1].isChecked()
    assert "\u2026" in actions[2].text()
    assert long.replace("&", "&amp;") in actions[2].toolTip()
    with qtbot.waitSignal(button.chosen) as caught:
        actions[2].trigger()
    assert caught.args == [long]
    with qtbot.waitSignal(button.chosen) as caught:
        child(menu, QAction, "folder_none").trigger()
    assert caught.args == [""]
    with qtbot.waitSignal(button.permissionsRequested):
        child(menu, QAction, "folder_permissions").trigger()
    menu.close()


@pytest.mark.x11  # offscreen has no menus and sheets above others
def test_a_folder_is_chosen_without_blocking(
    button: FolderButton, qtbot: QtBot, child: Find
) -> None:
    button.show_menu(())
    menu = child(button, QMenu, "folder_menu")
    child(menu, QAction, "folder_choose").trigger()
    menu.close()
    dialog = child(button, QFileDialog, "folder_dialog")
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    with qtbot.waitSignal(button.chosen) as caught:
        dialog.fileSelected.emit("/chosen")
    assert caught.args == ["/chosen"]
    dialog.reject()


def test_a_narrow_header_shows_the_icon_alone(theme: Theme, qtbot: QtBot, child: Find) -> None:
    header = Header(theme)
    qtbot.addWidget(header)
    header.show()
    header.set_model("A model with a long name of its own " * 3, "ready")
    header.folder.show_folder("/home/ana/Bridges")
    header.resize(720, 44)
    assert header.folder.text() == ""
    assert header.minimumSizeHint().width() <= 720
    header.resize(940, 44)
    assert header.folder.text() == "Bridges"
    theme.set_mode(ThemeMode.DARK)
    places = [header.folder.geometry(), child(header, QPushButton, "model_button").geometry()]
    assert places[0].right() < places[1].left()


@pytest.mark.x11  # offscreen has no menus and sheets above others
def test_the_folder_of_the_chat_is_in_the_menu_though_it_was_never_chosen(
    button: FolderButton, child: Find
) -> None:
    button.show_folder("/from/settings")
    button.show_menu([Folder("/a")])
    menu = child(button, QMenu, "folder_menu")
    assert [(a.text(), a.isChecked()) for a in menu.actions()[:2]] == [
        ("/from/settings", True), ("/a", False),
    ]  # fmt: skip
    menu.close()
