"""Paints the rows of a file change; they are made in slices while the window works."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from PySide6.QtCore import QRect, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from rony_desktop.contract.approval import FileChange
from rony_desktop.ui.approval.hunk import DiffRow, RowKind, rows
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import CODE_LINE_HEIGHT, TINT, TYPE

HEAD = 28
_ROW = TYPE["mono"] * CODE_LINE_HEIGHT // 100 + 2
_DIGITS = 5
_AT_ONCE = 1500  # rows made in between two looks at the window
_SPOKEN = 2000  # characters of a change that are read aloud; the exact arguments have them all
_SIGNS = {RowKind.REMOVED: "\u2212", RowKind.ADDED: "+"}
_ROLES = {RowKind.REMOVED: "danger", RowKind.ADDED: "ok"}


class DiffCanvas(QWidget):
    """As high as all of its rows, of which it paints those in sight."""

    headed = Signal(int, int)  # hunk, top of its head
    completed = Signal(bool)  # whether every row is there

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._change = FileChange("", None, "")
        self._heads = False
        self._refused: set[int] = set()
        self._rows: list[DiffRow] = []
        self._tops: list[int] = []
        self._bottom = 0
        self._coming: Iterator[DiffRow] = iter(())
        self._feeding = QTimer(self)
        self._feeding.timeout.connect(self._feed)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        theme.changed.connect(self.update)

    def show_change(self, change: FileChange, heads: bool) -> None:
        """Show another change; heads leaves room above each hunk."""
        self._change, self._heads = change, heads
        self._refused.clear()
        self._begin()

    def set_taken(self, hunk: int, taken: bool) -> None:
        """Show whether a hunk is taken."""
        (self._refused.discard if taken else self._refused.add)(hunk)
        self.update()

    def fit(self, width: int) -> None:
        """Be as wide as this and break lines anew."""
        if width != self.width():
            self.resize(width, self.height())
            self._begin()

    def height_at(self, width: int, most: int) -> int:
        """How high it is at a width; counts no further than most."""
        height = 0
        for row in self._made(width):
            height += HEAD if row.kind is RowKind.HEAD else _ROW
            if height > most:
                break
        return height

    def words(self, hunk: int | None = None) -> str:
        """What is changed, or one hunk of it, to be read aloud; the beginning of a long one."""
        hunks = self._change.hunks if hunk is None else self._change.hunks[hunk : hunk + 1]
        said, size = [], 0
        for row in rows(replace(self._change, hunks=hunks), False, _SPOKEN, lambda _: True):
            if row.kind in _SIGNS:
                removed = row.kind is RowKind.REMOVED
                word = self.tr("Removed: {0}") if removed else self.tr("Added: {0}")
                said.append(word.format(row.text))
                size += len(said[-1])
            if size > _SPOKEN:
                break
        return "\n".join(said)

    def _made(self, width: int) -> Iterator[DiffRow]:
        metrics = QFontMetrics(self._theme.font(mono=True))
        room = max(40, width - self._gutter() - 12)
        columns = max(4, room // max(1, metrics.horizontalAdvance("0")))
        return rows(
            self._change, self._heads, columns, lambda text: metrics.horizontalAdvance(text) <= room
        )

    def _gutter(self) -> int:
        digit = QFontMetrics(self._theme.font(mono=True)).horizontalAdvance("0")
        return (_DIGITS + 3) * digit

    def _begin(self) -> None:
        self._rows, self._tops, self._bottom = [], [], 0
        self._coming = self._made(self.width())
        self.completed.emit(False)
        self._feeding.start(0)
        self._feed()
        self.update()

    def _feed(self) -> None:
        more = list(islice(self._coming, _AT_ONCE))
        for row in more:
            self._tops.append(self._bottom)
            if row.kind is RowKind.HEAD:
                self.headed.emit(row.hunk, self._bottom)
            self._bottom += HEAD if row.kind is RowKind.HEAD else _ROW
        self._rows += more
        self.resize(self.width(), self._bottom)
        if len(more) < _AT_ONCE:
            self._feeding.stop()
            self.completed.emit(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows in sight."""
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._theme.colour("code"))
        first = max(0, bisect_right(self._tops, event.rect().top()) - 1)
        for number in range(first, len(self._rows)):
            top = self._tops[number]
            if top > event.rect().bottom():
                break
            self._row(painter, self._rows[number], top)
        painter.end()

    def _row(self, painter: QPainter, row: DiffRow, top: int) -> None:
        colour, side = self._theme.colour, Qt.AlignmentFlag.AlignVCenter
        box = QRect(0, top, self.width(), HEAD if row.kind is RowKind.HEAD else _ROW)
        gutter, digit = self._gutter(), self._gutter() // (_DIGITS + 3)
        if row.kind is RowKind.HEAD:
            painter.setFont(self._theme.figures())
            painter.setPen(colour("text3"))
            words = self.tr("line {0}").format(row.line)
            painter.drawText(box.adjusted(0, 0, -12, 0), side | Qt.AlignmentFlag.AlignRight, words)
            return
        taken = row.hunk not in self._refused
        painter.setFont(self._theme.font(mono=True))
        if taken and row.kind in _ROLES:
            tint = QColor(colour(_ROLES[row.kind]))
            tint.setAlpha(TINT)
            painter.fillRect(box, tint)
        painter.setPen(colour("text3"))
        if row.kind is RowKind.NO_END:
            painter.setFont(self._theme.font("small"))
            painter.drawText(
                box.adjusted(gutter, 0, 0, 0), side, self.tr("no line end after this line")
            )
            return
        if row.line:
            painter.setPen(colour("text2" if taken else "text3"))
            numbers = QRect(0, top, _DIGITS * digit, _ROW)
            painter.drawText(numbers, side | Qt.AlignmentFlag.AlignRight, str(row.line))
            painter.setPen(colour(_ROLES[row.kind] if taken else "text3"))
            sign = QRect(numbers.right() + digit, top, digit + 2, _ROW)
            painter.drawText(sign, side, _SIGNS[row.kind])
        painter.setPen(colour("text" if taken else "text3"))
        painter.drawText(box.adjusted(gutter, 0, 0, 0), side, row.text)
