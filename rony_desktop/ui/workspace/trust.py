"""The sheet that asks whether the files of a folder may change how Rony behaves there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.approval.guard import Guard, GuardedButton
from rony_desktop.ui.approval.text import ExactText
from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.folder import TrustFile

_WIDTH = 640
_MOST = 200  # pixels of one file's text, less on a low screen
_REST = 260  # pixels of all the rest, the frame of the window included


class TrustSheet(QDialog):
    """Shows the files whole; closing it any other way than by Use them refuses."""

    trusted = Signal()
    refused = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._guard = Guard()
        self.setObjectName("trust_sheet")
        self.setWindowTitle(self.tr("Files of this folder"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setFixedWidth(_WIDTH)
        self._title = plain_label("", "lead", self)
        self._title.setObjectName("trust_title")
        self._files = QWidget(self)
        self._later = push_button(self.tr("Not now"), "outline", "trust_later", self)
        self._later.clicked.connect(self.reject)
        self._later.setDefault(True)
        use = GuardedButton(self._guard, self)
        use.setText(self.tr("Use them"))
        use.setAccessibleName(self.tr("Use them"))
        use.setObjectName("trust_use")
        use.setProperty("look", "primary")
        use.chosen.connect(self.accept)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self._later, use):
            button.setFixedHeight(32)
            buttons.addWidget(button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(24, 24, 24, 24)
        self._column.setSpacing(12)
        self._column.addWidget(self._title)
        self._column.addWidget(self._files)
        self._column.addLayout(buttons)
        self.accepted.connect(self.trusted)
        self.rejected.connect(self.refused)

    def show_files(self, folder: str, files: Sequence[TrustFile]) -> None:
        """Ask about files of a folder."""
        self._title.setText(
            self.tr("Use the settings and instructions in {0}?").format(visible(folder))
        )
        shown = QWidget(self)
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        room = (self.screen().availableGeometry().height() - _REST) // max(1, len(files))
        for file in files:
            self._add(file, column, shown, min(_MOST, room))
        self._column.replaceWidget(self._files, shown)
        self._files.hide()
        self._files.deleteLater()
        self._files = shown
        self._later.setFocus()
        # Not adjustSize: it takes the height of narrower labels.
        self.resize(_WIDTH, self._column.totalHeightForWidth(_WIDTH))
        self.open()

    def _add(self, file: TrustFile, column: QVBoxLayout, parent: QWidget, most: int) -> None:
        name = plain_label(visible(file.name), "", parent)
        name.setFont(self._theme.font("label", strong=True))
        text = ExactText(self._theme, visible(file.name), parent, most)
        text.setObjectName(f"trust_{column.count() // 3}")
        text.show_text(file.text)
        column.addWidget(name)
        column.addWidget(plain_label(self._means(file.name), "quiet", parent))
        column.addWidget(text)
        column.addSpacing(8)

    def _means(self, name: str) -> str:
        if name.lower() == "agents.md":
            return self.tr("It tells Rony how to work in this folder.")
        return self.tr("It may change model, persona and app settings in this folder.")

    def showEvent(self, event: QShowEvent) -> None:
        """Guard Use them for a moment."""
        super().showEvent(event)
        self._guard.restart()
