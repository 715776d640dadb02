"""The list of downloads: queued, several at once, paused and resumed, kept over restarts."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from rony_desktop.app.feed import Feed
from rony_desktop.app.id import new_id
from rony_desktop.app.revision import remember
from rony_desktop.contract.download import DOWNLOADS, Download, DownloadState, Step
from rony_desktop.contract.error import DownloadBusy, HubForeign, RonyError
from rony_desktop.contract.event import DownloadChanged, Notice
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.contract.hub import Quant
from rony_desktop.contract.port import ModelHub, RecordStore
from rony_desktop.model.disk import free_bytes
from rony_desktop.model.download import DownloadJob
from rony_desktop.model.pace import Pace
from rony_desktop.model.part import from_json, kept_bytes, pages, place, to_json
from rony_desktop.model.reserve import Reserve
from rony_desktop.model.transfer import PATIENCE, Means, Patience
from rony_desktop.store.lock import held

_OVER = (DownloadState.DONE, DownloadState.FAILED, DownloadState.PAUSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Where models go and how much at once; locks_dir is shared by every running program."""

    folder: Path
    locks_dir: Path
    parallel: int
    reserve_bytes: int
    patience: Patience = PATIENCE
    free: Callable[[Path], int | None] = free_bytes


class _Running:
    """One that runs: how to end it, how fast it is, and what it becomes when it was ended."""

    def __init__(self) -> None:
        self.halt = Halt()
        self.pace = Pace()
        self.task: asyncio.Task[None] | None = None
        self.then = DownloadState.QUEUED


class DownloadService:
    """Runs downloads in threads of their own. Every method is called on the loop's thread.

    A finished download stays on the list until it is cancelled or the program ends.
    """

    def __init__(self, hub: ModelHub, records: RecordStore, feed: Feed, rules: Rules) -> None:
        self._hub = hub
        self._records = records
        self._feed = feed
        self._rules = rules
        self._all: dict[str, Download] = {}
        self._running: dict[str, _Running] = {}
        # What is asked of one model is done in turn: a second click meets what the first did.
        self._turns: defaultdict[Path, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._pool: ThreadPoolExecutor | None = None
        self._open = True

    async def restore(self, *, go_on: bool = True) -> None:
        """Take up what an earlier run left: what ran goes on, what has lost its record waits.

        Where it is not to go on, all of it waits, and the next run is left the same.
        """
        for id, record in sorted((await self._records.list(DOWNLOADS)).items()):
            try:
                quant = from_json(record["quant"])
                state = DownloadState(record["state"])
                target = self._target(quant)
            except (KeyError, ValueError, HubForeign):  # not written by this version
                continue
            if any(download.target == target for download in self._all.values()):
                await self._records.delete(DOWNLOADS, id)  # it was started anew meanwhile
                continue
            goes_on = DownloadState.QUEUED if go_on else DownloadState.PAUSED
            await self._add(id, quant, state if state in _OVER else goes_on)
        known = {download.target for download in self._all.values()}
        for quant in await asyncio.to_thread(lambda: list(pages(self._rules.folder))):
            if self._target(quant) not in known:
                await self._add(new_id(), quant, DownloadState.PAUSED)
        self._pump()

    async def start(self, quant: Quant) -> str:
        """Queue a download and return its id; one that is on the list already goes on.

        It takes the place of one of another revision.

        Raises:
            HubForeign: the hub names a file that cannot be kept.
            StorageError: it could not be noted, and is not on the list.
        """
        target = self._target(quant)
        async with self._turns[target]:
            return await self._start(quant, target)

    async def _start(self, quant: Quant, target: Path) -> str:
        unfinished = [d for d in self._all.values() if d.state is not DownloadState.DONE]
        for download in unfinished:
            if download.quant == quant:
                await self._resume(download.id)
                return download.id
        for download in unfinished:
            if download.target == target:
                await self._end(download.id, DownloadState.PAUSED)
                await self._forget(download.id)
        id = new_id()
        await self._note(id, quant, DownloadState.QUEUED)
        await self._add(id, quant, DownloadState.QUEUED)
        self._pump()
        return id

    async def pause(self, id: str) -> None:
        """Stop it and keep what came; returns when it has stopped. Raises StorageError."""
        async with self._turn(id):
            if id in self._all and self._all[id].state not in _OVER:
                await self._end(id, DownloadState.PAUSED)
                if self._all[id].state is DownloadState.PAUSED:  # it may just have been finished
                    await self._note(id, self._all[id].quant, DownloadState.PAUSED)

    async def resume(self, id: str) -> None:
        """Go on, behind those that are queued already. Raises StorageError."""
        async with self._turn(id):
            await self._resume(id)

    async def _resume(self, id: str) -> None:
        download = self._all.get(id)
        if download and download.state in (DownloadState.PAUSED, DownloadState.FAILED):
            await self._note(id, download.quant, DownloadState.QUEUED)
            self._all[id] = self._all.pop(id)
            step = replace(download.step, state=DownloadState.QUEUED, attempt=0)
            self._show(replace(download, step=step, failure=None))
            self._pump()

    async def cancel(self, id: str) -> None:
        """Take it off the list and delete what came of it; a model that is done stays.

        Raises:
            DownloadError: it could not be deleted, or another program downloads it.
            StorageError: its record could not be deleted.
        """
        async with self._turn(id):
            if id not in self._all:
                return
            await self._end(id, DownloadState.PAUSED)
            download = self._all[id]
            if download.state is not DownloadState.DONE:
                await asyncio.to_thread(self._job(download.quant).discard)
            await self._forget(id)

    def list(self) -> tuple[Download, ...]:
        """Every download, in the order of the queue."""
        return tuple(self._all.values())

    async def close(self) -> None:
        """Stop all; the next start goes on with them."""
        self._open = False
        for running in self._running.values():
            running.halt.stop()
        tasks = [running.task for running in self._running.values() if running.task]
        if tasks:
            await asyncio.wait(tasks)
        if self._pool:
            self._pool.shutdown(wait=False)

    def _turn(self, id: str) -> asyncio.Lock:
        download = self._all.get(id)
        return self._turns[download.target if download else self._rules.folder]

    async def _forget(self, id: str) -> None:
        if self._all[id].state is not DownloadState.DONE:  # of one that is done none is kept
            await self._records.delete(DOWNLOADS, id)
        self._feed.publish(DownloadChanged(self._all.pop(id), removed=True))

    async def _add(self, id: str, quant: Quant, state: DownloadState) -> None:
        rules = self._rules
        kept = await asyncio.to_thread(kept_bytes, rules.folder, quant)
        left = await asyncio.to_thread(rules.free, rules.folder)
        step = Step(state, kept, attempts=rules.patience.attempts, disk_left_bytes=left)
        self._show(Download(id=id, quant=quant, target=self._target(quant), step=step))

    def _pump(self) -> None:
        """Start what may start."""
        for id, download in self._all.items():
            if not self._open or len(self._running) >= self._rules.parallel:
                return
            if download.state is DownloadState.QUEUED and id not in self._running:
                running = self._running[id] = _Running()
                running.task = asyncio.create_task(self._run(id, running), name=f"download {id}")

    async def _run(self, id: str, running: _Running) -> None:
        """One download from its start to its end, however that comes."""
        loop = asyncio.get_running_loop()
        quant = self._all[id].quant

        def tell(step: Step) -> None:
            loop.call_soon_threadsafe(self._heard, id, step)

        means = Means(
            hub=self._hub,
            reserve=self._reserve(id),
            patience=self._rules.patience,
            halt=running.halt,
            tell=tell,
        )
        try:
            await loop.run_in_executor(self._threads(), self._job(quant).run, means)
            self._become(id, DownloadState.DONE)
            await remember(self._records, quant)
            await self._records.delete(DOWNLOADS, id)
        except Halted:
            self._become(id, running.then)
        except RonyError as error:
            await self._failed(id, error)
        finally:
            del self._running[id]
            if self._all[id].state not in (*_OVER, DownloadState.QUEUED):
                # What nobody foresaw must not look like running for ever; the loop logs it.
                self._become(
                    id, DownloadState.FAILED, RonyError(detail="a mistake of the program ended it")
                )
            self._pump()

    async def _failed(self, id: str, error: RonyError) -> None:
        if self._all[id].state is DownloadState.DONE:  # only its record could not be deleted
            self._feed.publish(Notice(error.failure()))
            return
        self._become(id, DownloadState.FAILED, error)
        if isinstance(error, DownloadBusy):  # the record is of the program that downloads it
            return
        try:
            await self._note(id, self._all[id].quant, DownloadState.FAILED)
        except RonyError as unkept:
            self._feed.publish(Notice(unkept.failure()))

    async def _end(self, id: str, then: DownloadState) -> None:
        """Return when it does not run any more."""
        running = self._running.get(id)
        if running and running.task:
            running.then = then
            running.halt.stop()
            await asyncio.wait({running.task})
        elif self._all[id].state is DownloadState.QUEUED:
            self._become(id, then)

    def _heard(self, id: str, step: Step) -> None:
        """Show how far a running download has come."""
        running, download = self._running.get(id), self._all.get(id)
        if running is None or download is None or download.state in _OVER:
            return
        if step.state is DownloadState.RUNNING:
            running.pace.take(time.monotonic(), step.done_bytes)
        else:
            running.pace.clear()
        speed = running.pace.per_s()
        left = (download.size_bytes - step.done_bytes) / speed if speed else None
        self._show(replace(download, step=step, bytes_per_s=speed, seconds_left=left))

    def _become(self, id: str, state: DownloadState, error: RonyError | None = None) -> None:
        download = self._all[id]
        done = download.size_bytes if state is DownloadState.DONE else download.step.done_bytes
        self._show(
            replace(
                download,
                step=replace(download.step, state=state, done_bytes=done, attempt=0),
                bytes_per_s=None,
                seconds_left=None,
                failure=error.failure() if error else None,
            )
        )

    def _show(self, download: Download) -> None:
        self._all[download.id] = download
        self._feed.publish(DownloadChanged(download))

    async def _note(self, id: str, quant: Quant, state: DownloadState) -> None:
        await self._records.put(DOWNLOADS, id, {"quant": to_json(quant), "state": state.value})

    def _job(self, quant: Quant) -> DownloadJob:
        return DownloadJob(quant, self._rules.folder, self._lock)

    def _threads(self) -> ThreadPoolExecutor:
        """Threads of their own: the loop's few are for what is short."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._rules.parallel, "download")
        return self._pool

    def _lock(self, target: Path) -> Callable[[], None]:
        name = hashlib.sha256(os.fsencode(target)).hexdigest()[:16]
        return held(self._rules.locks_dir / f"{name}.lock", DownloadBusy(name=target.name))

    def _reserve(self, id: str) -> Reserve:
        def claimed() -> int:
            others = (self._all[other] for other in tuple(self._running) if other != id)
            return sum(other.size_bytes - other.step.done_bytes for other in others)

        return Reserve(self._rules.folder, self._rules.reserve_bytes, self._rules.free, claimed)

    def _target(self, quant: Quant) -> Path:
        return place(self._rules.folder, quant.files[0])
