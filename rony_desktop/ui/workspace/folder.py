"""The button of the header that names the chat's folder and opens the menu of folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.theme import Theme

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.folder import RecentFolder

RECENT = 8
NARROW = 720  # pixels of a header below which the icon must do
_NAME = 160
_PATH = 320
_ROOM = 4


class FolderButton(QPushButton):
    """Says which folder the chat works in; the menu is shown by show_menu when it is asked for."""

    menuRequested = Signal()  # noqa: N815 - Qt's naming of signals
    chosen = Signal(str)
    permissionsRequested = Signal()  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._path = ""
        self._narrow = False
        self.setObjectName("folder_button")
        self.setProperty("look", "outline")
        self.setFixedHeight(32)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.menuRequested)
        QShortcut(QKeySequence("Ctrl+O"), self).activated.connect(self.menuRequested)
        theme.changed.connect(self._tint)
        self.show_folder("")

    def show_folder(self, path: str) -> None:
        """Name a folder; "" for none."""
        self._path = path
        whole = visible(path) or self.tr("No folder")
        self.setToolTip(plain_tip(self.tr("{0} (Ctrl+O)").format(whole)))
        self.setAccessibleName(self.tr("Folder: {0}").format(whole))
        self._say()

    def fit(self, width: int) -> None:
        """Be an icon alone in a header that is narrow."""
        self._narrow = width <= NARROW
        self._say()

    def show_menu(self, folders: Sequence[RecentFolder]) -> None:
        """Open the menu, the chat's folder in it; a folder that is missing cannot be chosen."""
        there = {folder.path: folder.exists for folder in folders}
        if self._path not in ("", *there):
            there = {self._path: True, **there}
        menu = QMenu(self)
        menu.setObjectName("folder_menu")
        menu.setToolTipsVisible(True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for path in tuple(there)[:RECENT]:
            self._recent(menu, path, exists=there[path])
        if there:
            menu.addSeparator()
        choose = menu.addAction(self.tr("Choose folder…"))
        choose.setObjectName("folder_choose")
        choose.triggered.connect(self.choose_folder)
        none = self._choice(menu, self.tr("No folder"), "")
        none.setObjectName("folder_none")
        menu.addSeparator()
        permissions = menu.addAction(self.tr("Permissions…"))
        permissions.setObjectName("folder_permissions")
        permissions.triggered.connect(self.permissionsRequested)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def choose_folder(self) -> None:
        """Ask for a folder; the answer comes by chosen."""
        dialog = QFileDialog(self.window(), self.tr("Choose a folder"))
        dialog.setObjectName("folder_dialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setDirectory(self._path or QDir.homePath())
        dialog.fileSelected.connect(self.chosen)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _recent(self, menu: QMenu, path: str, *, exists: bool) -> None:
        shown = visible(path)
        cut = menu.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideMiddle, _PATH)
        words = cut if exists else self.tr("{0} (missing)").format(cut)
        action = self._choice(menu, words, path)
        action.setToolTip(plain_tip(shown))
        action.setEnabled(exists)

    def _choice(self, menu: QMenu, words: str, path: str) -> QAction:
        action = menu.addAction(words.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(path == self._path)
        action.triggered.connect(lambda: self.chosen.emit(path))
        return action

    def _say(self) -> None:
        words = visible(PurePath(self._path).name or self._path) or self.tr("No folder")
        cut = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _NAME)
        self.setText("" if self._narrow else cut.replace("&", "&&"))
        self._tint()

    def _tint(self) -> None:
        room = 0 if self._narrow else _ROOM
        self.setIconSize(QSize(16 + room, 16))
        self.setIcon(icon(self._theme, "folder", "accent" if self._path else "text3", room=room))
