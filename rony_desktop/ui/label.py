"""Labels for words that come from elsewhere: always plain text."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_TIP = 60  # characters of a tooltip that stay on one line


def plain_label(text: str, role: str = "", parent: QWidget | None = None) -> QLabel:
    """A wrapping label that never reads its text as HTML."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setText(text)
    label.setWordWrap(True)
    label.setProperty("role", role)
    return label


def plain_tip(text: str) -> str:
    """A tooltip that shows its text as it is; only a long one is wrapped."""
    if not text:
        return ""
    words = escape(text).replace("\n", "<br>")
    return f"<qt>{words}</qt>" if len(text) > _TIP else f"<qt><nobr>{words}</nobr></qt>"


class ElidedLabel(QLabel):
    """One line of plain text, cut with an ellipsis where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Shrink as far as it must."""
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        words = self.fontMetrics().elidedText(
            self.text().replace("\n", " "), Qt.TextElideMode.ElideRight, self.contentsRect().width()
        )
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(
            self.contentsRect(), Qt.AlignmentFlag.AlignVCenter | self.alignment(), words
        )
        painter.end()
