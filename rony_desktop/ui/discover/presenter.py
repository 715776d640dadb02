"""Drives the search for models to download; what was found outlives the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rony_desktop.app.feed import Feed
from rony_desktop.contract.error import RonyError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.contract.hub import CatalogEntry, HubModel, Suggestion
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.discover.detail import Detail, Quants, Starts
from rony_desktop.ui.discover.state import Found, Opened
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.pulse import Pulse
from rony_desktop.ui.task import Tasks


class Discovery(Quants, Protocol):
    """Finds and suggests models; see app/discover.py."""

    async def search(self, query: str) -> Sequence[HubModel]: ...  # noqa: D102
    async def suggestions(self) -> Suggestion: ...  # noqa: D102


class DiscoverView(Protocol):
    """What the presenter asks of the pane."""

    def show_found(self, found: Found) -> None: ...  # noqa: D102
    def show_opened(self, opened: Opened | None) -> None: ...  # noqa: D102


class DiscoverPresenter:
    """One search at a time: a new one ends the one before. detail has the model that is shown."""

    def __init__(
        self,
        discovery: Discovery,
        downloads: Starts,
        models: Callable[[], Sequence[ModelRef]],
        tasks: Tasks,
        leads: Leads,
    ) -> None:
        self._discovery = discovery
        self._tasks = tasks
        self._view: DiscoverView | None = None
        self._watched = False
        self._found = Found()
        self._searching: asyncio.Task[None] | None = None
        self._suggesting: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] | None = None
        self.detail = Detail(discovery, downloads, models, tasks, leads, self._show_opened)
        self._pulse = Pulse(self.detail.refresh)

    def attach(self, view: DiscoverView, feed: Feed) -> None:
        """Show what is known on a view."""
        self._view = view
        self._leave = feed.listen(self._heard)
        view.show_found(self._found)
        view.show_opened(self.detail.opened)

    def detach(self) -> None:
        """Show nothing any more; a search goes on."""
        self._view = None
        self.watch(watched=False)
        if self._suggesting:
            self._suggesting.cancel()
            self._suggesting = None
        if self._leave:
            self._leave()
            self._leave = None

    def watch(self, watched: bool) -> None:
        """Somebody looks, or nobody does any more: then progress of downloads is not shown.

        Suggestions are made anew for each view, once somebody looks: memory comes and goes, and the
        first ones may have to wait until this computer is measured.
        """
        self._watched = watched
        if not watched:
            self._pulse.stop()
            return
        self.detail.refresh()
        if self._suggesting is None:
            self._suggesting = self._tasks.spawn(self._suggest(), "suggest models")

    def search(self, query: str) -> None:
        """Search; nothing to search for shows the suggestions."""
        query = query.strip()
        if query == self._found.query and self._found.failure is None:
            return
        if self._searching:
            self._searching.cancel()
        self.detail.close()
        self._change(query=query, searching=bool(query), failure=None)
        if query:
            self._searching = self._tasks.spawn(self._search(query), "search for models")
            self._searching.add_done_callback(self._ended)
        else:
            self._change(models=None)

    def retry(self) -> None:
        """Do again what failed."""
        opened = self.detail.opened
        if opened and opened.failure:
            self.detail.retry()
        elif self._found.failure:
            self.search(self._found.query)

    def open(self, row: int) -> None:
        """Show a model that was found."""
        models = self._found.models or ()
        if 0 <= row < len(models):
            self.detail.open(models[row])

    def suggested(self, entry: CatalogEntry) -> None:
        """Show a model that was suggested."""
        model = HubModel(entry.model, 0, gated=False, licence=entry.licence)
        self.detail.open(model, entry.quant)

    async def _search(self, query: str) -> None:
        try:
            models = tuple(await self._discovery.search(query))
        except RonyError as error:
            self._change(models=None, searching=False, failure=error.failure())
            return
        self._change(models=models, searching=False)

    def _ended(self, search: asyncio.Task[None]) -> None:
        """However it ended, also by what nobody foresaw: it is not searched any more."""
        if search is self._searching and self._found.searching:
            self._change(searching=False)

    async def _suggest(self) -> None:
        self._change(suggestion=await self._discovery.suggestions())

    def _heard(self, event: FeedEvent) -> None:
        opened = self.detail.opened
        if (
            isinstance(event, DownloadChanged)
            and self._watched
            and opened
            and event.download.model == opened.model.id
        ):
            self._pulse.ask()

    def _change(self, **changes: Any) -> None:
        self._found = replace(self._found, **changes)
        if self._view is not None:
            self._view.show_found(self._found)

    def _show_opened(self) -> None:
        if self._view is not None:
            self._view.show_opened(self.detail.opened)
