"""The status bar: one number for all that run, then the name that came, until it was seen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from rony_desktop.app.feed import Feed
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.event import DownloadChanged, EngineChanged
from rony_desktop.ui.download import segment as module
from rony_desktop.ui.download.segment import DownloadSegment
from tests.fake.download import FakeDownloads
from tests.fixture.download import GB, download, quant

DEADLINE_S = 5.0
Shown = tuple[float | None, float | None, str]


class World:
    """A status bar, and the downloads it tells of."""

    def __init__(self) -> None:
        self.feed = Feed()
        self.downloads = FakeDownloads(self.feed)
        self.shown = list[Shown]()
        self.segment = DownloadSegment(self.feed, self)

    def set_download(
        self, share: float | None, seconds_left: float | None = None, done: str = ""
    ) -> None:
        self.shown.append((share, seconds_left, done))

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.001)


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(module, "PAUSE_S", 0.01)
    world = World()
    yield world
    world.segment.close()


async def test_all_that_run_are_one(world: World) -> None:
    world.downloads.set(download("a", DownloadState.RUNNING, GB, bytes_per_s=GB / 2))
    assert world.shown == [(0.25, 6.0, "")]
    six = quant("Q8_0", 12 * GB)
    world.downloads.set(download("b", DownloadState.VERIFYING, 7 * GB, of=six))
    await world.until(lambda: len(world.shown) > 1)
    assert world.shown[-1] == (0.5, 16.0, "")


async def test_nothing_else_that_happens_costs_anything(world: World) -> None:
    world.feed.publish(EngineChanged(EngineStatus()))
    assert world.shown == []


async def test_a_name_that_came_stays_until_it_was_seen(world: World) -> None:
    world.downloads.set(download("a", DownloadState.RUNNING))
    done = download("a", DownloadState.DONE)
    world.downloads.set(done)
    await world.until(lambda: world.shown[-1] == (None, None, done.name))
    world.segment.seen()
    assert world.shown[-1] == (None, None, "")


@pytest.mark.parametrize("state", [DownloadState.PAUSED, DownloadState.FAILED])
async def test_what_was_stopped_says_nothing(world: World, state: DownloadState) -> None:
    world.downloads.set(download("a", DownloadState.RUNNING))
    world.downloads.set(download("a", state))
    await world.until(lambda: world.shown[-1] == (None, None, ""))


async def test_what_was_cancelled_was_not_downloaded(world: World) -> None:
    running = download("a", DownloadState.RUNNING)
    world.downloads.set(running)
    world.feed.publish(DownloadChanged(running, removed=True))
    await world.until(lambda: world.shown[-1] == (None, None, ""))
    # Taken off the list later, one that is done is not announced again.
    world.feed.publish(DownloadChanged(download("a", DownloadState.DONE), removed=True))
    await asyncio.sleep(0.03)
    assert world.shown[-1] == (None, None, "")
