"""The list of chats as HistoryPresenter fills it, grouped by date."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from PySide6.QtCore import Signal

from rony_desktop.contract.session import UNREADABLE, SessionSummary
from rony_desktop.ui.row import ChatRow
from rony_desktop.ui.sidebar import ChatList

WEEK = 7


class HistoryList(ChatList):
    """A HistoryView.

    deleted tells that a chat went to the bin and may come back, titled how the shown one is called.
    """

    _shown = ""
    deleted = Signal(str, str)
    titled = Signal(str)

    def set_current(self, id: str) -> None:
        """Mark the chat that is shown; a new one gets its mark when it is listed."""
        self._shown = id
        super().set_current(id)

    def show_chats(self, chats: Sequence[SessionSummary]) -> None:
        """Show these chats, newest first as they come."""
        today = datetime.now().astimezone().date()
        shown = self._shown
        self.set_rows([self._row(chat, today) for chat in chats])
        self.set_current(shown)
        for chat in chats:
            if chat.id == shown:
                self.titled.emit(chat.title)

    def offer_restore(self, session: str, title: str) -> None:
        """Tell that a chat may be taken back."""
        self.deleted.emit(session, title)

    def _row(self, chat: SessionSummary, today: date) -> ChatRow:
        unnamed = self.tr("Unreadable chat") if UNREADABLE in chat.marks else self.tr("New chat")
        title = chat.title or unnamed
        return ChatRow(chat.id, title, self._group(chat, today), chat.snippet)

    def _group(self, chat: SessionSummary, today: date) -> str:
        if chat.pinned:
            return self.tr("Pinned")
        try:
            day = datetime.fromisoformat(chat.updated).astimezone().date()
        except (ValueError, OverflowError):  # a damaged file hides no other chat
            return self.tr("Older")
        if day >= today:
            return self.tr("Today")
        if day == today - timedelta(days=1):
            return self.tr("Yesterday")
        if day > today - timedelta(days=WEEK):
            return self.tr("Previous 7 days")
        return self.tr("Older")
