"""A list of models: arrows move, Enter takes, Delete deletes, letters go on to a filter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from rony_desktop.ui.installed.delegate import RowDelegate
from rony_desktop.ui.installed.row import AnyIndex, Row, RowModel
from rony_desktop.ui.theme import Theme


class Listing(QListView):
    """Signals tell the key of a row; "" where none can be chosen."""

    moved = Signal(str)
    taken = Signal(str)
    deleted = Signal(str)
    typed = Signal(str)

    def __init__(self, theme: Theme, name: str, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("look", "rows")
        self.rows = RowModel(self)
        self._delegate = RowDelegate(theme, self)
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        theme.changed.connect(self.viewport().update)

    def show_rows(self, rows: Sequence[Row], key: str = "", *, indent: bool = True) -> None:
        """Show rows and choose one: that of key, else the one that was chosen, else the first."""
        before = self.key()
        if not indent:
            self._delegate.indent = 0
        self.rows.set_rows(rows)
        self._settle(key or before)

    def filter(self, text: str) -> None:
        """Show the rows whose title has every one of these words."""
        before = self.key()
        self.rows.set_filter(text)
        self._settle(before)

    def key(self) -> str:
        """The key of the chosen row, "" for none."""
        row = self.rows.row(self.currentIndex())
        return row.key if row else ""

    def step(self, steps: int) -> None:
        """Choose another row so many lines further, headings passed over."""
        number, way = self.currentIndex().row(), 1 if steps > 0 else -1
        for _ in range(abs(steps)):
            after = number + way
            row = self.rows.row(self.rows.index(after))
            if row is not None and not row.key:
                after += way
            if not 0 <= after < self.rows.rowCount():
                break
            number = after
        self._choose(self.rows.index(number))

    def sizeHint(self) -> QSize:
        """No taller than it must be: what is left of the page is the list's."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def currentChanged(self, current: AnyIndex, previous: AnyIndex) -> None:
        """Tell which row is chosen now."""
        super().currentChanged(current, previous)
        self.moved.emit(self.key())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Delete are told; letters go on."""
        key, text = event.key(), event.text()
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._tell(self.taken)
        elif key in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self._tell(self.deleted)
        elif text and text.isprintable() and text != " ":
            self.typed.emit(text)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the row that is pressed twice."""
        if self.indexAt(event.position().toPoint()) == self.currentIndex():
            self._tell(self.taken)

    def _tell(self, signal: SignalInstance) -> None:
        key = self.key()
        if key:
            signal.emit(key)

    def _settle(self, key: str) -> None:
        index = self.rows.index_of(key)
        self._choose(index if index.isValid() else self.rows.first())
        self.moved.emit(self.key())

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
