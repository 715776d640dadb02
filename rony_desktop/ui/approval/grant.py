"""The list of what was allowed for longer; each can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QDate, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from rony_desktop.contract.approval import Grant
from rony_desktop.ui.approval.escape import visible
from rony_desktop.ui.approval.words import deed
from rony_desktop.ui.button import push_button
from rony_desktop.ui.label import ElidedLabel, plain_label, plain_tip

_SIZE = (560, 420)


class GrantDialog(QDialog):
    """Lists permissions; revoked asks to end one, and set_grants shows what is left."""

    revoked = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("grant_dialog")
        self.setWindowTitle(self.tr("Permissions"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.resize(*_SIZE)
        title = plain_label(self.tr("Permissions"), "display", self)
        about = plain_label(
            self.tr("What Rony may do without asking. Everything else is asked each time."),
            "quiet",
            self,
        )
        self._empty = plain_label(
            self.tr("Nothing yet. You can allow something for longer when Rony asks."), "hint", self
        )
        self._empty.setObjectName("grant_empty")
        self._area = QScrollArea(self)
        self._area.setObjectName("grant_area")
        self._area.setWidgetResizable(True)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._done = push_button(self.tr("Done"), "outline", "grant_done", self)
        self._done.setFixedHeight(32)
        self._done.setDefault(True)
        self._done.clicked.connect(self.accept)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(8)
        for widget in (title, about):
            column.addWidget(widget)
        column.addSpacing(8)
        column.addWidget(self._empty)
        column.addWidget(self._area, 1)
        column.addStretch(0)
        column.addWidget(self._done, 0, Qt.AlignmentFlag.AlignRight)
        self.set_grants(())

    def set_grants(self, grants: Sequence[Grant]) -> None:
        """Show these permissions; the focus stays on the same place of the list."""
        place = next((n for n, button in enumerate(self._buttons()) if button.hasFocus()), None)
        rows = QWidget()
        rows.setObjectName("grant_list")
        column = QVBoxLayout(rows)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for grant in grants:
            column.addWidget(self._row(grant, rows))
        column.addStretch(1)
        self._area.setWidget(rows)
        self._area.setVisible(bool(grants))
        self._empty.setVisible(not grants)
        buttons = self._buttons()
        if place is not None and buttons:
            buttons[min(place, len(buttons) - 1)].setFocus()
        elif place is not None:
            self._done.setFocus()

    def _buttons(self) -> list[QPushButton]:
        rows = self._area.widget()
        return rows.findChildren(QPushButton) if rows else []

    def _row(self, grant: Grant, parent: QWidget) -> QFrame:
        row = QFrame(parent)
        row.setObjectName("grant_row")
        what = plain_label(deed(grant.tool, grant.pattern), "", row)
        what.setObjectName("grant_what")
        where = ElidedLabel(row, Qt.TextElideMode.ElideMiddle)
        where.setObjectName("grant_where")
        where.setProperty("role", "hint")
        where.setText(self._reach(grant))
        where.setToolTip(plain_tip(where.text()))
        revoke = push_button(self.tr("Revoke"), "outline", f"revoke_{grant.id}", row)
        revoke.setAccessibleName(self.tr("Revoke: {0}").format(what.text()))
        revoke.setFixedHeight(32)
        revoke.clicked.connect(lambda: self.revoked.emit(grant.id))
        words = QVBoxLayout()
        words.setSpacing(4)
        words.addWidget(what)
        words.addWidget(where)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 12, 0, 12)
        line.setSpacing(12)
        line.addLayout(words, 1)
        line.addWidget(revoke)
        return row

    def _reach(self, grant: Grant) -> str:
        folder = visible(grant.folder)
        if grant.session:
            return self.tr("in this chat, in {0}").format(folder)
        if not grant.expires:
            return self.tr("in {0}").format(folder)
        return self.tr("until {0}, in {1}").format(_day(grant.expires), folder)


def _day(time: str) -> str:
    """The day of a time in UTC, as the user's clock has it."""
    try:
        day = datetime.fromisoformat(time).astimezone().date()
    except (ValueError, OverflowError):
        return visible(time)
    return QLocale().toString(QDate(day.year, day.month, day.day), "d MMMM yyyy")
