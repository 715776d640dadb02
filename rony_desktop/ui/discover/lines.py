"""Rows of two lines, with a word at their right: their model and how they are painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from rony_desktop.ui.dot import DOT, spoken
from rony_desktop.ui.icon import icon
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS

ROW = 56
_SIGN = 16
_GAP = 12
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Line:
    """What a row says: tag stands behind the title, side and below at the right.

    sign is an icon before side, both in the colour of role. Parts of detail between dots are left
    out from its end where there is no room.
    """

    title: str
    detail: str
    tip: str = ""
    tag: str = ""
    sign: str = ""
    role: str = "text2"
    side: str = ""
    below: str = ""

    @property
    def spoken(self) -> str:
        """All of it for a screen reader."""
        parts = (self.title, self.tag, self.side, self.below)
        said = [part for part in parts if part]
        return ", ".join((*said, spoken(self.detail)))


class LineModel(QAbstractListModel):
    """Lines that may change one by one; what is selected stays while the titles do."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[Line] = []

    def set_lines(self, lines: Sequence[Line]) -> bool:
        """Show these; whether they are others, and not the same ones with other words."""
        if [line.title for line in lines] != [line.title for line in self._lines]:
            self.beginResetModel()
            self._lines = list(lines)
            self.endResetModel()
            return True
        for number, line in enumerate(lines):
            if line != self._lines[number]:
                self._lines[number] = line
                index = self.index(number)
                self.dataChanged.emit(index, index)
        return False

    def line(self, index: AnyIndex) -> Line:
        """The line of an index."""
        return self._lines[index.row()]

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """How many there are."""
        return 0 if parent is not None and parent.isValid() else len(self._lines)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title; what is spoken; the whole of it as a tooltip."""
        line = self._lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return line.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return line.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(line.tip)
        return None


class LineDelegate(QStyledItemDelegate):
    """Paints lines from the tokens; side_width is kept for what stands at the right."""

    def __init__(self, theme: Theme, side_width: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._side_width = side_width

    def sizeHint(self, _option: QStyleOptionViewItem, _index: AnyIndex) -> QSize:
        """One height for all, whatever is known."""
        return QSize(0, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: AnyIndex) -> None:
        """Paint one row."""
        model = index.model()
        if not isinstance(model, LineModel):
            return
        line, rect = model.line(index), QRect(option.rect).adjusted(0, 2, 0, -2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, option, rect)
        self._lines(painter, rect.adjusted(_GAP, 6, -_GAP, -6), line)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, rect: QRect) -> None:
        state: QStyle.StateFlag = option.state
        radius = RADIUS["control"]
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setPen(Qt.PenStyle.NoPen)
        shape = rect.adjusted(1, 1, -1, -1)
        if chosen or hovered:
            painter.setBrush(self._theme.colour("accent_soft" if chosen else "code"))
            painter.drawRoundedRect(shape, radius, radius)
        focused = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
        if state & focused == focused:
            painter.setPen(QPen(self._theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(shape, radius, radius)

    def _lines(self, painter: QPainter, rect: QRect, line: Line) -> None:
        side = self._side_width if line.side or line.below else 0
        room = rect.width() - (side + _GAP if side else 0)
        wide = room if line.below else rect.width()
        strong, figures = self._theme.font("label", strong=True), self._theme.figures()
        first = QRect(rect.left(), rect.top(), room, 20)
        second = QRect(rect.left(), rect.top() + 22, wide, 18)
        tag = QFontMetrics(self._tag_font()).horizontalAdvance(line.tag) + 16 if line.tag else 0
        # A name is cut in its middle: what tells it from others often stands at its end.
        used = self._words(
            painter,
            first.adjusted(0, 0, -(tag + 8) if tag else 0, 0),
            line.title,
            "text",
            strong,
            Qt.TextElideMode.ElideMiddle,
        )
        if tag:
            self._tag(painter, QRect(first.left() + used + 8, first.top() + 1, tag, 18), line.tag)
        self._words(painter, second, line.detail, "text2", figures)
        place = QRect(rect.right() - side + 1, first.top(), side, 20)
        if line.sign:
            at = QRect(place.left(), place.center().y() - 7, _SIGN, _SIGN)
            icon(self._theme, line.sign, line.role).paint(painter, at)
        indent = _SIGN + 6 if line.sign else 0
        heavy = self._theme.font("small", strong=True) if line.sign else figures
        self._words(painter, place.adjusted(indent, 0, 0, 0), line.side, line.role, heavy)
        under = QRect(place.left(), second.top(), side, 18)
        self._words(painter, under.adjusted(indent, 0, 0, 0), line.below, "text2", figures)

    def _words(
        self,
        painter: QPainter,
        place: QRect,
        text: str,
        role: str,
        font: QFont,
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> int:
        """Draw what fits, and return how wide it is."""
        if not text:
            return 0
        metrics = QFontMetrics(font)
        while DOT in text and metrics.horizontalAdvance(text) > place.width():
            text = text.rpartition(DOT)[0]
        shown = metrics.elidedText(text, cut, place.width())
        painter.setFont(font)
        painter.setPen(self._theme.colour(role))
        painter.drawText(place, _LEFT, shown)
        return metrics.horizontalAdvance(shown)

    def _tag(self, painter: QPainter, place: QRect, text: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent"))
        painter.drawRoundedRect(place, 9, 9)
        painter.setFont(self._tag_font())
        painter.setPen(self._theme.colour("on_accent"))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _tag_font(self) -> QFont:
        return self._theme.font("small", strong=True)
