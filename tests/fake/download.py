"""The list of downloads in memory: what is asked of it is noted, and can be made to fail."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rony_desktop.app.feed import Feed
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import RonyError
from rony_desktop.contract.event import DownloadChanged
from rony_desktop.contract.hub import Quant
from tests.fixture.download import download


@dataclass
class FakeDownloads:
    """Does nothing by itself; set() puts a download and tells of it."""

    feed: Feed = field(default_factory=Feed)
    all: dict[str, Download] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    error: RonyError | None = None

    def set(self, download: Download) -> None:
        self.all[download.id] = download
        self.feed.publish(DownloadChanged(download))

    def list(self) -> tuple[Download, ...]:
        return tuple(self.all.values())

    async def start(self, quant: Quant) -> str:
        self._note("start", quant.name)
        self.set(download("new", DownloadState.QUEUED, of=quant))
        return "new"

    async def pause(self, id: str) -> None:
        self._note("pause", id)
        self._become(id, DownloadState.PAUSED)

    async def resume(self, id: str) -> None:
        self._note("resume", id)
        self._become(id, DownloadState.QUEUED)

    async def cancel(self, id: str) -> None:
        self._note("cancel", id)
        self.feed.publish(DownloadChanged(self.all.pop(id), removed=True))

    def _note(self, what: str, of: str) -> None:
        self.asked.append((what, of))
        if self.error:
            raise self.error

    def _become(self, id: str, state: DownloadState) -> None:
        before = self.all[id]
        self.set(replace(before, step=replace(before.step, state=state)))
