"""A thin bar of how far something is; it moves where nobody knows."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from rony_desktop.ui.theme import Theme

_TICK_MS = 40
_STEP = 0.02
_HEIGHT = 4
_MOVING = 0.3


class Meter(QWidget):
    """Fills from the left; what it says is read aloud from the words beside it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share: float | None = None
        self._phase = 0.0
        self.setFixedHeight(_HEIGHT)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        theme.changed.connect(self.update)

    def set_share(self, share: float | None) -> None:
        """How much is done, from 0 to 1; None: nobody knows."""
        self._share = share
        self._move()
        self.update()

    def moving(self) -> bool:
        """Whether the bar moves by itself now."""
        return self._timer.isActive()

    def _move(self) -> None:
        if self._share is None and self.isVisible():
            self._timer.start()
        else:
            self._timer.stop()

    def _tick(self) -> None:
        self._phase = (self._phase + _STEP) % 1.0
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the track and what is done of it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        self._bar(painter, 0.0, 1.0, "line")
        if self._share is None:
            start = max(0.0, self._phase * (1 + _MOVING) - _MOVING)
            self._bar(painter, start, min(_MOVING, 1 - start), "accent")
        elif self._share > 0:
            self._bar(painter, 0.0, min(1.0, self._share), "accent")
        painter.end()

    def _bar(self, painter: QPainter, start: float, share: float, role: str) -> None:
        painter.setBrush(self._theme.colour(role))
        place = QRectF(self.width() * start, 0, self.width() * share, _HEIGHT)
        painter.drawRoundedRect(place, _HEIGHT / 2, _HEIGHT / 2)

    def showEvent(self, event: QShowEvent) -> None:
        """Move again."""
        super().showEvent(event)
        self._move()

    def hideEvent(self, event: QHideEvent) -> None:
        """Move nothing while nobody looks."""
        super().hideEvent(event)
        self._timer.stop()
