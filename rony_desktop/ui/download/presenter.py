"""Drives the page of downloads: what they are, and what the user does with them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rony_desktop.app.feed import Feed
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.ui.pulse import Pulse
from rony_desktop.ui.task import Tasks

STOPPED = (DownloadState.PAUSED, DownloadState.FAILED)


class Downloads(Protocol):
    """The list of downloads; see app/download.py."""

    def list(self) -> tuple[Download, ...]: ...  # noqa: D102
    async def pause(self, id: str) -> None: ...  # noqa: D102
    async def resume(self, id: str) -> None: ...  # noqa: D102
    async def cancel(self, id: str) -> None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class DownloadsState:
    """What the page shows; asked is the id of the one whose deletion is to be confirmed.

    busy are the ids that are being paused or deleted.
    """

    downloads: tuple[Download, ...] = ()
    disk_left_bytes: int | None = None
    asked: str = ""
    busy: frozenset[str] = frozenset()
    failure: Failure | None = None


class DownloadsView(Protocol):
    """What the presenter asks of the pane."""

    def show_state(self, state: DownloadsState) -> None: ...  # noqa: D102


class DownloadsPresenter:
    """Shows changes a few times a second, and none while nobody looks. use loads a model file."""

    def __init__(
        self,
        downloads: Downloads,
        tasks: Tasks,
        view: DownloadsView,
        use: Callable[[str], object],
    ) -> None:
        self._downloads = downloads
        self._tasks = tasks
        self._view = view
        self._use = use
        self._state = DownloadsState()
        self._watched = False
        self._pulse = Pulse(self._show)
        self._leave: Callable[[], None] | None = None

    def open(self, feed: Feed) -> None:
        """Listen to what changes."""
        self._leave = feed.listen(self._heard)

    def close(self) -> None:
        """Stop listening; downloads go on."""
        self._pulse.stop()
        self._watched = False
        if self._leave:
            self._leave()
            self._leave = None

    def watch(self, watched: bool) -> None:
        """Somebody looks, or nobody does any more."""
        self._watched = watched
        if not watched:
            self._pulse.stop()
            return
        listed = self._downloads.list()
        if self._state.disk_left_bytes is None:
            known = [each.step.disk_left_bytes for each in listed]
            left = min((bytes_left for bytes_left in known if bytes_left is not None), default=None)
            self._state = replace(self._state, disk_left_bytes=left)
        self._show()

    def toggle(self, id: str) -> None:
        """Pause one that goes on; let one go on that was stopped."""
        download = self._find(id)
        if download is None or id in self._state.busy or download.state is DownloadState.DONE:
            return
        stopped = download.state in STOPPED
        work = self._downloads.resume if stopped else self._downloads.pause
        self._do(id, work(id), "resume download" if stopped else "pause download")

    def cancel(self, id: str) -> None:
        """Take one off the list; where bytes of it would be lost, ask first."""
        download = self._find(id)
        if download is None or id in self._state.busy:
            return
        lost = download.state is not DownloadState.DONE and download.step.done_bytes > 0
        if lost and self._state.asked != id:
            self._change(asked=id)
            return
        self._do(id, self._downloads.cancel(id), "cancel download")

    def keep(self) -> None:
        """Delete nothing."""
        self._change(asked="")

    def use(self, id: str) -> None:
        """Load one that is done."""
        download = self._find(id)
        if download and download.state is DownloadState.DONE:
            self._use(str(download.target))

    def dismiss(self) -> None:
        """The failure was read."""
        self._state = replace(self._state, failure=None)

    def _find(self, id: str) -> Download | None:
        return next((each for each in self._downloads.list() if each.id == id), None)

    def _do(self, id: str, work: Coroutine[Any, Any, None], name: str) -> None:
        self._change(busy=self._state.busy | {id}, asked="", failure=None)
        task = self._tasks.spawn(self._caught(work), name)
        task.add_done_callback(lambda _: self._change(busy=self._state.busy - {id}))

    async def _caught(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except RonyError as error:
            self._change(failure=error.failure())

    def _heard(self, event: FeedEvent) -> None:
        if not isinstance(event, DownloadChanged):
            return
        left = event.download.step.disk_left_bytes
        if left is not None:
            self._state = replace(self._state, disk_left_bytes=left)
        if event.removed and event.download.id == self._state.asked:
            self._state = replace(self._state, asked="")
        if self._watched:
            self._pulse.ask()

    def _change(self, **changes: Any) -> None:
        self._state = replace(self._state, **changes)
        self._show()

    def _show(self) -> None:
        if self._watched:
            self._state = replace(self._state, downloads=self._downloads.list())
            self._view.show_state(self._state)
