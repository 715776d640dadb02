"""The frame gate: at most one update per frame, and none while there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from rony_desktop.ui.token import FRAME_MS


class FrameGate(QObject):
    """Lets the first request through at once and gathers the ones that follow it closely."""

    due = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.flush)
        self._asked = False
        self._open = True

    def request(self) -> None:
        """Ask for an update; due follows now or when the frame is over."""
        self._asked = True
        if not self._open or self._timer.isActive():
            return
        left = FRAME_MS - self._clock.elapsed() if self._clock.isValid() else 0
        if left > 0:
            self._timer.start(int(left))
        else:
            self.flush()

    def flush(self) -> None:
        """Send due if an update was asked for."""
        if not self._asked:
            return
        self._asked = False
        self._timer.stop()
        self._clock.start()
        self.due.emit()

    def set_open(self, open_: bool) -> None:
        """Hold updates back while nobody can see them."""
        self._open = open_
        if open_ and self._asked:
            self.request()
