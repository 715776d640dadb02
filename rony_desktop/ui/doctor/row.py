"""One check as a row: what was looked at, how it is, and what helps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rony_desktop.ui.doctor.words import status_word, title, words
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.theme import Theme

if TYPE_CHECKING:
    from rony_desktop.app.check import Check

SIGNS = {
    "ok": ("check", "ok"),
    "warning": ("triangle-alert", "warn"),
    "failed": ("circle-alert", "danger"),
}
_TITLE = 88  # pixels: all sentences begin at one edge


class CheckRow(QFrame):
    """Icon, name, sentence and remedy at the left, how it ended at the right."""

    def __init__(self, theme: Theme, check: Check, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("doctor_row")
        self._theme = theme
        self._sign, self._role = SIGNS[check.status]
        sentence, remedy = words(check)
        self._picture = QLabel(self)
        self._picture.setFixedSize(16, 18)
        name = plain_label(title(check.name), "", self)
        name.setFont(theme.font("label", strong=True))
        name.setFixedWidth(_TITLE)
        role = "hint" if check.status == "ok" else self._role
        self._status = plain_label(status_word(check.status), role, self)
        self._status.setObjectName("doctor_status")
        self._status.setWordWrap(False)
        column = QVBoxLayout()
        column.setSpacing(4)
        for text, kind in ((sentence, "doctor_sentence"), (remedy, "doctor_remedy")):
            label = plain_label(text, "quiet" if text is remedy else "", self)
            label.setObjectName(kind)
            label.setVisible(bool(text))
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(label)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 12, 0, 12)
        line.setSpacing(12)
        for widget in (self._picture, name):
            line.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(column, 1)
        line.addWidget(self._status, 0, Qt.AlignmentFlag.AlignTop)
        spoken = f"{name.text()}: {self._status.text()}. {sentence} {remedy}"
        self.setAccessibleName(spoken.strip())
        theme.changed.connect(self._tint)
        self._tint()

    def _tint(self) -> None:
        self._picture.setPixmap(icon(self._theme, self._sign, self._role).pixmap(16, 16))
