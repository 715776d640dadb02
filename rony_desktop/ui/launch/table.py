"""The flags of a launch as a table: what each is about, and whose choice it is and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from rony_desktop.contract.launch import Flag
from rony_desktop.ui.label import plain_tip
from rony_desktop.ui.launch.option import option_words
from rony_desktop.ui.plan.reason import reason_words
from rony_desktop.ui.plan.words import source_word
from rony_desktop.ui.theme import Theme

_ROW = 32
_OPTION, _VALUE, _WHY, _WHOSE = range(4)
_WIDTHS = {_OPTION: 136, _WHOSE: 88}
_VALUES = (96, 160)  # the least and the most for a value
_ROOM = 22  # pixels of a cell beside its words


class FlagTable(QTableWidget):
    """As high as its rows: the page around it scrolls, and follows the row that is chosen."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(0, 4, parent)
        self._theme = theme
        self.setObjectName("launch_flags")
        self.setAccessibleName(self.tr("Options of the engine"))
        self.setHorizontalHeaderLabels(
            [self.tr("Option"), self.tr("Value"), self.tr("Why"), self.tr("Source")]
        )
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(_ROW)
        self._size_columns()

    def show_flags(self, flags: Sequence[Flag]) -> None:
        """Show the flags of a launch in the order of its command."""
        self.setRowCount(len(flags))
        for row, flag in enumerate(flags):
            about, why = option_words(flag.option), reason_words(flag.reason)
            cells = (flag.option, flag.value, f"{about}: {why}" if about else why)
            for column, text in enumerate((*cells, source_word(flag.reason.source))):
                item = QTableWidgetItem(text)
                if column in (_OPTION, _VALUE):
                    item.setFont(self._theme.font(mono=True))
                if column == _VALUE:
                    item.setToolTip(plain_tip(text))
                    item.setData(Qt.ItemDataRole.UserRole, text)
                    item.setData(Qt.ItemDataRole.AccessibleTextRole, text)
                self.setItem(row, column, item)
        self._size()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words wrap otherwise in another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._size()

    def _size_columns(self) -> None:
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(_WHY, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)

    def _cut(self, row: int, room: int) -> None:
        """Cut a value where there is no room; its tooltip has all of it."""
        item = self.item(row, _VALUE)
        if item:
            metrics = QFontMetrics(item.font())
            text = item.data(Qt.ItemDataRole.UserRole)
            # Of a path the name at its end says the most.
            way = Qt.TextElideMode
            cut = way.ElideLeft if PurePath(text).is_absolute() else way.ElideMiddle
            item.setText(metrics.elidedText(text, cut, room))

    def _size(self) -> None:
        """Give every row the height of its words, and every value one line of it."""
        least, most = _VALUES
        value = max(least, min(most, self.width() // 4 - 32))
        self.setColumnWidth(_VALUE, value)
        width = self.width() - value - sum(_WIDTHS.values()) - _ROOM
        metrics, total = self.fontMetrics(), 0
        for row in range(self.rowCount()):
            self._cut(row, value - _ROOM)
            item = self.item(row, _WHY)
            words = item.text() if item else ""
            area = metrics.boundingRect(0, 0, width, 999, Qt.TextFlag.TextWordWrap, words)
            height = max(_ROW, area.height() + 16)
            self.setRowHeight(row, height)
            total += height
        self.setFixedHeight(total + self.horizontalHeader().sizeHint().height() + 2)
