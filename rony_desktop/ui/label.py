"""Labels for words that come from elsewhere: always plain text."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_RUN = re.compile("[!-~]{25,}")
_PART = re.compile(".{4}")
_TIP = 60  # characters of a tooltip that stay on one line


class PlainLabel(QLabel):
    """A wrapping label that never reads its text as HTML; paths and names break where they must."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text; a long run of letters without a space may be broken every few of them."""
        self._words = text
        super().setText(_RUN.sub(lambda run: _PART.sub("\\g<0>\u200b", run[0]), text))

    def text(self) -> str:
        """The text as it was given."""
        return self._words


def plain_label(text: str, role: str = "", parent: QWidget | None = None) -> QLabel:
    """A wrapping label of plain text with a role of the style sheet."""
    label = PlainLabel(text, parent)
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

    def __init__(
        self,
        parent: QWidget | None = None,
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._cut = cut
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """Shrink as far as it must."""
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        words = self.fontMetrics().elidedText(
            self.text().replace("\n", " "), self._cut, self.contentsRect().width()
        )
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(
            self.contentsRect(), Qt.AlignmentFlag.AlignVCenter | self.alignment(), words
        )
        painter.end()
