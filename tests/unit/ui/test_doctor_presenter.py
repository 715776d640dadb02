"""An examination is shown as it goes, can be ended, and is there when the pane comes back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from rony_desktop.app.check import Check, Found
from rony_desktop.contract.error import Failure, StorageError
from rony_desktop.ui.doctor.presenter import DoctorPresenter, Report
from rony_desktop.ui.task import Tasks

DEADLINE_S = 5.0
FIRST = Check("system", "ok", Found.SYSTEM)
SECOND = Check("engine", "failed", Found.ENGINE_NONE)


class World:
    """A computer that is examined and the view of it; the second check waits for the gate."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.begun = 0
        self.ended = 0
        self.error: StorageError | None = None
        self.reports: list[Report] = []
        self.failures: list[Failure] = []
        self.tasks = Tasks(self.failures.append)
        self.presenter = DoctorPresenter(self.examine, self.tasks)

    async def examine(self) -> AsyncIterator[Check]:
        self.begun += 1
        try:
            yield FIRST
            await self.gate.wait()
            if self.error:
                raise self.error
            yield SECOND
        finally:
            self.ended += 1

    def show_report(self, report: Report) -> None:
        self.reports.append(report)

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    yield world
    await world.tasks.close()


async def test_the_first_view_starts_it_and_checks_come_one_by_one(world: World) -> None:
    world.presenter.attach(world)
    await world.until(lambda: len(world.reports) == 2)
    assert world.reports == [Report(running=True), Report((FIRST,), running=True)]
    world.gate.set()
    await world.until(lambda: not world.reports[-1].running)
    assert world.reports[-1] == Report((FIRST, SECOND))


async def test_it_goes_on_without_a_view_and_is_shown_to_the_next(world: World) -> None:
    world.presenter.attach(world)
    await world.until(lambda: len(world.reports) == 2)
    world.presenter.detach()
    world.gate.set()
    await world.until(lambda: world.ended == 1)
    assert len(world.reports) == 2
    world.presenter.attach(world)
    assert world.reports[-1] == Report((FIRST, SECOND))
    assert world.begun == 1


async def test_cancel_keeps_what_was_found_and_again_begins_anew(world: World) -> None:
    world.presenter.attach(world)
    await world.until(lambda: len(world.reports) == 2)
    world.presenter.run()
    assert world.begun == 1
    world.presenter.cancel()
    await world.until(lambda: not world.reports[-1].running)
    assert world.reports[-1] == Report((FIRST,), stopped=True)
    assert world.ended == 1
    world.gate.set()
    world.presenter.run()
    await world.until(lambda: not world.reports[-1].running)
    assert world.reports[-1] == Report((FIRST, SECOND))


async def test_cancel_before_its_first_step_ends_it_too(world: World) -> None:
    world.presenter.run()
    world.presenter.cancel()
    world.presenter.attach(world)
    await world.until(lambda: not world.reports[-1].running)
    assert world.reports[-1] == Report(stopped=True)


async def test_an_error_is_told_and_leaves_nothing_running(world: World) -> None:
    world.error = StorageError(path="x", detail="gone")
    world.gate.set()
    world.presenter.attach(world)
    await world.until(lambda: not world.reports[-1].running)
    assert world.reports[-1] == Report((FIRST,), stopped=True)
    assert [failure.code for failure in world.failures] == [StorageError.code]
