"""The page of downloads: seldom shown, never unseen; what is lost is asked for first."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.error import DownloadUnwritable, Failure, StorageError
from rony_desktop.contract.event import EngineChanged
from rony_desktop.ui.download.presenter import DownloadsPresenter, DownloadsState
from rony_desktop.ui.task import Tasks
from tests.fake.download import FakeDownloads
from tests.fixture.download import GB, download

DEADLINE_S = 5.0
RUNNING, PAUSED = DownloadState.RUNNING, DownloadState.PAUSED
DONE, FAILED, QUEUED = DownloadState.DONE, DownloadState.FAILED, DownloadState.QUEUED


class World:
    """A list of downloads, and the view of it."""

    def __init__(self) -> None:
        self.downloads = FakeDownloads()
        self.failures = list[Failure]()
        self.tasks = Tasks(self.failures.append)
        self.states = list[DownloadsState]()
        self.used = list[str]()
        self.presenter = DownloadsPresenter(self.downloads, self.tasks, self, self.used.append)

    def show_state(self, state: DownloadsState) -> None:
        self.states.append(state)

    @property
    def state(self) -> DownloadsState:
        return self.states[-1]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.001)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.presenter.open(world.downloads.feed)
    yield world
    world.presenter.close()
    await world.tasks.close()
    assert world.failures == []


async def test_many_changes_are_shown_a_few_times_and_the_last_always(world: World) -> None:
    world.presenter.watch(watched=True)
    for done in range(1, 101):
        world.downloads.set(download("a", RUNNING, done * GB // 100))
    await world.until(lambda: world.state.downloads[0].step.done_bytes == GB)
    assert len(world.states) <= 4


async def test_nothing_is_shown_while_nobody_looks(world: World) -> None:
    world.downloads.set(download("a", RUNNING, GB, disk_left_bytes=7))
    assert world.states == []
    world.presenter.watch(watched=True)
    assert len(world.states) == 1
    assert world.state.downloads == world.downloads.list()
    assert world.state.disk_left_bytes == 7
    world.presenter.watch(watched=False)
    world.downloads.set(download("a", RUNNING, 2 * GB))
    await asyncio.sleep(0.3)
    assert len(world.states) == 1


async def test_the_room_that_is_left_is_the_last_that_was_told(world: World) -> None:
    world.downloads.all["a"] = download("a", PAUSED, disk_left_bytes=5)
    world.downloads.all["b"] = download("b", PAUSED, disk_left_bytes=4)
    world.presenter.watch(watched=True)
    assert world.state.disk_left_bytes == 4
    world.downloads.set(download("a", RUNNING, disk_left_bytes=3))
    world.downloads.feed.publish(EngineChanged(EngineStatus()))
    await world.until(lambda: world.state.disk_left_bytes == 3)


async def test_toggle_pauses_and_resumes(world: World) -> None:
    world.presenter.watch(watched=True)
    for id, state in (("run", RUNNING), ("pause", PAUSED), ("fail", FAILED), ("done", DONE)):
        world.downloads.set(download(id, state))
    for id in ("run", "run", "pause", "fail", "done", "unknown"):
        world.presenter.toggle(id)
    assert world.state.busy == {"run", "pause", "fail"}
    await world.until(lambda: not world.state.busy)
    assert world.downloads.asked == [("pause", "run"), ("resume", "pause"), ("resume", "fail")]


async def test_what_came_is_deleted_only_after_a_second_word(world: World) -> None:
    world.downloads.all["a"] = download("a", PAUSED, GB)
    world.presenter.watch(watched=True)
    world.presenter.cancel("a")
    assert world.state.asked == "a"
    world.presenter.keep()
    assert world.state.asked == ""
    assert world.downloads.asked == []
    world.presenter.cancel("a")
    world.presenter.cancel("a")
    await world.until(lambda: not world.state.downloads)
    assert world.downloads.asked == [("cancel", "a")]
    assert world.state.asked == ""


@pytest.mark.parametrize("state", [QUEUED, DONE])
async def test_where_nothing_is_lost_nothing_is_asked(world: World, state: DownloadState) -> None:
    world.downloads.all["a"] = download("a", state, GB if state is DONE else 0)
    world.presenter.watch(watched=True)
    world.presenter.cancel("a")
    world.presenter.cancel("unknown")
    await world.until(lambda: not world.state.downloads)


async def test_only_what_is_done_is_used(world: World) -> None:
    world.downloads.all = {"a": download("a", RUNNING), "b": download("b", DONE)}
    world.presenter.use("a")
    world.presenter.use("b")
    assert world.used == [str(world.downloads.all["b"].target)]


async def test_an_error_is_told_until_it_was_read(world: World) -> None:
    world.downloads.all["a"] = download("a", RUNNING)
    world.downloads.error = StorageError(path="x", detail="full")
    world.presenter.watch(watched=True)
    world.presenter.toggle("a")
    await world.until(lambda: world.state.failure)
    assert world.state.failure == world.downloads.error.failure()
    await world.until(lambda: not world.state.busy)
    world.presenter.dismiss()
    world.presenter.watch(watched=True)
    assert world.state.failure is None


async def test_what_could_not_be_deleted_is_asked_for_anew(world: World) -> None:
    world.downloads.all["a"] = download("a", PAUSED, GB)
    world.downloads.error = DownloadUnwritable(path="x", detail="no")
    world.presenter.watch(watched=True)
    world.presenter.cancel("a")
    world.presenter.cancel("a")
    await world.until(lambda: world.state.failure and not world.state.busy)
    assert world.state.asked == ""
    assert world.state.downloads


async def test_a_question_about_what_is_gone_is_none(world: World) -> None:
    paused = download("a", PAUSED, GB)
    world.downloads.all = {"a": paused, "b": replace(paused, id="b")}
    world.presenter.watch(watched=True)
    world.presenter.cancel("a")
    await world.downloads.cancel("a")
    await world.until(lambda: len(world.state.downloads) == 1)
    assert world.state.asked == ""
