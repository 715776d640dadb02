"""A small bar: the predicted range, and the measured value within it or beside it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from rony_desktop.contract.speed import Span
from rony_desktop.ui.theme import Theme

_SIZE = QSize(120, 20)
_BAND = 10
_DOT = 4.5
_EDGE = 6  # pixels left free for a dot at either end


@dataclass(frozen=True, slots=True)
class Reading:
    """Repeats of one value: the least, the middle one and the most; predicted where it was."""

    low: float
    value: float
    high: float
    predicted: Span | None = None

    @property
    def inside(self) -> bool:
        """Whether it is as predicted; so where nothing was."""
        span = self.predicted
        return span is None or span.low <= self.value <= span.high

    @property
    def reach(self) -> float:
        """The largest number that is drawn."""
        return max(self.high, self.predicted.high if self.predicted else 0.0)


class SpanBar(QWidget):
    """Draws a Reading from 0 to most; a value outside of its range is a diamond, not a dot."""

    def __init__(
        self, theme: Theme, reading: Reading, most: float, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._reading = reading
        self._most = most
        self.setFixedHeight(_SIZE.height())
        self.setMinimumWidth(_SIZE.width())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """As wide as it has to be to be read."""
        return _SIZE

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track, the range, the repeats and the value, in this order."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle, reading, span = self.height() / 2, self._reading, self._reading.predicted
        painter.setPen(QPen(self._theme.colour("line"), 2))
        painter.drawLine(QPointF(_EDGE, middle), QPointF(self.width() - _EDGE, middle))
        painter.setPen(Qt.PenStyle.NoPen)
        if span is not None:
            left, right = self._at(span.low), self._at(span.high)
            # On both grounds the soft accent alone is too faint: its edge makes it a shape.
            painter.setPen(QPen(self._theme.colour("accent"), 1))
            painter.setBrush(self._theme.colour("accent_soft"))
            place = QRectF(left, middle - _BAND / 2, max(6.0, right - left), _BAND)
            painter.drawRoundedRect(place, 3, 3)
        role = "text2" if span is None else "accent" if reading.inside else "warn"
        painter.setPen(QPen(self._theme.colour(role), 2))
        painter.drawLine(
            QPointF(self._at(reading.low), middle), QPointF(self._at(reading.high), middle)
        )
        painter.setPen(QPen(self._theme.colour("surface"), 1.5))
        painter.setBrush(self._theme.colour(role))
        self._mark(painter, QPointF(self._at(reading.value), middle))
        painter.end()

    def _mark(self, painter: QPainter, centre: QPointF) -> None:
        if self._reading.inside:
            painter.drawEllipse(centre, _DOT, _DOT)
            return
        far = _DOT + 1.5
        corners = ((0.0, -far), (far, 0.0), (0.0, far), (-far, 0.0))
        painter.drawPolygon(QPolygonF([centre + QPointF(*corner) for corner in corners]))

    def _at(self, value: float) -> float:
        room = self.width() - 2 * _EDGE
        return _EDGE + room * (value / self._most if self._most else 0.0)
