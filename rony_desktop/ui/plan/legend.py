"""The names and sizes of a bar's segments, in even columns."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from rony_desktop.ui.number import gigabytes
from rony_desktop.ui.plan.bar import fill
from rony_desktop.ui.plan.segment import Segment
from rony_desktop.ui.plan.words import part_word
from rony_desktop.ui.theme import Theme

_ROW = 20
_SWATCH = 12
_COLUMN = 160  # pixels an entry needs
_GAP = 24


class Legend(QWidget):
    """Entries fill rows from left to right; there are as many columns as have room."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._segments: tuple[Segment, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_segments(self, segments: tuple[Segment, ...]) -> None:
        """Show the entries of another stack."""
        self._segments = segments
        self._size()
        self.update()

    def sizeHint(self) -> QSize:
        """As high as its rows."""
        return QSize(320, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for more columns."""
        super().resizeEvent(event)
        self._size()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw a sample, a name and a size for each."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        columns = self._columns()
        step = (self.width() + _GAP) / columns
        for index, segment in enumerate(self._segments):
            row, column = divmod(index, columns)
            self._draw(painter, segment, QRectF(column * step, row * _ROW, step - _GAP, _ROW))
        painter.end()

    def _draw(self, painter: QPainter, segment: Segment, area: QRectF) -> None:
        swatch = QRectF(area.left() + 0.5, area.top() + 4.5, _SWATCH - 1, _SWATCH - 1)
        fill(painter, self._theme, segment.part, swatch)
        painter.setPen(QPen(self._theme.colour("text3"), 1))
        painter.drawRect(swatch)
        words = area.adjusted(_SWATCH + 8, 0, 0, 0)
        size = gigabytes(segment.size_bytes)
        painter.setFont(self._theme.figures())
        room = words.width() - painter.fontMetrics().horizontalAdvance(size) - 8
        name = painter.fontMetrics().elidedText(
            part_word(segment.part), Qt.TextElideMode.ElideRight, int(room)
        )
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setPen(self._theme.colour("text2"))
        painter.drawText(words, middle | Qt.AlignmentFlag.AlignLeft, name)
        painter.setPen(self._theme.colour("text"))
        painter.drawText(words, middle | Qt.AlignmentFlag.AlignRight, size)

    def _columns(self) -> int:
        return max(1, min(4, (self.width() + _GAP) // (_COLUMN + _GAP)))

    def _size(self) -> None:
        self.setFixedHeight(_ROW * max(1, -(-len(self._segments) // self._columns())))
