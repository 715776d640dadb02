"""One model of the hub: what of it can be downloaded, how each would fit, and its download."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rony_desktop.app.pick import USUAL, here, recommended
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import Failure, HubError, RonyError, error_class
from rony_desktop.contract.hub import HubModel, Quant, QuantOffer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.discover.state import Item, Opened
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks

SETTLE_S = 0.3  # whoever only passes a row does not want its header read
_STOPPED = (DownloadState.PAUSED, DownloadState.FAILED)


class Quants(Protocol):
    """Tells of one model's files; see app/discover.py."""

    async def quants(self, model: str) -> Sequence[Quant]: ...  # noqa: D102
    async def offer(self, quant: Quant) -> QuantOffer: ...  # noqa: D102
    def offers(self, quants: Sequence[Quant]) -> AsyncIterator[QuantOffer]: ...  # noqa: D102


class Starts(Protocol):
    """Downloads as far as they are needed here; see app/download.py."""

    def list(self) -> tuple[Download, ...]: ...  # noqa: D102
    async def start(self, quant: Quant) -> str: ...  # noqa: D102
    async def resume(self, id: str) -> None: ...  # noqa: D102


class Detail:
    """Reads one model at a time; models lists those of this computer, and blocks."""

    def __init__(
        self,
        discovery: Quants,
        downloads: Starts,
        models: Callable[[], Sequence[ModelRef]],
        tasks: Tasks,
        leads: Leads,
        show: Callable[[], object],
    ) -> None:
        self._discovery = discovery
        self._downloads = downloads
        self._models = models
        self._tasks = tasks
        self._leads = leads
        self._show = show
        self._wanted = ""
        self._reading: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self.opened: Opened | None = None

    def open(self, model: HubModel, quant: str = "") -> None:
        """Show a model; quant is the name of the one to stand on, "" for the recommended one."""
        self._stop()
        self._wanted = quant
        self._put(Opened(model))
        self._reading = self._tasks.spawn(self._read(model), "read a model's files")
        self._reading.add_done_callback(self._ended)

    def close(self) -> None:
        """Show none any more."""
        self._stop()
        self._put(None)

    def retry(self) -> None:
        """Read the same model again."""
        if self.opened:
            self.open(self.opened.model, self._wanted)

    def choose(self, row: int) -> None:
        """Stand on a row; what was only guessed of it is looked up."""
        opened = self.opened
        if opened is None or row == opened.chosen or not 0 <= row < len(opened.items):
            return
        self._put(replace(opened, chosen=row, asked=False))
        if not opened.reading:
            self._look()

    def press(self) -> None:
        """Do what the button of the chosen row says."""
        opened = self.opened
        item = opened.item if opened else None
        if opened is None or item is None:
            return
        download = item.download
        if item.path:
            self._leads.use(item.path)
        elif download and download.state not in _STOPPED:
            self._leads.show("downloads")
        elif download:
            self._do(self._downloads.resume(download.id))
        elif item.doubtful and not opened.asked:
            self._put(replace(opened, asked=True))
        else:
            self._put(replace(opened, asked=False))
            self._do(self._downloads.start(item.quant))

    def refresh(self) -> None:
        """Take in how the downloads are now."""
        if self.opened:
            known = {_key(each.quant): each for each in self._downloads.list()}
            self._put(
                replace(
                    self.opened,
                    items=tuple(
                        _with(item, known.get(_key(item.quant))) for item in self.opened.items
                    ),
                )
            )

    async def _read(self, model: HubModel) -> None:
        try:
            quants = [q for q in await self._discovery.quants(model.id) if not q.projector]
        except RonyError as error:
            self._put(Opened(model, reading=False, failure=error.failure()))
            return
        models = await asyncio.to_thread(self._models)
        items = [Item(quant, path=_path(here(quant, models))) for quant in quants]
        row = _row(quants, self._wanted) if self._wanted else -1
        self._put(Opened(model, items=tuple(items), chosen=row))
        self.refresh()
        async for offer in self._discovery.offers(quants):
            if offer.failure and _of_hub(offer.failure):
                self._change(failure=offer.failure)
                break
            self._take(offer)
        self._settle()

    def _ended(self, reading: asyncio.Task[None]) -> None:
        """However it ended, also by what nobody foresaw: it is not read any more."""
        if reading is self._reading and self.opened and self.opened.reading:
            self._change(reading=False)

    def _settle(self) -> None:
        """All is known that can be told without more reading: say which one to take."""
        if self.opened is None:
            return
        best = recommended(item.offer for item in self.opened.items if item.offer)
        items = tuple(replace(each, recommended=each.quant == best) for each in self.opened.items)
        chosen = self.opened.chosen
        if chosen < 0 and items:
            quants = [item.quant for item in items]
            chosen = quants.index(best) if best else _row(quants, USUAL)
        self._put(replace(self.opened, items=items, chosen=max(chosen, 0), reading=False))
        self._look()

    def _look(self) -> None:
        """Read the chosen one's own header, where another's told of it."""
        if self._looking:
            self._looking.cancel()
            self._looking = None
        item = self.opened.item if self.opened else None
        if item and item.offer and not item.offer.exact and not item.offer.failure:
            self._looking = self._tasks.spawn(self._looked(item.quant), "read a model's header")

    async def _looked(self, quant: Quant) -> None:
        await asyncio.sleep(SETTLE_S)
        offer = await self._discovery.offer(quant)
        if not (offer.failure and _of_hub(offer.failure)):
            self._take(offer)

    def _take(self, offer: QuantOffer) -> None:
        if self.opened:
            items = (
                replace(item, offer=offer) if item.quant == offer.quant else item
                for item in self.opened.items
            )
            self._change(items=tuple(items))

    def _do(self, work: Coroutine[Any, Any, object]) -> None:
        self._change(failure=None)
        self._tasks.spawn(self._done(work), "start download")

    async def _done(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except RonyError as error:
            self._change(failure=error.failure())
        self.refresh()

    def _stop(self) -> None:
        for task in (self._reading, self._looking):
            if task:
                task.cancel()
        self._reading = self._looking = None

    def _change(self, **changes: Any) -> None:
        if self.opened:
            self._put(replace(self.opened, **changes))

    def _put(self, opened: Opened | None) -> None:
        self.opened = opened
        self._show()


def _with(item: Item, download: Download | None) -> Item:
    if download and download.state is DownloadState.DONE:
        return replace(item, download=None, path=str(download.target))
    return replace(item, download=download)


def _key(quant: Quant) -> tuple[tuple[str, str], ...]:
    """What makes it the same although the hub has it anew."""
    return tuple((file.model, file.name) for file in quant.files)


def _row(quants: Sequence[Quant], name: str) -> int:
    names = [quant.name.upper() for quant in quants]
    return names.index(name.upper()) if name.upper() in names else -1


def _path(model: ModelRef | None) -> str:
    return str(model.path) if model else ""


def _of_hub(failure: Failure) -> bool:
    return issubclass(error_class(failure.code), HubError)
