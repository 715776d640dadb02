"""Newer revisions: the hub is asked only when told to, and updates are followed to their end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.download import DownloadService
from rony_desktop.app.revision import RevisionService
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import HubOffline, HubWithheld, RonyError, StorageError
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.revision import Revision
from rony_desktop.ui.installed.revision import (
    RevisionPresenter,
    Revisions,
    RevisionState,
    Starts,
)
from rony_desktop.ui.task import Tasks
from tests.fake.download import FakeDownloads
from tests.fixture.download import download

DEADLINE_S = 5.0


def revision(name: str) -> Revision:
    """One of the fakes' place, /models."""
    had, offered = (
        Quant(name, (HubFile("who/what", f"{name}.gguf", size, str(size) * 64, commit),))
        for size, commit in ((3, "one"), (4, "two"))
    )
    return Revision(Path(f"/models/{name}.gguf"), had, offered)


A, B = revision("a"), revision("b")


class World:
    """The services and the view in one; the hub answers once the gate is open."""

    def __init__(self) -> None:
        self.states: list[RevisionState] = []
        self.newest = [A, B]
        self.asked = 0
        self.error: RonyError | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.downloads = FakeDownloads()
        self.tasks = Tasks(lambda failure: pytest.fail(str(failure)))
        self.presenter = RevisionPresenter(self, self.downloads, self.tasks)

    async def origins(self) -> Mapping[Path, Quant]:
        if isinstance(self.error, StorageError):
            raise self.error
        return {each.path: each.had for each in (A, B)}

    async def newer(self, tell: Tell) -> AsyncIterator[Revision]:
        self.asked += 1
        for done, each in enumerate(self.newest):
            tell(done, len(self.newest))
            yield each
            await self.gate.wait()
        if self.error:
            raise self.error

    def show_revisions(self, state: RevisionState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> RevisionState:
        return self.states[-1]

    def attach(self) -> None:
        self.presenter.attach(self, self.downloads.feed)

    async def idle(self) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while self.tasks._running or self.shown.asking:
                await asyncio.sleep(0)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)

    async def ask(self) -> None:
        self.presenter.ask()
        await self.idle()


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.attach()
    yield world
    await world.tasks.close()


def test_the_programs_services_are_what_it_works_with(
    revisions: RevisionService | None = None, downloads: DownloadService | None = None
) -> None:
    assert RevisionState().left == ()
    if revisions and downloads:  # read by mypy
        asks: Revisions = revisions
        starts: Starts = downloads
        assert asks
        assert starts


async def test_counting_asks_nobody(world: World) -> None:
    world.presenter.count()
    await world.idle()
    assert (world.shown.count, world.shown.found, world.asked) == (2, None, 0)


async def test_what_is_newer_is_shown_as_it_comes(world: World) -> None:
    world.gate.clear()
    world.presenter.ask()
    world.presenter.ask()
    await world.until(lambda: world.shown.found)
    assert (world.shown.found, world.shown.asking, world.shown.whole) == ((A,), True, False)
    assert (world.shown.done, world.shown.every) == (0, 2)
    world.gate.set()
    await world.idle()
    assert (world.shown.found, world.shown.whole, world.asked) == ((A, B), True, 1)


async def test_nothing_newer_is_another_thing_than_not_asked(world: World) -> None:
    world.newest = []
    await world.ask()
    assert (world.shown.found, world.shown.whole) == ((), True)


async def test_cancelled_it_keeps_what_was_found(world: World) -> None:
    world.gate.clear()
    world.presenter.ask()
    await world.until(lambda: world.shown.found)
    world.presenter.cancel()
    await world.idle()
    assert (world.shown.found, world.shown.whole, world.shown.failure) == ((A,), False, None)


@pytest.mark.parametrize(
    "error", [HubOffline(host="hub"), HubWithheld(models="who/else"), StorageError(path="x")]
)
async def test_what_goes_wrong_is_said_and_tried_again(world: World, error: RonyError) -> None:
    world.error = error
    await world.ask()
    assert world.shown.failure == error.failure()
    assert (world.shown.found, world.shown.whole) == ((A, B), False)
    world.error = None
    await world.ask()
    assert (world.shown.failure, world.shown.whole) == (None, True)


async def test_counting_that_fails_says_so(world: World) -> None:
    world.error = StorageError(path="x")
    world.presenter.count()
    await world.idle()
    assert (world.shown.failure, world.shown.count) == (world.error.failure(), None)


async def test_one_is_updated_and_followed_to_its_end(world: World) -> None:
    await world.ask()
    world.presenter.update(B.path)
    await world.idle()
    assert world.downloads.asked == [("start", "b")]
    assert (world.shown.left, world.shown.is_coming(B.path)) == ((A,), True)
    world.presenter.update(B.path)
    world.downloads.set(download("new", DownloadState.DONE, of=B.offered))
    assert (world.shown.left, world.shown.is_coming(B.path)) == ((A,), False)
    assert world.downloads.asked == [("start", "b")]


async def test_how_far_a_download_is_is_not_shown_here(world: World) -> None:
    await world.ask()
    world.downloads.set(download("new", DownloadState.RUNNING, 1, of=A.offered))
    shown = len(world.states)
    world.downloads.set(download("new", DownloadState.RUNNING, 2, of=A.offered))
    world.downloads.set(download("other", DownloadState.RUNNING))
    assert len(world.states) == shown


async def test_all_that_is_left_is_updated(world: World) -> None:
    await world.ask()
    world.downloads.set(download("old", DownloadState.FAILED, of=A.offered))
    assert world.shown.left == (A, B)
    world.downloads.set(download("old", DownloadState.PAUSED, of=A.offered))
    assert world.shown.left == (B,)
    world.presenter.update_all()
    await world.idle()
    assert world.downloads.asked == [("start", "b")]
    await world.downloads.cancel("new")
    assert world.shown.left == (B,)


async def test_the_same_bytes_of_a_later_commit_are_on_their_way_already(world: World) -> None:
    later = Quant("a", tuple(replace(file, revision="three") for file in A.offered.files))
    world.downloads.set(download("x", DownloadState.RUNNING, of=A.offered))
    world.newest = [replace(A, offered=later)]
    await world.ask()
    assert world.shown.left == ()
    world.downloads.set(download("x", DownloadState.DONE, of=A.had))
    assert world.shown.left == tuple(world.newest)


async def test_an_update_that_cannot_begin_is_said(world: World) -> None:
    await world.ask()
    world.downloads.error = StorageError(path="x", detail="full")
    world.presenter.update_all()
    await world.idle()
    assert (world.shown.failure, world.shown.left) == (world.downloads.error.failure(), (A, B))
    world.downloads.error = None
    world.presenter.update(A.path)
    await world.idle()
    assert world.shown.failure is None


async def test_closed_it_goes_on_and_shows_it_later(world: World) -> None:
    world.presenter.ask()
    world.presenter.detach()
    await asyncio.gather(*world.tasks._running)
    world.downloads.set(download("x", DownloadState.RUNNING, of=A.offered))
    assert world.shown.found is None
    world.attach()
    assert (world.shown.found, world.shown.left) == ((A, B), (B,))
