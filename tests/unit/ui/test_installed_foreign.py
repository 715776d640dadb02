"""Models of other programs: found, linked one by one, and a failure costs only its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from rony_desktop.app.adopt import AdoptService
from rony_desktop.contract.adopt import Found, Program
from rony_desktop.contract.error import ModelCut, RonyError, StorageError
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.installed.foreign import Adoption, ForeignPresenter, ForeignState
from rony_desktop.ui.task import Tasks

DEADLINE_S = 5.0
FOUND = tuple(Found(Program.OLLAMA, name, Path(f"/o/{name}"), 7) for name in ("a", "b", "c"))


class World:
    def __init__(self) -> None:
        self.states: list[ForeignState] = []
        self.errors: dict[str, RonyError] = {}
        self.linked: list[str] = []
        self.changes = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.tasks = Tasks(lambda failure: pytest.fail(str(failure)))
        self.presenter = ForeignPresenter(self, self.tasks, self.change)

    async def find(self) -> tuple[Found, ...]:
        if error := self.errors.get("find"):
            raise error
        return FOUND

    async def adopt(self, found: Found) -> ModelRef:
        await self.gate.wait()
        if error := self.errors.get(found.name):
            raise error
        self.linked.append(found.name)
        return ModelRef("llamacpp", found.name)

    def change(self) -> None:
        self.changes += 1

    def show_foreign(self, state: ForeignState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> ForeignState:
        return self.states[-1]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)

    async def idle(self) -> None:
        await self.until(lambda: not self.shown.looking and self.shown.linking is None)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.presenter.attach(world)
    world.presenter.look()
    await world.idle()
    yield world
    await world.tasks.close()


def test_the_programs_service_is_what_it_works_with(adoption: AdoptService | None = None) -> None:
    assert ForeignState() == ForeignState()
    if adoption:  # read by mypy
        works: Adoption = adoption
        assert works


async def test_what_is_found_is_shown_and_one_of_it_linked(world: World) -> None:
    assert (world.shown.found, world.shown.left) == (FOUND, FOUND)
    world.presenter.link(FOUND[1].path)
    await world.idle()
    assert (world.linked, world.changes, world.shown.left) == (["b"], 1, (FOUND[0], FOUND[2]))
    world.presenter.link(FOUND[1].path)
    assert world.shown.linking is None


async def test_all_of_them_are_linked_but_for_one_that_cannot_be(world: World) -> None:
    world.errors["a"] = ModelCut(path="a", detail="it ends early")
    world.presenter.link_all()
    await world.idle()
    assert world.linked == ["b", "c"]
    assert world.shown.failures == {FOUND[0].path: world.errors["a"].failure()}
    world.errors.clear()
    world.presenter.link_all()
    await world.idle()
    assert (world.linked, world.shown.failures) == (["b", "c", "a"], {})


async def test_linking_is_cancelled_between_two_of_them(world: World) -> None:
    world.gate.clear()
    world.presenter.link_all()
    await world.until(lambda: world.shown.linking)
    world.presenter.look()
    world.presenter.link_all()
    world.presenter.cancel()
    await world.idle()
    assert (world.linked, world.shown.found) == ([], FOUND)


async def test_a_search_that_fails_says_so(world: World) -> None:
    world.errors["find"] = StorageError(path="x", detail="y")
    world.presenter.look()
    assert world.shown == ForeignState(looking=True)
    await world.idle()
    assert world.shown == ForeignState(failure=world.errors["find"].failure())


async def test_closed_it_goes_on(world: World) -> None:
    world.presenter.link_all()
    world.presenter.detach()
    await asyncio.gather(*world.tasks._running)
    assert world.linked == ["a", "b", "c"]
    world.presenter.attach(world)
    assert world.shown.left == ()
