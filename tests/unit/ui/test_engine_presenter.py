"""Builds of the engine: one deed at a time, cancelled, tried again, and the restart it needs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.install import InstallService, Overview
from rony_desktop.contract.build import Archive, Build, Release, Variant
from rony_desktop.contract.error import HubOffline, InstallFailed, RonyError
from rony_desktop.contract.progress import Tell
from rony_desktop.ui.engine.presenter import Builds, BuildState, Deed, EnginePresenter, Work
from rony_desktop.ui.task import Tasks

DEADLINE_S = 5.0
ONE = Build(9860, Variant.VULKAN, Path("/b/llama-server"), pinned=True)
ARCHIVE = Archive("a.tar.gz", "https://x/a", "00", 40)
KNOWN = Release(9860, Variant.CPU, (ARCHIVE,), pinned=True)
NEWER = Release(9900, Variant.CPU, (ARCHIVE,), pinned=False)


class World:
    """The service and the view; deeds wait for the gate."""

    def __init__(self) -> None:
        self.here = Overview((ONE,), (KNOWN,), "", "")
        self.states: list[BuildState] = []
        self.asked: list[str] = []
        self.error: RonyError | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.pid: int | None = 7
        self.restarts = 0
        self.tasks = Tasks(lambda failure: pytest.fail(str(failure)))
        self.presenter = EnginePresenter(self, self.tasks, lambda: self.pid, self.restart)

    async def overview(self, *, online: bool = False) -> Overview:
        self.asked.append("online" if online else "look")
        if online:
            await self.work()
            return replace(self.here, available=(*self.here.available, NEWER))
        return self.here

    async def install(self, name: str, tell: Tell) -> Build:
        self.asked.append(f"install {name}")
        tell(10, 40)
        await self.work()
        build = Build(9900, Variant.CPU, Path("/c"), pinned=False)
        self.here = replace(self.here, installed=(build, *self.here.installed))
        return build

    async def use(self, name: str) -> Build | None:
        self.asked.append(f"use {name}")
        await self.work()
        self.here = replace(self.here, chosen="" if name == "auto" else name)
        return None

    async def work(self) -> None:
        await self.gate.wait()
        if self.error:
            raise self.error

    def restart(self) -> None:
        self.restarts += 1

    def show_builds(self, state: BuildState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> BuildState:
        return self.states[-1]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)

    async def idle(self) -> None:
        await self.until(lambda: self.shown.work is None)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.presenter.attach(world)
    await world.idle()
    yield world
    await world.tasks.close()


def test_the_programs_service_is_what_it_works_with(installs: InstallService | None = None) -> None:
    assert BuildState().overview is None
    if installs:  # read by mypy
        works: Builds = installs
        assert works


async def test_opening_it_asks_nobody(world: World) -> None:
    assert (world.asked, world.shown) == (["look"], BuildState(world.here))


async def test_an_installation_says_how_far_it_is_and_can_be_cancelled(world: World) -> None:
    world.gate.clear()
    world.presenter.install("b9900-cpu")
    await world.until(lambda: world.shown.work and world.shown.work.every)
    assert world.shown.work == Work(Deed.INSTALL, "b9900-cpu", 10, 40)
    world.presenter.use("b9860-vulkan")
    world.presenter.detach()
    world.presenter.attach(world)
    world.presenter.cancel()
    world.presenter.cancel()
    assert world.shown.work.stopping
    await world.idle()
    assert world.asked == ["look", "install b9900-cpu"]
    assert world.shown == BuildState(world.here)


async def test_what_was_found_online_stays_after_one_of_it_is_installed(world: World) -> None:
    world.presenter.search()
    await world.idle()
    assert world.shown.searched
    assert world.shown.overview
    assert world.shown.overview.available == (KNOWN, NEWER)
    other = replace(NEWER, variant=Variant.VULKAN)
    found = replace(world.shown.overview, available=(KNOWN, NEWER, other))
    world.presenter._state = replace(world.shown, overview=found)
    world.presenter.install(NEWER.id)
    await world.idle()
    assert world.shown.overview.available == (KNOWN, other)
    assert [build.id for build in world.shown.overview.installed] == [NEWER.id, ONE.id]


async def test_another_choice_waits_for_a_restart_where_an_engine_runs(world: World) -> None:
    world.presenter.use(ONE.id)
    await world.idle()
    assert world.shown.waiting
    world.presenter.restart()
    assert (world.restarts, world.shown.waiting) == (1, False)
    world.pid = None
    world.presenter.use("auto")
    await world.idle()
    assert not world.shown.waiting


async def test_an_engine_that_was_started_again_elsewhere_waits_for_nothing(world: World) -> None:
    world.presenter.use(ONE.id)
    await world.idle()
    world.presenter.detach()
    world.presenter.attach(world)
    assert world.shown.waiting
    world.presenter.detach()
    world.pid = 8
    world.presenter.attach(world)
    assert not world.shown.waiting


async def test_the_same_choice_needs_no_restart(world: World) -> None:
    world.presenter.use("auto")
    await world.idle()
    assert not world.shown.waiting


@pytest.mark.parametrize("deed", [Deed.SEARCH, Deed.INSTALL, Deed.USE])
async def test_what_went_wrong_is_said_and_done_again(world: World, deed: Deed) -> None:
    world.error = (
        HubOffline(host="x") if deed is Deed.SEARCH else InstallFailed(name="b", detail="")
    )
    begin: dict[Deed, Callable[[], None]] = {
        Deed.SEARCH: world.presenter.search,
        Deed.INSTALL: lambda: world.presenter.install("b"),
        Deed.USE: lambda: world.presenter.use("b"),
    }
    begin[deed]()
    await world.idle()
    assert world.shown.failure == world.error.failure()
    assert world.shown.failed
    assert world.shown.failed.deed is deed
    world.error = None
    world.presenter.retry()
    assert world.shown.failure is None
    await world.idle()
    assert world.shown.failed is None
    assert world.asked[1] == world.asked[2]


async def test_without_a_failure_there_is_nothing_to_try_again(world: World) -> None:
    world.presenter.retry()
    assert world.shown.work is None
