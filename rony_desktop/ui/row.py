"""Rows of the list of chats: their model and how they are painted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import RADIUS

_ROW = 34
_HEADING = 36
_AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ChatRow:
    """One chat in the list; group is its heading, already translated."""

    id: str
    title: str
    group: str = ""
    detail: str = ""


class ChatModel(QAbstractListModel):
    """Chats with a heading before each group; a heading has no id and cannot be chosen."""

    renamed = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ChatRow] = []

    def set_rows(self, rows: Sequence[ChatRow]) -> None:
        """Replace every row."""
        self.beginResetModel()
        self._rows = []
        group = ""
        for row in rows:
            if row.group and row.group != group:
                self._rows.append(ChatRow("", row.group))
            group = row.group
            self._rows.append(row)
        self.endResetModel()

    def id_at(self, index: _AnyIndex) -> str:
        """The chat of a row; empty for a heading or no row."""
        return self._rows[index.row()].id if index.isValid() else ""

    def index_of(self, id: str) -> QModelIndex:
        """The row of a chat; invalid where it is not shown."""
        for number, row in enumerate(self._rows):
            if id and row.id == id:
                return self.index(number)
        return QModelIndex()

    def rowCount(self, parent: _AnyIndex | None = None) -> int:
        """Chats and headings."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title, and as a tooltip the whole of it as plain text."""
        row = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return row.title
        if role == Qt.ItemDataRole.ToolTipRole and row.id:
            return plain_tip(f"{row.title}\n{row.detail}" if row.detail else row.title)
        return None

    def flags(self, index: _AnyIndex) -> Qt.ItemFlag:
        """Chats can be chosen and renamed, headings only seen."""
        if not self.id_at(index):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def setData(
        self, index: _AnyIndex, value: object, role: int = Qt.ItemDataRole.EditRole
    ) -> bool:
        """Ask for a new title; the row changes when the presenter gives it back."""
        title = str(value).strip()
        row = self._rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or not title or title == row.title:
            return False
        self.renamed.emit(row.id, title)
        return True


class ChatDelegate(QStyledItemDelegate):
    """Paints rows from the tokens."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, _option: QStyleOptionViewItem, index: _AnyIndex) -> QSize:
        """Headings are a little higher, for the air above them."""
        heading = not index.flags() & Qt.ItemFlag.ItemIsSelectable
        return QSize(0, _HEADING if heading else _ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _AnyIndex) -> None:
        """Draw a heading or a chat."""
        box = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        place = box.adjusted(12, 0, -12, 0)
        side = Qt.AlignmentFlag.AlignVCenter
        if index.flags() & Qt.ItemFlag.ItemIsSelectable:
            self._ground(painter, option, box)
            chosen = self._is(option, QStyle.StateFlag.State_Selected)
            painter.setPen(self._theme.colour("text" if chosen else "text2"))
            painter.setFont(self._theme.font("label"))
        else:
            place.adjust(0, 12, 0, 0)
            painter.setPen(self._theme.colour("text3"))
            painter.setFont(self._theme.font("small", strong=True))
        words = str(index.data()).replace("\n", " ")
        cut = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, place.width())
        painter.drawText(place, side, cut)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, box: QRect) -> None:
        shape = box.adjusted(1, 1, -1, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if self._is(option, QStyle.StateFlag.State_Selected):
            painter.setBrush(self._theme.colour("accent_soft"))
            painter.drawRoundedRect(shape, RADIUS["control"], RADIUS["control"])
        elif self._is(option, QStyle.StateFlag.State_MouseOver):
            painter.setBrush(self._theme.colour("sunken"))
            painter.drawRoundedRect(shape, RADIUS["control"], RADIUS["control"])
        focused = QStyle.StateFlag.State_HasFocus | QStyle.StateFlag.State_KeyboardFocusChange
        if self._is(option, focused):
            painter.setPen(QPen(self._theme.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(shape.adjusted(1, 1, -1, -1), 5, 5)

    @staticmethod
    def _is(option: QStyleOptionViewItem, flag: QStyle.StateFlag) -> bool:
        state: QStyle.StateFlag = option.state
        return state & flag == flag

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: _AnyIndex
    ) -> QWidget:
        """A field for the title."""
        field = QLineEdit(parent)
        field.setObjectName("rename_field")
        field.setMaxLength(200)
        return field

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: _AnyIndex) -> None:
        """Hand over what was written."""
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text())
