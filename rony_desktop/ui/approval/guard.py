"""Keeps a stray key or click from answering: Allow waits, and so does the focus."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

GUARD_MS = 500
_PRESSES = {
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonDblClick,
    QEvent.Type.TouchBegin,
    QEvent.Type.Shortcut,
}
_KEYS = {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select}


class Guard:
    """Half a second that begins when something to answer comes into sight."""

    def __init__(self) -> None:
        self._clock = QElapsedTimer()
        self.restart()

    def restart(self) -> None:
        """Begin the half second once more."""
        self._clock.start()

    @property
    def armed(self) -> bool:
        """Whether a press is meant for what it hits."""
        return self._clock.hasExpired(GUARD_MS)


class GuardedButton(QPushButton):
    """Takes no press while its guard is not armed; Tab and the arrows still move on."""

    chosen = Signal()

    def __init__(self, guard: Guard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._guard = guard
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._choose)

    def _choose(self) -> None:
        # A screen reader presses without an event, so it is asked here as well.
        if self._guard.armed:
            self.chosen.emit()

    def event(self, event: QEvent) -> bool:
        """Swallow what comes too early."""
        pressing = event.type() in _PRESSES or (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and Qt.Key(event.key()) in _KEYS
        )
        if pressing and not self._guard.armed:
            event.accept()
            return True
        return super().event(event)


class Quiet(QObject):
    """Tells once no key has been pressed anywhere in the program for half a second."""

    came = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(GUARD_MS)
        self._timer.timeout.connect(self._come)

    def wait(self) -> None:
        """Begin to listen."""
        self._application().installEventFilter(self)
        self._timer.start()

    def stop(self) -> None:
        """Listen no more."""
        self._timer.stop()
        self._application().removeEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Wait longer after a key."""
        if event.type() == QEvent.Type.KeyPress and self._timer.isActive():
            self._timer.start()
        return False

    def _come(self) -> None:
        self.stop()
        self.came.emit()

    @staticmethod
    def _application() -> QCoreApplication:
        application = QCoreApplication.instance()
        assert application is not None  # noqa: S101 - no widget without one
        return application
