"""Rows of a list of models, with a heading before each group, and a filter on their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from rony_desktop.ui.dot import spoken
from rony_desktop.ui.label import plain_tip

AnyIndex = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Row:
    """A line that can be chosen; a heading has no key and cannot.

    mark is an icon, its role and its words at the right; ticked puts a tick at the left, muted
    takes its weight away. tip is what more its tooltip says.
    """

    key: str
    title: str
    detail: str = ""
    mark: tuple[str, str, str] | None = None
    ticked: bool = False
    muted: bool = False
    tip: str = ""

    @property
    def spoken(self) -> str:
        """All of it for a screen reader."""
        parts = (
            self.title,
            spoken(self.detail),
            self.mark[2] if self.mark else "",
        )
        return ", ".join(part for part in parts if part)


class RowModel(QAbstractListModel):
    """The rows that a filter leaves; a heading stays while one below it does."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: list[Row] = []
        self._rows: list[Row] = []
        self._filter = ""

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these; what stays the same in number and order keeps its place."""
        keys = [row.key for row in rows]
        same = keys == [row.key for row in self._all]
        self._all = list(rows)
        if not same:
            self.set_filter(self._filter)
            return
        left = {row.key for row in self._rows}
        self._rows = [row for row in rows if row.key in left] if self._filter else list(rows)
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def set_filter(self, text: str) -> None:
        """Leave the rows whose title has every one of these words."""
        self.beginResetModel()
        self._filter = text
        wanted = text.casefold().split()
        self._rows = []
        heading: Row | None = None
        for row in self._all:
            if not row.key:
                heading = row
            elif all(word in row.title.casefold() for word in wanted):
                self._rows += [heading, row] if heading else [row]
                heading = None
        self.endResetModel()

    def put(self, row: Row) -> None:
        """Take in a row again, by its key."""
        for rows in (self._all, self._rows):
            for number, before in enumerate(rows):
                if before.key == row.key:
                    rows[number] = row
                    if rows is self._rows:
                        self.dataChanged.emit(self.index(number), self.index(number))

    def row(self, index: AnyIndex) -> Row | None:
        """The row of an index, None for no index."""
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, key: str) -> QModelIndex:
        """Where a row is; invalid where it is not shown."""
        for number, row in enumerate(self._rows):
            if key and row.key == key:
                return self.index(number)
        return QModelIndex()

    def first(self) -> QModelIndex:
        """The first row that can be chosen; invalid where there is none."""
        number = next((n for n, row in enumerate(self._rows) if row.key), -1)
        return self.index(number) if number >= 0 else QModelIndex()

    def rowCount(self, parent: AnyIndex | None = None) -> int:
        """Rows that are left, and their headings."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The title; what is spoken; the whole of it as a tooltip."""
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.spoken
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(filter(None, (row.title, row.detail, row.tip))))
        return None

    def flags(self, index: AnyIndex) -> Qt.ItemFlag:
        """Headings are only seen."""
        row = self.row(index)
        return super().flags(index) if row and row.key else Qt.ItemFlag.NoItemFlags


def row_at(model: QAbstractItemModel, index: AnyIndex) -> Row | None:
    """The row of an index of a RowModel."""
    return model.row(index) if isinstance(model, RowModel) else None
