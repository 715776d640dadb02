"""A well of exact text: every character of it can be seen, and whether its end was."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from rony_desktop.ui.approval.end import EndWatch, go_by_key
from rony_desktop.ui.approval.escape import visible_lines
from rony_desktop.ui.theme import Theme

HEIGHT = 280
_PADDING = 22  # border, padding and margin, above and below
_ASIDE = 36  # the same at the sides, and the scroll bar
_AT_ONCE = 100  # lines put in between two looks at the window


class ExactText(QPlainTextEdit):
    """Shows a text escaped, as plain text; long ones come in slices while the window works."""

    endSeen = Signal()  # noqa: N815 - Qt's naming of signals

    def __init__(
        self, theme: Theme, label: str, parent: QWidget | None = None, most: int = HEIGHT
    ) -> None:
        super().__init__(parent)
        self._most = most
        self.setProperty("look", "well")
        self.setAccessibleName(label)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        # Not setFont: the style sheet has the last word on a widget's font.
        self._look = QTextCharFormat()
        self._look.setFont(theme.font(mono=True))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        option = self.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LeftToRight)
        self.document().setDefaultTextOption(option)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._text = ""
        self._begun = False
        self._lines: Iterator[str] = iter(())
        self._feeding = QTimer(self)
        self._feeding.timeout.connect(self._feed)
        self._end = EndWatch(self, self.viewport())
        self._end.came.connect(self.endSeen)

    @property
    def seen(self) -> bool:
        """Whether its end was on the screen."""
        return self._end.seen

    def show_text(self, text: str) -> None:
        """Show another text from its beginning."""
        self._end.reset()
        self.clear()
        self._begun = False
        self._text = text
        self._lines = visible_lines(text)
        self._feeding.start(0)
        self._feed()
        self.verticalScrollBar().setValue(0)
        self.updateGeometry()

    def _feed(self) -> None:
        lines = list(islice(self._lines, _AT_ONCE))
        if lines:
            # Not appendPlainText: it would scroll along, and nobody would have read anything.
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText("\n".join([""] * self._begun + lines), self._look)
            self._begun = True
        if len(lines) < _AT_ONCE:
            self._feeding.stop()
            self._end.complete()

    def heightForWidth(self, width: int) -> int:
        """As high as its lines, up to where it scrolls."""
        metrics = self._metrics()
        spacing = math.ceil(metrics.lineSpacing())
        most = (self._most - _PADDING) // spacing
        columns = max(1, int((width - _ASIDE) / metrics.horizontalAdvance("0")))
        count = 0
        for line in islice(visible_lines(self._text), most):
            narrow = len(line) if line.isascii() else 2 * len(line)
            count += max(1, -(-narrow // columns))
        return min(most, max(1, count)) * spacing + _PADDING

    def sizeHint(self) -> QSize:
        """As high as it needs at the width it has."""
        return QSize(320, self.heightForWidth(max(320, self.width())))

    def minimumSizeHint(self) -> QSize:
        """Room for a line."""
        return QSize(120, math.ceil(self._metrics().lineSpacing()) + _PADDING)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._look.font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for another height at another width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to the beginning and the end by Home and End."""
        if not go_by_key(self.verticalScrollBar(), event):
            super().keyPressEvent(event)
