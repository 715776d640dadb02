"""Leads to a model that suits this computer: look, choose, download, tune; outlives its dialog."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rony_desktop.contract.check import ModelCheck
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.contract.hub import CatalogEntry, Quant, Suggestion
from rony_desktop.contract.speed import Tuning
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.discover import Computer


class Page(StrEnum):
    """The steps, in their order."""

    COMPUTER = "computer"
    CHOOSE = "choose"
    DOWNLOAD = "download"
    TUNE = "tune"
    READY = "ready"


class Discovery(Protocol):
    """What suits this computer."""

    async def computer(self) -> Computer: ...  # noqa: D102
    async def suggestions(self) -> Suggestion: ...  # noqa: D102
    async def suggested(self, entry: CatalogEntry) -> Quant: ...  # noqa: D102


class Downloads(Protocol):
    """The list of downloads."""

    async def start(self, quant: Quant) -> str: ...  # noqa: D102
    async def resume(self, id: str) -> None: ...  # noqa: D102
    async def cancel(self, id: str) -> None: ...  # noqa: D102
    def list(self) -> tuple[Download, ...]: ...  # noqa: D102


class Checks(Protocol):
    """Tests how a model calls tools; tell hears how many of how many steps are done."""

    async def check(self, path: Path, tell: Callable[[int, int], None]) -> ModelCheck: ...  # noqa: D102


class Bench(Protocol):
    """Tunes the model in use; tell hears how many of how many runs are done."""

    async def tune(  # noqa: D102
        self, tell: Callable[[int, int, Mapping[str, object]], None]
    ) -> Tuning: ...


@dataclass(frozen=True, slots=True)
class Means:
    """What the wizard works with; use loads a model, ready waits for it, listen is the feed's."""

    discovery: Discovery
    downloads: Downloads
    bench: Bench
    checks: Checks
    use: Callable[[str], None]
    ready: Callable[[], Awaitable[None]]
    listen: Callable[[Callable[[FeedEvent], None]], Callable[[], None]]


@dataclass(frozen=True, slots=True)
class WizardState:
    """Where it stands; busy says that something is awaited which cannot be counted.

    runs are those of tuning, then steps of the check: done and every one. entry is the chosen
    model of the catalog.
    """

    page: Page = Page.COMPUTER
    computer: Computer | None = None
    suggestion: Suggestion | None = None
    entry: CatalogEntry | None = None
    download: Download | None = None
    runs: tuple[int, int] = (0, 0)
    tuning: Tuning | None = None
    check: ModelCheck | None = None
    busy: bool = False
    failure: Failure | None = None


class WizardView(Protocol):
    """What the presenter asks of the dialog."""

    def show_state(self, state: WizardState) -> None: ...  # noqa: D102


class WizardPresenter:
    """One wizard of the program; a download it began goes on when its dialog is closed."""

    def __init__(self, means: Means, tasks: Tasks) -> None:
        self._means = means
        self._tasks = tasks
        self._view: WizardView | None = None
        self._state = WizardState()
        self._task: asyncio.Task[None] | None = None
        # What to do again where it failed.
        self._again: Callable[[], Coroutine[Any, Any, None]] | None = None
        self._ignore = means.listen(self._heard)

    def attach(self, view: WizardView) -> None:
        """Show where it stands; a wizard that was finished begins anew."""
        self._view = view
        if self._state.page is Page.READY:
            self._state = WizardState()
        self._show(self._state)
        if self._state.computer is None:
            self._begin(self._look)

    def detach(self) -> None:
        """Show nothing any more; what is on its way goes on, but tuning ends."""
        self._view = None
        if self._state.page is Page.TUNE:
            self._stop()
            self._show(replace(self._state, page=Page.READY, busy=False, runs=(0, 0)))

    def close(self) -> None:
        """Stop listening to the program."""
        self._ignore()

    def next(self) -> None:
        """Go on from what was found here to the suggestions, or tune."""
        if self._state.page is Page.COMPUTER:
            self._show(replace(self._state, page=Page.CHOOSE, failure=None))
        elif self._state.page is Page.TUNE and not self._state.busy:
            self._begin(self._tune)

    def back(self) -> None:
        """Go back one step, where nothing was begun yet."""
        if self._state.page is Page.CHOOSE:
            self._stop()
            self._show(replace(self._state, page=Page.COMPUTER, busy=False, failure=None))

    def choose(self, entry: CatalogEntry) -> None:
        """Download a model of the catalog."""
        if self._state.page is Page.CHOOSE and not self._state.busy:
            self._show(replace(self._state, entry=entry))
            self._begin(self._download)

    def skip(self) -> None:
        """Do not tune, or not to the end."""
        if self._state.page is Page.TUNE:
            self._stop()
            self._show(replace(self._state, page=Page.READY, busy=False, failure=None))

    def cancel(self) -> None:
        """Give the download up and delete what came of it; back to the suggestions."""
        if self._state.page is Page.DOWNLOAD:
            self._stop()
            self._begin(self._give_up)

    def retry(self) -> None:
        """Do again what failed."""
        download = self._state.download
        if download and download.state in (DownloadState.FAILED, DownloadState.PAUSED):
            self._show(replace(self._state, failure=None))
            self._tasks.spawn(self._means.downloads.resume(download.id), "resume download")
        elif self._again:
            self._begin(self._again)

    async def _look(self) -> None:
        discovery = self._means.discovery
        self._show(replace(self._state, computer=await discovery.computer()))
        self._show(replace(self._state, suggestion=await discovery.suggestions()))

    async def _download(self) -> None:
        if self._state.entry is None:
            return
        quant = await self._means.discovery.suggested(self._state.entry)
        id = await self._means.downloads.start(quant)
        found = next(each for each in self._means.downloads.list() if each.id == id)
        self._show(replace(self._state, page=Page.DOWNLOAD, download=found))
        if found.state is DownloadState.DONE:
            await self._use(found.target)

    async def _give_up(self) -> None:
        if self._state.download:
            await self._means.downloads.cancel(self._state.download.id)
        self._show(replace(self._state, page=Page.CHOOSE, download=None))

    async def _use(self, model: Path) -> None:
        self._means.use(str(model))
        await self._means.ready()
        self._show(replace(self._state, page=Page.TUNE, busy=False))

    async def _tune(self) -> None:
        if self._state.tuning is None:
            found = await self._means.bench.tune(self._tell)
            self._show(replace(self._state, tuning=found, runs=(0, 0)))
        if self._state.download:
            target = self._state.download.target
            checked = await self._means.checks.check(target, self._tell)
            self._show(replace(self._state, check=checked))
        self._show(replace(self._state, page=Page.READY))

    def _tell(self, done: int, every: int, _changes: Mapping[str, object] | None = None) -> None:
        self._show(replace(self._state, runs=(done, every)))

    def _heard(self, event: FeedEvent) -> None:
        """Follow the download that was begun here."""
        download = self._state.download
        if not isinstance(event, DownloadChanged) or download is None:
            return
        if event.download.id != download.id or self._state.page is not Page.DOWNLOAD:
            return
        if event.removed:
            self._show(replace(self._state, page=Page.CHOOSE, download=None, failure=None))
            return
        self._show(replace(self._state, download=event.download, failure=event.download.failure))
        if event.download.state is DownloadState.DONE and not self._state.busy:
            target = event.download.target
            self._begin(lambda: self._use(target))

    def _begin(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._again = work
        self._show(replace(self._state, busy=True, failure=None))
        task = self._tasks.spawn(self._caught(work), "wizard")
        self._task = task

    async def _caught(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        task = asyncio.current_task()
        try:
            await work()
        except RonyError as error:
            self._show(replace(self._state, failure=error.failure()))
        finally:
            if self._task is task:
                self._show(replace(self._state, busy=False, runs=(0, 0)))

    def _stop(self) -> None:
        task, self._task = self._task, None
        if task:
            task.cancel()

    def _show(self, state: WizardState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_state(state)
