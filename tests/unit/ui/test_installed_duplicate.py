"""Duplicates: looked for until it is cancelled, merged one by one, with what that freed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from rony_desktop.app.adopt import AdoptService
from rony_desktop.contract.adopt import Duplicate
from rony_desktop.contract.error import ModelNotMerged, RonyError
from rony_desktop.contract.progress import Tell
from rony_desktop.ui.installed.duplicate import DuplicatePresenter, DuplicateState, Sharing
from rony_desktop.ui.task import Tasks

DEADLINE_S = 5.0
FOUND = tuple(Duplicate(mark, 10, Path(f"/k/{mark}"), (Path(f"/c/{mark}"),)) for mark in "ab")


class World:
    def __init__(self) -> None:
        self.states: list[DuplicateState] = []
        self.error: RonyError | None = None
        self.merged: list[str] = []
        self.changes = 0
        self.gate = asyncio.Event()
        self.tasks = Tasks(lambda failure: pytest.fail(str(failure)))
        self.presenter = DuplicatePresenter(self, self.tasks, self.change)

    async def duplicates(self, tell: Tell) -> tuple[Duplicate, ...]:
        tell(3, 20)
        await self.gate.wait()
        return FOUND

    async def merge(self, duplicate: Duplicate) -> int:
        if self.error:
            raise self.error
        self.merged.append(duplicate.sha256)
        return duplicate.saved_bytes

    def change(self) -> None:
        self.changes += 1

    def show_duplicates(self, state: DuplicateState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> DuplicateState:
        return self.states[-1]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)

    async def found(self) -> None:
        self.gate.set()
        self.presenter.look()
        await self.until(lambda: not self.shown.busy)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.presenter.attach(world)
    yield world
    await world.tasks.close()


def test_the_programs_service_is_what_it_works_with(adoption: AdoptService | None = None) -> None:
    assert not DuplicateState().busy
    if adoption:  # read by mypy
        works: Sharing = adoption
        assert works


async def test_the_search_says_how_far_it_is_and_what_it_found(world: World) -> None:
    world.presenter.look()
    await world.until(lambda: world.shown.every)
    assert (world.shown.done, world.shown.every, world.shown.looking) == (3, 20, True)
    world.gate.set()
    await world.until(lambda: not world.shown.busy)
    assert (world.shown.found, world.shown.saved_bytes) == (FOUND, 20)


async def test_a_cancelled_search_found_nothing(world: World) -> None:
    world.presenter.look()
    await world.until(lambda: world.shown.every)
    world.presenter.look()
    world.presenter.cancel()
    assert world.shown.stopping
    await world.until(lambda: not world.shown.busy)
    assert (world.shown.found, world.shown.stopping) == (None, False)


async def test_a_search_cancelled_before_its_first_step_ends(world: World) -> None:
    world.presenter.look()
    world.presenter.cancel()
    await world.until(lambda: not world.shown.busy)
    assert world.shown.found is None


async def test_one_is_merged_then_the_rest(world: World) -> None:
    await world.found()
    world.presenter.merge("b")
    await world.until(lambda: not world.shown.busy)
    assert (world.shown.found, world.shown.freed_bytes) == (FOUND[:1], 10)
    world.presenter.merge("b")
    assert not world.shown.busy
    world.presenter.merge_all()
    await world.until(lambda: not world.shown.busy)
    assert (world.merged, world.changes) == (["b", "a"], 2)
    assert (world.shown.found, world.shown.freed_bytes) == ((), 20)


async def test_what_cannot_be_merged_stays_and_is_said(world: World) -> None:
    await world.found()
    world.error = ModelNotMerged(path="/c/a", detail="changed")
    world.presenter.merge_all()
    await world.until(lambda: not world.shown.busy)
    assert (world.shown.found, world.shown.failure) == (FOUND, world.error.failure())


async def test_closed_it_goes_on(world: World) -> None:
    world.presenter.look()
    world.presenter.detach()
    world.gate.set()
    await asyncio.gather(*world.tasks._running)
    world.presenter.attach(world)
    assert world.shown.found == FOUND
