"""What happens before the first word: waiting for the engine, reading the prompt."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from rony_desktop.ui.chat.piece import column_width
from rony_desktop.ui.number import count_text
from rony_desktop.ui.theme import Theme

_TICK_MS = 40
_STEP = 0.02


class ProgressLine(QWidget):
    """One line with a thin bar; it keeps its height when there is nothing to tell."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = ""
        self._share = 0.0
        self._phase = 0.0
        self.setObjectName("progress")
        self.setFixedHeight(24)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        theme.changed.connect(self.update)

    def set_waiting(self, text: str) -> None:
        """Say what is waited for; the bar moves, for nobody knows how long it takes."""
        self._show(text, -1.0)

    def set_prefill(self, done: int, total: int) -> None:
        """Say how many tokens of the prompt are read."""
        words = self.tr("Reading {0} of {1} tokens").format(count_text(done), count_text(total))
        self._show(words, min(1.0, done / total) if total > 0 else 0.0)

    def set_idle(self) -> None:
        """Show nothing."""
        self._show("", 0.0)

    def text(self) -> str:
        """The words that are shown now."""
        return self._words

    def _show(self, words: str, share: float) -> None:
        if (words, share) == (self._words, self._share) and self._timer.isActive():
            return
        self._words, self._share = words, share
        self.setAccessibleName(words or self.tr("Progress"))
        moving = bool(words) and share < 0 and self.isVisible()
        if moving != self._timer.isActive():
            if moving:
                self._timer.start()
            else:
                self._timer.stop()
        self.update()

    def _tick(self) -> None:
        self._phase = (self._phase + _STEP) % 1.0
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the words and the bar in the reading column."""
        if not self._words:
            return
        painter = QPainter(self)
        width = column_width(self.width())
        left = round((self.width() - width) / 2)
        painter.setFont(self._theme.figures())
        painter.setPen(self._theme.colour("text2"))
        place = QRectF(left, 0, width, 18)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self._words)
        painter.fillRect(QRectF(left, 20, width, 2), self._theme.colour("line"))
        start, share = 0.0, self._share
        if share < 0:
            start, share = max(0.0, self._phase * 1.3 - 0.3), 0.3
            share = min(share, 1.0 - start)
        bar = QRectF(left + width * start, 20, width * share, 2)
        painter.fillRect(bar, self._theme.colour("accent"))
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        """Move again."""
        super().showEvent(event)
        self._show(self._words, self._share)

    def hideEvent(self, event: QHideEvent) -> None:
        """Move nothing while nobody looks."""
        super().hideEvent(event)
        self._timer.stop()
