"""A line of text that Esc empties or leaves; the window's own Esc waits meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit


class Field(QLineEdit):
    """Takes Esc for itself while there is something to give up."""

    escaped = Signal()

    def event(self, event: QEvent) -> bool:
        """Claim Esc before the shortcuts of the window see it."""
        claimed = (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and bool(self.text() or self.isUndoAvailable())
        )
        if claimed:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tell of Esc; the rest is typed. Enter ends here: its parent may mean something by it."""
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
            if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
                event.accept()
