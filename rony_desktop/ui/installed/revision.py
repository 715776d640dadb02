"""Drives the search for newer revisions of what was downloaded, and getting them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.contract.hub import Quant
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.revision import Revision
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:
    from rony_desktop.app.feed import Feed


class Revisions(Protocol):
    """Knows what was downloaded, and asks its hub for newer; see app/revision.py."""

    async def origins(self) -> Mapping[Path, Quant]: ...  # noqa: D102
    def newer(self, tell: Tell) -> AsyncIterator[Revision]: ...  # noqa: D102


class Starts(Protocol):
    """Downloads as far as they are needed here; see app/download.py."""

    def list(self) -> Sequence[Download]: ...  # noqa: D102
    async def start(self, quant: Quant) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class RevisionState:
    """What is known: count models were downloaded, found are newer; None before.

    whole says that every model was asked for; done and every count what is asked for on the hub.
    downloads are of what was found, by its path; failure is of the question or of a start.
    """

    count: int | None = None
    found: tuple[Revision, ...] | None = None
    asking: bool = False
    whole: bool = False
    done: int = 0
    every: int = 0
    downloads: Mapping[Path, Download] = field(default_factory=dict)
    failure: Failure | None = None

    @property
    def left(self) -> tuple[Revision, ...]:
        """What can be updated: nothing of it is on the list of downloads, or it failed there."""
        return tuple(each for each in self.found or () if self._is_left(each.path))

    def is_coming(self, path: Path) -> bool:
        """Whether an update is on the list of downloads and not over."""
        return not self._is_left(path) and self.downloads[path].state is not DownloadState.DONE

    def _is_left(self, path: Path) -> bool:
        download = self.downloads.get(path)
        return download is None or download.state is DownloadState.FAILED


class RevisionView(Protocol):
    """What the presenter asks of the pane."""

    def show_revisions(self, state: RevisionState) -> None: ...  # noqa: D102


class RevisionPresenter:
    """Asks the hub only when told to, and goes on without a view until it is cancelled."""

    def __init__(self, revisions: Revisions, downloads: Starts, tasks: Tasks) -> None:
        self._revisions = revisions
        self._downloads = downloads
        self._tasks = tasks
        self._view: RevisionView | None = None
        self._leave: Callable[[], None] | None = None
        self._asking: asyncio.Task[None] | None = None
        self._state = RevisionState()

    def attach(self, view: RevisionView, feed: Feed) -> None:
        """Show what is known on a view, and follow the downloads."""
        self._view = view
        self._leave = feed.listen(self._heard)
        self._refresh()

    def detach(self) -> None:
        """Show nothing any more; what is on its way goes on."""
        self._view = None
        if self._leave:
            self._leave()
            self._leave = None

    def count(self) -> None:
        """Count what was downloaded; the hub is not asked."""
        self._tasks.spawn(self._count(), "count downloaded models")

    def ask(self) -> None:
        """Ask the hub for newer ones."""
        if not self._state.asking:
            self._show(RevisionState(self._state.count, asking=True))
            self._asking = self._tasks.spawn(self._ask(), "ask for newer revisions")
            self._asking.add_done_callback(lambda _: self._show(replace(self._state, asking=False)))

    def cancel(self) -> None:
        """Ask no further; what was found stays."""
        if self._asking is not None:
            self._asking.cancel()

    def update(self, path: Path) -> None:
        """Download what is newer of one model."""
        self._begin(tuple(each for each in self._state.left if each.path == path))

    def update_all(self) -> None:
        """Download all that is newer and not on its way yet."""
        self._begin(self._state.left)

    def _begin(self, wanted: Sequence[Revision]) -> None:
        if wanted:
            self._show(replace(self._state, failure=None))
            self._tasks.spawn(self._update(wanted), "update models")

    async def _count(self) -> None:
        try:
            count = len(await self._revisions.origins())
        except RonyError as error:
            self._show(replace(self._state, failure=error.failure()))
        else:
            self._show(replace(self._state, count=count))

    async def _ask(self) -> None:
        await self._count()
        try:
            async for revision in self._revisions.newer(self._told):
                self._show(replace(self._state, found=(*(self._state.found or ()), revision)))
                self._refresh()
        except RonyError as error:
            self._show(replace(self._state, failure=error.failure()))
        else:
            self._show(replace(self._state, found=self._state.found or (), whole=True))

    async def _update(self, wanted: Sequence[Revision]) -> None:
        try:
            for revision in wanted:
                await self._downloads.start(revision.offered)
        except RonyError as error:
            self._show(replace(self._state, failure=error.failure()))
        self._refresh()

    def _told(self, done: int, every: int) -> None:
        self._show(replace(self._state, done=done, every=every))

    def _heard(self, event: FeedEvent) -> None:
        """Take in where a download stands, not how far it is."""
        if not isinstance(event, DownloadChanged):
            return
        target = event.download.target
        if all(target != revision.path for revision in self._state.found or ()):
            return
        known = self._state.downloads.get(target)
        if event.removed or known is None or known.state is not event.download.state:
            self._refresh()

    def _refresh(self) -> None:
        listed = self._downloads.list()
        coming = {
            revision.path: download
            for revision in self._state.found or ()
            for download in listed
            if download.target == revision.path and _same(download.quant, revision.offered)
        }
        self._show(replace(self._state, downloads=coming))

    def _show(self, state: RevisionState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_revisions(state)


def _same(one: Quant, other: Quant) -> bool:
    """Whether two have the same bytes; their commits may differ."""
    first, second = ([(f.name, f.size_bytes, f.sha256) for f in q.files] for q in (one, other))
    return first == second
