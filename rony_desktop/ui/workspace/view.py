"""Header and sheet as WorkspacePresenter sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from rony_desktop.ui.theme import Theme
from rony_desktop.ui.workspace.folder import FolderButton
from rony_desktop.ui.workspace.trust import TrustSheet

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.folder import RecentFolder, TrustFile


class WorkspacePane(QObject):
    """A WorkspaceView over the header's button and a sheet; answered tells the user's trust."""

    answered = Signal(bool)

    def __init__(self, theme: Theme, button: FolderButton, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._button = button
        self._window = window
        self._sheet: TrustSheet | None = None

    def show_folder(self, path: str) -> None:
        """Name the folder of the shown chat; "" for none."""
        self._button.show_folder(path)

    def show_menu(self, folders: Sequence[RecentFolder]) -> None:
        """Open the menu of folders."""
        self._button.show_menu(folders)

    def ask_trust(self, folder: str, files: Sequence[TrustFile]) -> None:
        """Ask whether files of a folder may be used."""
        self.hide_trust()
        sheet = TrustSheet(self._theme, self._window)
        sheet.trusted.connect(lambda: self.answered.emit(True))
        sheet.refused.connect(lambda: self.answered.emit(False))
        sheet.finished.connect(self.hide_trust)
        self._sheet = sheet
        sheet.show_files(folder, files)

    def hide_trust(self) -> None:
        """Ask no more; nothing was answered."""
        sheet, self._sheet = self._sheet, None
        if sheet is not None:
            sheet.hide()
            sheet.deleteLater()
