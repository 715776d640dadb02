"""A memory drawn as one bar: segments differ by colour, by pattern and by name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from rony_desktop.ui.plan.segment import Part, Stack
from rony_desktop.ui.plan.words import part_word
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS

HEIGHT = 36
COLOURS = {
    Part.WEIGHTS: "chart_weights",
    Part.CONTEXT: "chart_context",
    Part.COMPUTE: "chart_compute",
    Part.CACHE: "chart_cache",
    Part.OTHERS: "line",
    Part.KEPT: "surface",
    Part.FREE: "surface",
}
PATTERNS = {
    Part.CONTEXT: Qt.BrushStyle.BDiagPattern,
    Part.COMPUTE: Qt.BrushStyle.Dense6Pattern,
    Part.CACHE: Qt.BrushStyle.HorPattern,
    Part.KEPT: Qt.BrushStyle.FDiagPattern,
}
_LEAST = 3.0  # pixels of what is there at all
_GAP = 1.0


class MemoryBar(QWidget):
    """Shows a stack; what is over runs past the end of the memory, hatched."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._stack = Stack(1, ())
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Takes the width it gets."""
        return QSize(320, HEIGHT)

    def show_stack(self, stack: Stack) -> None:
        """Show another division of the memory."""
        self._stack = stack
        self.update()

    def extents(self) -> list[tuple[Part, float, float]]:
        """Each segment with where it begins and ends, in pixels."""
        sizes = [segment.size_bytes for segment in self._stack.segments]
        whole = max(sum(sizes), self._stack.total_bytes, 1)
        widths = [max(_LEAST, self.width() * size / whole) for size in sizes]
        if widths:
            largest = widths.index(max(widths))
            widths[largest] -= max(0.0, sum(widths) - self.width())
        found, left = [], 0.0
        for segment, width in zip(self._stack.segments, widths, strict=True):
            found.append((segment.part, left, left + width))
            left += width
        return found

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the memory, what is in it, and what does not fit into it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(whole, RADIUS["control"], RADIUS["control"])
        painter.setClipPath(path)
        end = self._end()
        for part, left, right in self.extents():
            seen = min(right, end) - left - _GAP
            if seen > 0:
                self._draw(painter, part, QRectF(left, 0, seen, HEIGHT))
        painter.setClipping(False)
        painter.setPen(QPen(self._theme.colour("line"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(path)
        if self._stack.over_bytes:
            self._draw_excess(painter, path, end)
        painter.end()

    def _draw(self, painter: QPainter, part: Part, area: QRectF) -> None:
        fill(painter, self._theme, part, area)
        words = part_word(part)
        painter.setFont(self._theme.font("small"))
        if painter.fontMetrics().horizontalAdvance(words) + 16 > area.width():
            return
        if part is Part.KEPT:  # hatched: words would not be read on it
            return
        role = "on_chart" if COLOURS[part].startswith("chart") else "text2"
        painter.setPen(self._theme.colour("text" if part is Part.OTHERS else role))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, words)

    def _end(self) -> float:
        """Where the memory ends, in pixels; what is over lies behind it."""
        used = sum(s.size_bytes for s in self._stack.segments if s.part is not Part.FREE)
        return self.width() * (1 - min(1.0, self._stack.over_bytes / max(used, 1)))

    def _draw_excess(self, painter: QPainter, path: QPainterPath, start: float) -> None:
        """Hatch what is over, and mark where the memory ends."""
        area = QRectF(start, 0, self.width() - start, HEIGHT)
        painter.setClipPath(path)
        danger = self._theme.colour("danger")
        painter.fillRect(area, QBrush(danger, Qt.BrushStyle.BDiagPattern))
        painter.setPen(QPen(danger, 2))
        painter.drawLine(QPointF(start, 0), QPointF(start, HEIGHT))
        painter.setClipping(False)
        painter.setPen(QPen(danger, 1.5))
        painter.drawPath(_rest(path, start))


def fill(painter: QPainter, theme: Theme, part: Part, area: QRectF) -> None:
    """Fill an area as a part of a memory is drawn, here and in the legend."""
    painter.fillRect(area, theme.colour(COLOURS[part]))
    pattern = PATTERNS.get(part)
    if pattern:
        shade = theme.colour("text3" if part is Part.KEPT else "on_chart")
        shade.setAlpha(90 if part is Part.KEPT else 64)
        painter.fillRect(area, QBrush(QColor(shade), pattern))


def _rest(path: QPainterPath, start: float) -> QPainterPath:
    """The outline of what of a path is right of a point."""
    half = QPainterPath()
    bounds = path.boundingRect()
    half.addRect(QRectF(start, bounds.top(), bounds.right() - start, bounds.height()))
    return path.intersected(half)
