"""The composer: where a message is written, sent and stopped."""

from __future__ import annotations

import re

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextOption,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from rony_desktop.ui.button import push_button
from rony_desktop.ui.dress import dress
from rony_desktop.ui.icon import icon
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN

_SHARE = 0.4  # of the window's height, at most
_BUTTON = 32
_UNBROKEN = re.compile(r"\S{5000}")


class _Text(QPlainTextEdit):
    """Plain text that grows; Enter sends, Shift+Enter breaks the line."""

    entered = Signal()
    escaped = Signal()
    focused = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._composing = False
        self.setObjectName("composer_text")
        self.setFont(theme.font("body"))
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(4)
        self.textChanged.connect(self.fit)

    def fit(self) -> None:
        """Take the height the text needs, up to a share of the window."""
        lines = max(1.0, self.document().size().height())
        margin = 2 * self.document().documentMargin()
        wanted = round(lines * self.fontMetrics().lineSpacing() + margin)
        limit = max(_BUTTON * 2, int(self.window().height() * _SHARE))
        height = max(_BUTTON, min(wanted, limit))
        bars = Qt.ScrollBarPolicy
        over = wanted > limit
        self.setVerticalScrollBarPolicy(bars.ScrollBarAsNeeded if over else bars.ScrollBarAlwaysOff)
        if self.height() != height or self.maximumHeight() != height:
            self.setFixedHeight(height)
        if not over:
            self.verticalScrollBar().setValue(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send or stop, unless an input method still composes or the key is only held."""
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if enter and not shift:
            if not (self._composing or event.isAutoRepeat()):
                self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape and not self._composing:
            self.escaped.emit()
            event.ignore()
        else:
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether a word is being composed."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste words only."""
        if source.hasText():
            self.wrap_for(source.text())
            self.insertPlainText(source.text())

    def wrap_for(self, text: str) -> bool:
        """Before text is put in: break lines anywhere where it has a long run without a space.

        Qt's word wrap takes the square of such a run: one of a megabyte froze the window.
        """
        unbroken = _UNBROKEN.search(text) is not None
        if unbroken:
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        return unbroken

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Light the frame."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Dim the frame."""
        super().focusOutEvent(event)
        self.focused.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit again: another width makes other lines."""
        super().resizeEvent(event)
        self.fit()


class Composer(QWidget):
    """A field with one button, which is Send or Stop."""

    sendRequested = Signal(str)  # noqa: N815 - Qt's naming of signals
    stopRequested = Signal()  # noqa: N815
    draftChanged = Signal(str)  # noqa: N815

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._busy = False
        self.setObjectName("composer_area")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._frame = QFrame(self)
        self._frame.setObjectName("composer")
        self._frame.setMaximumWidth(COLUMN)
        self._text = _Text(theme, self._frame)
        self._text.setAccessibleName(self.tr("Message"))
        self._text.setPlaceholderText(self.tr("Write a message"))
        self._send = self._round("send", self.tr("Send"), self.tr("Send (Enter)"))
        self._stop = self._round("stop", self.tr("Stop"), self.tr("Stop the answer (Esc)"))
        self._place = QStackedWidget(self._frame)
        self._place.setFixedSize(_BUTTON, _BUTTON)
        self._place.addWidget(self._send)
        self._place.addWidget(self._stop)
        inside = QHBoxLayout(self._frame)
        inside.setContentsMargins(12, 8, 8, 8)
        inside.setSpacing(8)
        inside.addWidget(self._text, 1, Qt.AlignmentFlag.AlignVCenter)
        inside.addWidget(self._place, 0, Qt.AlignmentFlag.AlignBottom)
        outside = QHBoxLayout(self)
        outside.setContentsMargins(24, 4, 24, 16)
        outside.addStretch(1)
        outside.addWidget(self._frame, 1000)
        outside.addStretch(1)
        self.setFocusProxy(self._text)
        self._connect()
        self._update()

    def set_busy(self, busy: bool) -> None:
        """Offer Stop while an answer comes, Send otherwise; both are in the same place."""
        focused = self._stop.hasFocus()
        self._busy = busy
        self._place.setCurrentWidget(self._stop if busy else self._send)
        if focused and not busy:
            self._text.setFocus()
        self._update()

    def text(self) -> str:
        """What is written so far."""
        return self._text.toPlainText()

    def set_text(self, text: str) -> None:
        """Put a draft in, the cursor behind it."""
        unbroken = self._text.wrap_for(text)
        self._text.setPlainText(text)
        if not unbroken:
            self._text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._text.moveCursor(self._text.textCursor().MoveOperation.End)

    def clear(self) -> None:
        """Empty the field."""
        self._text.setPlainText("")

    def _round(self, look: str, label: str, tip: str) -> QPushButton:
        button = push_button("", look, f"{look}_button")
        button.setAccessibleName(label)
        button.setToolTip(tip)
        button.setFixedSize(_BUTTON, _BUTTON)
        button.setIconSize(QSize(16, 16))
        return button

    def _connect(self) -> None:
        self._text.textChanged.connect(self._changed)
        self._text.entered.connect(self._submit)
        self._text.escaped.connect(self._escape)
        self._text.focused.connect(self._light)
        self._send.clicked.connect(self._submit)
        self._stop.clicked.connect(self.stopRequested)
        self._theme.changed.connect(self._update)

    def _changed(self) -> None:
        self.draftChanged.emit(self.text())
        self._update()

    def _submit(self) -> None:
        text = self.text()
        if text.strip() and not self._busy:
            self.sendRequested.emit(text)

    def _escape(self) -> None:
        if self._busy:
            self.stopRequested.emit()

    def _light(self, on: bool) -> None:
        dress(self._frame, "active", "true" if on else "false")

    def _update(self) -> None:
        ready = bool(self.text().strip())
        self._send.setEnabled(ready)
        self._send.setIcon(icon(self._theme, "arrow-up", "on_accent" if ready else "text3"))
        self._stop.setIcon(icon(self._theme, "stop", "surface"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the window's height."""
        super().resizeEvent(event)
        self._text.fit()
