"""A panel that floats over the window, under the button that opened it."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS

_EDGE = 8  # pixels kept between the panel and the window's edges
_DEPTH = 12  # pixels the shadow reaches
_FALL = 4
_FAINT = {False: 2, True: 10}  # of 255: each of the shadow's layers in light and dark


class Panel(QWidget):
    """Covers its window; Esc, or a click beside the frame, closes it.

    While it is open the window's shortcuts wait; then the keys go back to where they were. It is
    a part of the window, not one of its own: no window manager can place it or cut its corners.
    """

    closed = Signal()

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self._over = window
        self._anchor: QWidget | None = None
        self._before: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.hide()
        self.frame = QFrame(self)
        self.frame.setObjectName("model_panel")
        window.installEventFilter(self)

    def open_under(self, anchor: QWidget) -> None:
        """Open below a widget, right edges aligned."""
        self._anchor = anchor
        self._before = self._over.focusWidget()
        self.place()
        self.raise_()
        self.show()

    def place(self) -> None:
        """Put the frame where it belongs once its content or its window is of another size."""
        if self._anchor is None:
            return
        self.setGeometry(self._over.rect())
        below = self._anchor.mapTo(self._over, QPoint(self._anchor.width(), self._anchor.height()))
        top, right = below.y() + 4, min(below.x(), self.width() - _EDGE)
        self.fit(QSize(self.width() - 2 * _EDGE, self.height() - top - _EDGE))
        self.frame.move(max(_EDGE, right - self.frame.width()), top)
        self.update()

    def fit(self, room: QSize) -> None:
        """Give the frame a size within room; what is inside decides."""
        self.frame.resize(self.frame.sizeHint().boundedTo(room))

    def event(self, event: QEvent) -> bool:
        """Claim every key before the shortcuts of the window see it."""
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size."""
        if watched is self._over and event.type() == QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays inside."""
        stops = [
            part
            for part in self.frame.findChildren(QWidget)
            if part.isVisible() and part.focusPolicy() & Qt.FocusPolicy.TabFocus
        ]
        if not stops:
            return False
        now = next((n for n, part in enumerate(stops) if part.hasFocus()), -1)
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(now + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on what would open it again, too; keep other keys from the window."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() == Qt.Key.Key_Escape or (control and event.key() == Qt.Key.Key_L):
            self.close()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Close on a click beside the frame."""
        if not self.frame.geometry().contains(event.position().toPoint()):
            self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the keys back, and tell."""
        super().closeEvent(event)
        before, self._before = self._before, None
        if before is not None:
            with suppress(RuntimeError):  # it may have been destroyed meanwhile
                before.setFocus()
        self.closed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the shadow."""
        frame = self.frame.geometry()
        if frame.contains(event.rect()):
            return
        tokens = self._theme.tokens
        colour = self._theme.colour("sunken" if tokens.dark else "text")
        colour.setAlpha(_FAINT[tokens.dark])
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for reach in range(1, _DEPTH + 1):
            layer = QRectF(frame.adjusted(-reach, _FALL - reach, reach, _FALL + reach))
            painter.drawRoundedRect(layer, RADIUS["card"] + reach, RADIUS["card"] + reach)
        painter.end()
