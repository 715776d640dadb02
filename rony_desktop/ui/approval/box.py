"""A check box in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from rony_desktop.ui.icon import pixmap
from rony_desktop.ui.theme import Theme

_SIDE = 16
_GAP = 8
_RING = 3


class CheckBox(QCheckBox):
    """A box, a check and a word; its whole width can be clicked."""

    def __init__(self, theme: Theme, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """Room for box, word and focus ring."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(2 * _RING + _SIDE + _GAP + words + _GAP, 2 * _RING + _SIDE + 2)

    def hitButton(self, _position: object) -> bool:
        """Take a click anywhere."""
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the box, and a ring around it all where it has the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, checked = self._theme.colour, self.isChecked()
        top = (self.height() - _SIDE) / 2
        box = QRectF(_RING + 0.5, top + 0.5, _SIDE - 1, _SIDE - 1)
        painter.setPen(QPen(colour("accent" if checked else "text3"), 1))
        painter.setBrush(colour("accent" if checked else "surface"))
        painter.drawRoundedRect(box, 4, 4)
        if checked:
            ratio = self.devicePixelRatioF()
            check = pixmap(self._theme, "check", "on_accent", 12, ratio)
            painter.drawPixmap(round(box.x()) + 1, round(top) + 2, check)
        painter.setPen(colour("text"))
        words = QRectF(_RING + _SIDE + _GAP, 0, self.width(), self.height())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.hasFocus():
            painter.setPen(QPen(colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()
