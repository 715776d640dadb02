"""Drives the list of chats: refresh, search, rename, delete with a way back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol

from rony_desktop.app.chat import ChatService
from rony_desktop.app.feed import Feed
from rony_desktop.contract.error import SessionMissing
from rony_desktop.contract.event import FeedEvent, SessionChanged
from rony_desktop.contract.session import SessionSummary
from rony_desktop.ui.task import Tasks


class HistoryView(Protocol):
    """What the presenter asks of the list."""

    def show_chats(self, chats: Sequence[SessionSummary]) -> None: ...  # noqa: D102
    def offer_restore(self, session: str, title: str) -> None: ...  # noqa: D102


class HistoryPresenter:
    """Keeps the list true: it is read again whenever a chat changes."""

    def __init__(self, chat: ChatService, feed: Feed, tasks: Tasks, view: HistoryView) -> None:
        self._chat = chat
        self._tasks = tasks
        self._view = view
        self._query = ""
        self._chats: dict[str, SessionSummary] = {}
        self._titles: dict[str, str] = {}
        self._refreshing: asyncio.Task[None] | None = None
        self._stale = False
        self._leave = feed.listen(self._heard)

    def refresh(self) -> None:
        """Read the list again; changes that come meanwhile are read once more at the end."""
        self._stale = True
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = self._tasks.spawn(self._refresh(), "list chats")

    def search(self, query: str) -> None:
        """Show only chats that contain these words."""
        self._query = query
        self.refresh()

    async def rename(self, session: str, title: str) -> None:
        """Give a chat another title; a new chat gets it with its first message."""
        if title.strip():
            try:
                await self._chat.rename(session, title)
            except SessionMissing:
                self._titles[session] = title

    async def delete(self, session: str) -> None:
        """Move a chat to the bin and offer to take it back."""
        title = self._chats[session].title if session in self._chats else ""
        await self._chat.delete(session)
        self._view.offer_restore(session, title)

    async def restore(self, session: str) -> None:
        """Take a chat back out of the bin."""
        await self._chat.restore(session)

    def close(self) -> None:
        """Stop listening."""
        self._leave()

    def _heard(self, event: FeedEvent) -> None:
        if isinstance(event, SessionChanged):
            if title := self._titles.pop(event.session, ""):
                self._tasks.spawn(self.rename(event.session, title), "name chat")
            self.refresh()

    async def _refresh(self) -> None:
        while self._stale:
            self._stale = False
            chats = await self._chat.list(self._query)
            self._chats = {chat.id: chat for chat in chats}
            self._view.show_chats(chats)
