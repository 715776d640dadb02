"""The page of downloads: a row for each in the order of the queue, and the room that is left."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from rony_desktop.contract.download import Download
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.download.presenter import DownloadsState
from rony_desktop.ui.download.row import DownloadRow
from rony_desktop.ui.download.words import disk_words
from rony_desktop.ui.empty import EmptyKind, EmptyState
from rony_desktop.ui.label import plain_label
from rony_desktop.ui.room import scroll_area
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import COLUMN


class DownloadsPane(QWidget):
    """Shows a DownloadsState; watched tells whether anybody can see it."""

    toggleRequested = Signal(str)  # noqa: N815 - Qt's naming of signals
    cancelRequested = Signal(str)  # noqa: N815
    keepRequested = Signal()  # noqa: N815
    useRequested = Signal(str)  # noqa: N815
    discoverRequested = Signal()  # noqa: N815
    actionRequested = Signal(str)  # noqa: N815 - an Action
    dismissed = Signal()
    watched = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("downloads_pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._rows: dict[str, DownloadRow] = {}
        self._banner = Banner(theme, self)
        self._banner.actionTriggered.connect(self.actionRequested)
        self._banner.dismissed.connect(self.dismissed)
        self._empty = EmptyState(theme, self)
        self._empty.set_kind(EmptyKind.NO_DOWNLOAD)
        self._empty.actionTriggered.connect(lambda _: self.discoverRequested.emit())
        self._disk = plain_label("", "hint", self)
        self._disk.setObjectName("downloads_disk")
        self._disk.setFont(theme.figures())
        self._lay_out()
        self.show_state(DownloadsState())

    def show_state(self, state: DownloadsState) -> None:
        """Show it; rows that are there stay the same widgets."""
        for number, download in enumerate(state.downloads):
            row = self._rows.get(download.id) or self._add(download)
            if self._list.indexOf(row) != number:
                self._list.insertWidget(number, row)
            row.show_download(
                download,
                asked=state.asked == download.id,
                busy=download.id in state.busy,
            )
        self._drop({download.id for download in state.downloads})
        self._stack.setCurrentWidget(self._area if self._rows else self._empty)
        self._disk.setText(disk_words(state.disk_left_bytes))
        self._disk.setVisible(bool(self._disk.text()))
        # Nothing is tried again from here: each row has a button of its own.
        self._banner.show_failure(state.failure, again=False)

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        self.watched.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        self.watched.emit(False)

    def _add(self, download: Download) -> DownloadRow:
        row = DownloadRow(self._theme, download, self._content)
        row.toggled.connect(self.toggleRequested)
        row.cancelled.connect(self.cancelRequested)
        row.kept.connect(self.keepRequested)
        row.used.connect(self.useRequested)
        row.failurePressed.connect(self.actionRequested)
        row.stepped.connect(lambda by: self._step(row, by))
        self._rows[download.id] = row
        return row

    def _drop(self, left: set[str]) -> None:
        for id in [id for id in self._rows if id not in left]:
            row = self._rows.pop(id)
            if row.holds_focus() and not self._step(row, 1):
                self._step(row, -1)
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()

    def _step(self, row: DownloadRow, by: int) -> bool:
        """Give the focus to the row that many below; whether there is one."""
        item = self._list.itemAt(self._list.indexOf(row) + by)
        other = item.widget() if item else None
        if not isinstance(other, DownloadRow):
            return False
        other.setFocus(Qt.FocusReason.TabFocusReason)
        self._area.ensureWidgetVisible(other, 0, 8)
        return True

    def _lay_out(self) -> None:
        self._content = QWidget(self)
        self._content.setObjectName("downloads_list")
        rows = QWidget(self._content)
        rows.setMaximumWidth(COLUMN)
        self._list = QVBoxLayout(rows)
        self._list.setContentsMargins(0, 0, 0, 0)
        self._list.setSpacing(4)
        self._list.addStretch(1)
        line = QHBoxLayout(self._content)
        line.setContentsMargins(8, 8, 8, 8)
        line.addStretch(1)
        line.addWidget(rows, 1000)
        line.addStretch(1)
        self._area = scroll_area("downloads_area", self._content)
        self._area.setAccessibleName(self.tr("Downloads"))
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._area)
        rule = QFrame(self)
        rule.setObjectName("hairline")
        rule.setFixedHeight(1)
        self._disk.setContentsMargins(24, 8, 24, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._banner)
        column.addWidget(self._stack, 1)
        column.addWidget(rule)
        column.addWidget(self._disk)
