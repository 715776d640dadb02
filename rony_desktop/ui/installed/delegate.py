"""Paints the rows of a list of models from the tokens."""

from __future__ import annotations

from PySide6.QtCore import QObject, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from rony_desktop.ui.icon import icon
from rony_desktop.ui.installed.row import AnyIndex, Row, row_at
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS

ROW, HEADING = 52, 36
_SIGN = 16
_INDENT = 24  # a tick and the air behind it
_PAD = 12
_AIR = 16  # between a name and what stands at its right
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class RowDelegate(QStyledItemDelegate):
    """Name over details, a mark at the right; a tick stands before the names where one has it."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.indent = _INDENT

    def sizeHint(self, _option: QStyleOptionViewItem, index: AnyIndex) -> QSize:
        """One height for rows, whatever is known of them, and one for headings."""
        row = row_at(index.model(), index)
        return QSize(0, ROW if row and row.key else HEADING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one row or heading."""
        row = row_at(index.model(), index)
        if row is None:
            return
        box: QRect = option.rect.adjusted(0, 2, 0, -2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.key:
            self._ground(painter, option, box)
            self._row(painter, box.adjusted(_PAD, 0, -_PAD, 0), row)
        else:
            painter.setFont(self._theme.font("small", strong=True))
            painter.setPen(self._theme.colour("text3"))
            line = box.adjusted(_PAD, 12, -_PAD, 0)
            middle = Qt.TextElideMode.ElideMiddle
            painter.drawText(
                line, _LEFT, self._cut(painter.font(), row.title, line.width(), middle)
            )
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, box: QRect) -> None:
        if not option.state & QStyle.StateFlag.State_Selected:
            return
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        pen = QPen(self._theme.colour("accent"), 2) if focused else QPen(Qt.PenStyle.NoPen)
        painter.setPen(pen)
        painter.setBrush(self._theme.colour("accent_soft"))
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), RADIUS["control"], RADIUS["control"])

    def _row(self, painter: QPainter, box: QRect, row: Row) -> None:
        if row.ticked:
            place = QRect(box.left(), box.top() + 8, _SIGN, _SIGN)
            icon(self._theme, "check", "accent").paint(painter, place)
        left = box.left() + self.indent
        right = self._mark(painter, box, row)
        name_font = self._theme.font("label", strong=True)
        painter.setFont(name_font)
        painter.setPen(self._theme.colour("text2" if row.muted else "text"))
        line = QRect(left, box.top() + 5, max(0, right - left), 20)
        middle = Qt.TextElideMode.ElideMiddle
        painter.drawText(line, _LEFT, self._cut(name_font, row.title, line.width(), middle))
        detail_font = self._theme.figures()
        painter.setFont(detail_font)
        painter.setPen(self._theme.colour("text2"))
        below = QRect(left, box.top() + 25, box.right() - left, 18)
        words = self._cut(detail_font, row.detail, below.width(), Qt.TextElideMode.ElideRight)
        painter.drawText(below, _LEFT, words)

    def _mark(self, painter: QPainter, box: QRect, row: Row) -> int:
        """Paint what stands at the right; returns where the name has to end."""
        if row.mark is None:
            return box.right()
        sign, role, words = row.mark
        font = self._theme.font("small", strong=True)
        lead = _SIGN + 6 if sign else 0
        width = QFontMetrics(font).horizontalAdvance(words) + lead + 1
        place = QRect(box.right() - width, box.top() + 5, width, 20)
        if sign:
            at = QRect(place.left(), place.center().y() - 7, _SIGN, _SIGN)
            icon(self._theme, sign, role).paint(painter, at)
        painter.setFont(font)
        painter.setPen(self._theme.colour(role))
        painter.drawText(place.adjusted(lead, 0, 0, 0), _LEFT, words)
        return place.left() - _AIR

    @staticmethod
    def _cut(font: QFont, words: str, room: int, mode: Qt.TextElideMode) -> str:
        return QFontMetrics(font).elidedText(words, mode, room)
