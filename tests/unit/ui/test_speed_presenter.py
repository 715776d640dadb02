"""Measuring and tuning: one at a time, cancelled by a button, kept while the pane is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from rony_desktop.app.bench import Benchmarked
from rony_desktop.contract.error import BenchmarkError, Failure, RonyError
from rony_desktop.contract.speed import Basis, Span, Speed, Tuning, Verdict
from rony_desktop.ui.speed.presenter import Job, Progress, SpeedPresenter, SpeedState
from rony_desktop.ui.task import Tasks
from tests.fixture.speed import launch

DEADLINE_S = 5.0
SPAN = Span(2.0, 1.0, 3.0)
FOUND = Benchmarked(Speed(SPAN, SPAN, SPAN, Basis.PROBE), ())
TUNED = Tuning(Verdict.KEPT, launch(), 0.0, 0.01, ())


class World:
    """The bench, the model in use and the view; a job waits for the gate."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.model = "one"
        self.error: RonyError | None = None
        self.cancelled = 0
        self.states: list[SpeedState] = []
        self.failures: list[Failure] = []
        self.tasks = Tasks(self.failures.append)
        self.presenter = SpeedPresenter(self, lambda: self.model, self.tasks)

    async def benchmark(self, tell: Callable[[int, int], None]) -> Benchmarked:
        tell(1, 6)
        await self.work()
        return FOUND

    async def tune(self, tell: Callable[[int, int, Mapping[str, object]], None]) -> Tuning:
        tell(2, 9, {"threads": 2})
        await self.work()
        return TUNED

    async def work(self) -> None:
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error:
            raise self.error

    def show_state(self, state: SpeedState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> SpeedState:
        return self.states[-1]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)

    async def idle(self) -> None:
        await self.until(lambda: self.shown.progress is None)

    async def told(self) -> Progress:
        await self.until(lambda: bool(self.shown.progress and self.shown.progress.every))
        assert self.shown.progress
        return self.shown.progress


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.presenter.attach(world)
    yield world
    await world.tasks.close()


async def test_nothing_runs_by_itself(world: World) -> None:
    assert world.states == [SpeedState("one")]


async def test_measuring_tells_its_progress_and_what_it_found(world: World) -> None:
    world.presenter.measure()
    assert world.shown.progress == Progress(Job.MEASURE)
    assert await world.told() == Progress(Job.MEASURE, 1, 6)
    world.gate.set()
    await world.idle()
    assert world.shown == SpeedState("one", measured=FOUND)


async def test_tuning_says_what_is_tried(world: World) -> None:
    world.presenter.tune()
    assert await world.told() == Progress(Job.TUNE, 2, 9, {"threads": 2})
    world.presenter.measure()
    world.gate.set()
    await world.idle()
    assert world.shown == SpeedState("one", tuning=TUNED)


async def test_closed_and_opened_again_all_is_still_there(world: World) -> None:
    world.presenter.measure()
    await world.told()
    world.presenter.detach()
    seen = len(world.states)
    world.gate.set()
    await asyncio.gather(*world.tasks._running)
    assert len(world.states) == seen
    world.presenter.attach(world)
    assert world.shown == SpeedState("one", measured=FOUND)


async def test_opened_again_while_it_runs_it_can_be_cancelled(world: World) -> None:
    world.presenter.tune()
    await world.told()
    world.presenter.detach()
    world.presenter.attach(world)
    assert world.shown.progress is not None
    world.presenter.cancel()
    assert world.shown.progress.stopping
    world.presenter.cancel()
    await world.idle()
    assert (world.cancelled, world.shown) == (1, SpeedState("one"))


async def test_cancel_before_its_first_step_ends_it_too(world: World) -> None:
    world.presenter.measure()
    world.presenter.cancel()
    await world.idle()
    assert world.shown == SpeedState("one")


async def test_what_went_wrong_is_said_and_tried_again(world: World) -> None:
    world.error = BenchmarkError(detail="busy")
    world.gate.set()
    for begin, job in ((world.presenter.measure, Job.MEASURE), (world.presenter.tune, Job.TUNE)):
        begin()
        await world.idle()
        assert world.shown == SpeedState("one", failed=job, failure=world.error.failure())
    world.error = None
    world.presenter.retry()
    assert world.shown.failure is None
    await world.idle()
    assert world.shown == SpeedState("one", tuning=TUNED)
    assert world.failures == []
    world.presenter.retry()
    assert world.shown.progress is None


async def test_a_measurement_that_failed_is_tried_again(world: World) -> None:
    world.error = BenchmarkError(detail="busy")
    world.gate.set()
    world.presenter.measure()
    await world.idle()
    world.error = None
    world.presenter.retry()
    await world.idle()
    assert world.shown == SpeedState("one", measured=FOUND)


async def test_of_another_model_nothing_is_known(world: World) -> None:
    world.gate.set()
    world.presenter.measure()
    await world.idle()
    world.model = "two"
    world.presenter.attach(world)
    assert world.shown == SpeedState("two")
    world.model = ""
    world.presenter.attach(world)
    assert world.shown == SpeedState()


async def test_the_end_of_the_program_cancels_it(world: World) -> None:
    world.presenter.tune()
    await world.told()
    await world.tasks.close()
    await world.idle()
    assert world.cancelled == 1
