"""A sentence with an icon before it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme


class Note(QWidget):
    """Says something that matters; the icon has a shape as well as a colour."""

    def __init__(self, theme: Theme, sign: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = sign
        self._role = role
        self._picture = QLabel(self)
        self._text = plain_label("", "", self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self._text, 1)
        theme.changed.connect(self._tint)
        self._tint()

    def set_text(self, text: str) -> None:
        """Say it."""
        self._text.setText(text)
        self.setAccessibleName(text)

    def text(self) -> str:
        """What is said."""
        return self._text.text()

    def _tint(self) -> None:
        self._picture.setPixmap(icon(self._theme, self._sign, self._role).pixmap(16, 16))
