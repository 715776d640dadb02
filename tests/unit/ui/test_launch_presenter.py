"""The launch that is explained: the one that runs, else the one that would be made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.app.feed import Feed
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import BinaryNotFound, Failure, RonyError
from rony_desktop.contract.event import EngineChanged
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.launch.presenter import LaunchPresenter
from rony_desktop.ui.task import Tasks
from tests.fixture.plan import planned

PATH = Path("/models/tiny.gguf")
DEADLINE_S = 5.0


class Service:
    """Plans; the gate holds a plan back."""

    def __init__(self, made: PlannedLaunch) -> None:
        self.made = made
        self.asked: list[Path] = []
        self.fails: RonyError | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def planned(self, path: Path, wanted: Wanted | None = None) -> PlannedLaunch:
        assert wanted is None
        self.asked.append(path)
        await self.gate.wait()
        if self.fails:
            raise self.fails
        return self.made


class Engine:
    def __init__(self) -> None:
        self.model: ModelRef | None = ModelRef("llamacpp", "tiny", PATH)
        self.planned: PlannedLaunch | None = None
        self.now = EngineStatus()

    def status(self) -> EngineStatus:
        return self.now


class View:
    def __init__(self) -> None:
        self.shown: list[tuple[PlannedLaunch, EngineState]] = []
        self.events: list[str] = []
        self.failure: Failure | None = None

    def show_launch(self, planned: PlannedLaunch, status: EngineStatus) -> None:
        self.shown.append((planned, status.state))

    def show_working(self, name: str) -> None:
        self.events.append(f"working {name}")

    def show_nothing(self, *, elsewhere: bool) -> None:
        self.events.append("elsewhere" if elsewhere else "nothing")

    def show_failure(self, failure: Failure | None) -> None:
        self.failure = failure


class World:
    def __init__(self, made: PlannedLaunch) -> None:
        self.service, self.engine, self.view, self.feed = Service(made), Engine(), View(), Feed()
        self.tasks = Tasks(lambda failure: pytest.fail(str(failure)))
        self.presenter = LaunchPresenter(self.service, self.engine, self.tasks, self.view)

    def tell(self, state: EngineState) -> None:
        self.engine.now = EngineStatus(state, "tiny")
        self.feed.publish(EngineChanged(self.engine.now))

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(planned(tmp_path))


async def test_the_launch_that_runs_is_explained_as_it_comes(world: World) -> None:
    world.engine.planned = world.service.made
    world.engine.now = EngineStatus(EngineState.LOADING)
    world.presenter.open(world.feed)
    world.tell(EngineState.READY)
    assert [state for _, state in world.view.shown] == [EngineState.LOADING, EngineState.READY]
    assert not world.service.asked


async def test_where_nothing_runs_it_is_the_launch_that_would_be_made(world: World) -> None:
    world.presenter.open(world.feed)
    await world.until(lambda: world.view.shown)
    assert world.service.asked == [PATH]
    assert world.view.events == ["working tiny"]
    assert world.view.shown == [(world.service.made, EngineState.STOPPED)]


async def test_while_a_launch_is_prepared_nothing_else_is_planned(world: World) -> None:
    world.presenter.open(world.feed)
    world.service.gate.clear()
    world.tell(EngineState.LOADING)
    world.service.gate.set()
    await world.tasks.close()
    assert world.view.events[-1] == "working tiny"
    assert not world.view.shown


async def test_what_keeps_it_from_being_planned_is_told(world: World) -> None:
    world.service.fails = BinaryNotFound(tried="none")
    world.presenter.open(world.feed)
    await world.until(lambda: world.view.failure)
    assert world.view.failure
    assert world.view.failure.code == BinaryNotFound.code
    world.engine.planned = world.service.made
    world.tell(EngineState.READY)
    assert world.view.failure is None


@pytest.mark.parametrize(
    ("model", "event"), [(None, "nothing"), (ModelRef("remote", "far"), "elsewhere")]
)
async def test_without_a_file_there_is_nothing_to_explain(
    world: World, model: ModelRef | None, event: str
) -> None:
    world.engine.model = model
    world.presenter.open(world.feed)
    assert world.view.events == [event]


async def test_closed_it_hears_no_more(world: World) -> None:
    world.presenter.open(world.feed)
    world.presenter.close()
    world.tell(EngineState.READY)
    await world.tasks.close()
    assert not world.view.shown
