"""A list of lines that is worked with keys as well as with the mouse."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from rony_desktop.ui.discover.lines import AnyIndex, Line, LineDelegate, LineModel
from rony_desktop.ui.theme import Theme


class LineList(QListView):
    """moved: the user went to another row; picked: a click or Enter; left: the left arrow.

    confirmed: Enter or a double click.
    """

    moved = Signal(int)
    picked = Signal(int)
    confirmed = Signal()
    left = Signal()

    def __init__(self, theme: Theme, side_width: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._filling = False
        self._lines = LineModel(self)
        self.setModel(self._lines)
        self.setItemDelegate(LineDelegate(theme, side_width, self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(lambda index: self.picked.emit(index.row()))
        self.doubleClicked.connect(lambda _: self.confirmed.emit())
        theme.changed.connect(self.viewport().update)

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Show these; others begin at the top, with no row chosen."""
        self._filling = True
        if self._lines.set_lines(lines):
            self.scrollToTop()
            self.clearSelection()
        self._filling = False

    def set_current(self, row: int) -> None:
        """Stand on a row, without telling of it; none where it is not there."""
        if row != self.currentIndex().row():
            self._filling = True
            self.setCurrentIndex(self._lines.index(row) if row >= 0 else QModelIndex())
            if row < 0:
                self.clearSelection()
            self._filling = False

    def count(self) -> int:
        """How many rows there are."""
        return self._lines.rowCount()

    def line(self, row: int) -> Line:
        """What a row says."""
        return self._lines.line(self._lines.index(row))

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Tell of the row the user went to."""
        super().currentChanged(current, previous)
        if current.isValid() and not self._filling:
            self.moved.emit(current.row())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Stand on the first row where the focus comes to none; the user did not go there."""
        keys = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._filling = True
        if event.reason() in keys and not self.currentIndex().isValid() and self.count():
            self.setCurrentIndex(self._lines.index(0))
        super().focusInEvent(event)
        self._filling = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter picks, and means no button of the dialog."""
        key = Qt.Key(event.key())
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            if self.currentIndex().isValid():
                self.picked.emit(self.currentIndex().row())
                self.confirmed.emit()
        elif key is Qt.Key.Key_Left:
            self.left.emit()
        else:
            super().keyPressEvent(event)
