"""What stands there while there is no model: three ways to one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from rony_desktop.ui.button import page_button
from rony_desktop.ui.label import plain_label


class Blank(QWidget):
    """Says that it looks, or that there is no model yet, and offers what helps."""

    discoverRequested = Signal()  # noqa: N815 - Qt's naming of signals
    foreignRequested = Signal()  # noqa: N815
    fileRequested = Signal()  # noqa: N815

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("installed_blank")
        self._title = plain_label("", "display", self)
        self._title.setObjectName("installed_blank_title")
        self._about = plain_label("", "quiet", self)
        self._buttons = []
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addStretch(1)
        for text, look, name, asked in (
            (self.tr("Find a model"), "primary", "discover", self.discoverRequested),
            (self.tr("From other programs"), "outline", "foreign", self.foreignRequested),
            (self.tr("Add a file…"), "outline", "file", self.fileRequested),
        ):
            button = page_button(text, look, f"blank_{name}", self)
            button.clicked.connect(asked)
            self._buttons.append(button)
            line.addWidget(button)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 48)
        column.setSpacing(8)
        column.addStretch(1)
        for label in (self._title, self._about):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(label)
        column.addSpacing(16)
        column.addLayout(line)
        column.addStretch(1)

    def set_looking(self, looking: bool) -> None:
        """Say that every folder is looked into, or that there is nothing."""
        self._title.setText(self.tr("Looking for models") if looking else self.tr("No model yet"))
        self._about.setText(
            self.tr("Every folder is looked into, at any depth.")
            if looking
            else self.tr("Get one that suits this computer, or use one that is here already.")
        )
        for button in self._buttons:
            button.setVisible(not looking)
