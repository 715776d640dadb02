"""The check of a model: known results are read, one check runs at a time, for its own model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from rony_desktop.contract.check import ModelCheck, ToolMode, ToolScore
from rony_desktop.contract.error import BenchmarkError, ModelForeign, RonyError
from rony_desktop.contract.progress import Tell
from rony_desktop.ui.installed.health import HealthPresenter, HealthState
from rony_desktop.ui.task import Tasks

DEADLINE_S = 5.0
ONE, TWO = Path("/one"), Path("/two")
GOOD = ModelCheck(build="b1", mode=ToolMode.NATIVE, native=ToolScore(7, 8, 8))


class World:
    def __init__(self) -> None:
        self.states: list[HealthState] = []
        self.error: RonyError | None = None
        self.results: dict[Path, ModelCheck] = {}
        self.gate = asyncio.Event()
        self.cancelled = 0
        self.tasks = Tasks(lambda failure: pytest.fail(str(failure)))
        self.presenter = HealthPresenter(self, self.tasks)

    async def known(self, path: Path) -> ModelCheck | None:
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        return self.results.get(path)

    async def check(self, path: Path, tell: Tell) -> ModelCheck:
        tell(2, 20)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error:
            raise self.error
        self.results[path] = GOOD
        return GOOD

    def show_health(self, state: HealthState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> HealthState:
        return self.states[-1]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.presenter.attach(world)
    world.presenter.show(ONE)
    yield world
    await world.tasks.close()


async def test_what_is_known_is_read_for_the_model_that_is_shown(world: World) -> None:
    world.results[TWO] = GOOD
    world.presenter.show(TWO)
    await world.until(lambda: world.shown.health)
    assert world.shown == HealthState(TWO, GOOD)
    world.presenter.show(None)
    assert world.shown == HealthState()


async def test_a_check_says_how_far_it_is_and_what_it_found(world: World) -> None:
    world.presenter.check()
    await world.until(lambda: world.shown.every)
    assert world.shown == HealthState(ONE, None, ONE, 2, 20)
    world.gate.set()
    await world.until(lambda: world.shown.checking is None)
    assert world.shown.health == GOOD


async def test_a_check_goes_on_while_another_model_is_shown(world: World) -> None:
    world.presenter.check()
    world.presenter.show(TWO)
    world.presenter.check()
    await world.until(lambda: world.shown.every)
    assert (world.shown.path, world.shown.checking) == (TWO, ONE)
    world.gate.set()
    await world.until(lambda: world.shown.checking is None)
    assert (world.shown.health, world.results) == (None, {ONE: GOOD})


async def test_it_can_be_cancelled(world: World) -> None:
    world.presenter.check()
    await world.until(lambda: world.shown.every)
    world.presenter.detach()
    world.presenter.attach(world)
    world.presenter.cancel()
    world.presenter.cancel()
    assert world.shown.stopping
    await world.until(lambda: world.shown.checking is None)
    assert (world.cancelled, world.shown.stopping, world.shown.health) == (1, False, None)


async def test_what_goes_wrong_is_said_of_its_model_only(world: World) -> None:
    world.error = BenchmarkError(detail="gone")
    world.gate.set()
    world.presenter.check()
    await world.until(lambda: world.shown.checking is None)
    assert world.shown.failure == world.error.failure()
    world.presenter.check()
    world.presenter.show(TWO)
    await world.until(lambda: world.shown.checking is None)
    assert world.shown.failure is None


async def test_a_file_that_cannot_be_read_is_not_checked_and_nothing_is_said(world: World) -> None:
    world.error = ModelForeign(path="/two", detail="it is a web page")
    world.presenter.show(TWO)
    await asyncio.gather(*world.tasks._running)
    assert world.shown == HealthState(TWO)


async def test_without_a_model_nothing_is_checked(world: World) -> None:
    world.presenter.show(None)
    world.presenter.check()
    assert world.shown.checking is None
