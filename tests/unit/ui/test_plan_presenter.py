"""The plan as the user changes it: newest result only, nothing lost, loaded as it was shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.feed import Feed
from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import DiskFull, Failure, ModelMissing, PlanError, RonyError
from rony_desktop.contract.event import EngineChanged
from rony_desktop.contract.launch import Fit, PlannedLaunch
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.ui.plan.presenter import PlanPresenter, ShownPlan
from rony_desktop.ui.task import Tasks
from tests.fixture.plan import planned

PATH = Path("/models/tiny.gguf")
OTHER = Path("/models/other.gguf")
DEADLINE_S = 5.0


class World:
    """Service, runtime and view in one."""

    def __init__(self, made: PlannedLaunch) -> None:
        self.made = made
        self.fits = True
        self.model: ModelRef | None = ModelRef("llamacpp", "tiny", PATH)
        self.feed = Feed()
        self.store: dict[Path, Wanted] = {}
        self.asked: list[tuple[Path, Wanted | None]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.fails: RonyError | None = None
        self.keep_fails: RonyError | None = None
        self.used: list[tuple[str, bool]] = []
        self.shown: list[ShownPlan] = []
        self.events: list[str] = []
        self.failure: Failure | None = None
        self.unforeseen: list[Failure] = []
        self.tasks = Tasks(self.unforeseen.append)
        self.planner = Service(self)
        self.presenter = PlanPresenter(self.planner, Engine(self), self.tasks, self, self.fit)

    def fit(self, plan: PlanResult) -> Fit:
        return Fit.FITS if plan.fits else Fit.TOO_LARGE

    def show_plan(self, shown: ShownPlan) -> None:
        self.shown.append(shown)

    def show_working(self, name: str) -> None:
        self.events.append(f"working {name}")

    def show_nothing(self, *, elsewhere: bool) -> None:
        self.events.append("elsewhere" if elsewhere else "nothing")

    def show_failure(self, failure: Failure | None) -> None:
        self.failure = failure

    def show_started(self) -> None:
        self.events.append("started")

    def tell(self, state: EngineState) -> None:
        self.feed.publish(EngineChanged(EngineStatus(state)))

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)

    async def opened(self) -> None:
        self.presenter.open(self.feed)
        await self.until(lambda: self.shown)


class Service:
    def __init__(self, world: World) -> None:
        self.world = world

    async def planned(self, path: Path, wanted: Wanted | None = None) -> PlannedLaunch:
        world = self.world
        world.asked.append((path, wanted))
        await world.gate.wait()
        if world.fails:
            raise world.fails
        n_ctx = (wanted or await self.kept(path)).n_ctx or 4096
        made = world.made
        plan = replace(made.plan, fits=world.fits)
        return replace(made, plan=plan, launch=replace(made.launch, n_ctx=n_ctx))

    async def kept(self, path: Path) -> Wanted:
        return self.world.store.get(path, Wanted())

    async def keep(self, path: Path, wanted: Wanted) -> None:
        if self.world.keep_fails:
            raise self.world.keep_fails
        self.world.store[path] = wanted


class Engine:
    def __init__(self, world: World) -> None:
        self.world = world

    @property
    def model(self) -> ModelRef | None:
        return self.world.model

    def use(self, name: str = "", *, anyway: bool = False) -> object:
        self.world.used.append((name, anyway))
        return None


@pytest.fixture
def made(tmp_path: Path) -> PlannedLaunch:
    return planned(tmp_path)


@pytest.fixture
def world(made: PlannedLaunch) -> World:
    return World(made)


async def test_it_shows_the_launch_as_it_will_be_with_what_is_kept(world: World) -> None:
    world.store[PATH] = Wanted(n_ctx=6144, n_ubatch=64)
    await world.opened()
    assert world.events == ["working tiny"]
    assert world.asked == [(PATH, None)]
    assert world.shown[0].wanted == Wanted(n_ctx=6144, n_ubatch=64)
    assert world.shown[0].fit is Fit.FITS


async def test_what_is_changed_is_planned_once_the_user_rests(world: World) -> None:
    world.store[PATH] = Wanted(n_ubatch=64)
    await world.opened()
    for n_ctx in (4096, 6144, 8192):
        world.presenter.change({"n_ctx": n_ctx})
    world.presenter.change({"cache_type_k": "q8_0", "cache_type_v": "q8_0"})
    await world.until(lambda: len(world.shown) > 1)
    wanted = Wanted(n_ctx=8192, cache_type_k="q8_0", cache_type_v="q8_0", n_ubatch=64)
    assert world.asked[1:] == [(PATH, wanted)]
    assert world.shown[1].wanted == wanted
    assert world.shown[1].planned.launch.n_ctx == 8192


async def test_only_the_newest_result_is_shown(world: World) -> None:
    await world.opened()
    world.gate.clear()
    world.presenter.change({"n_ctx": 8192})
    await world.until(lambda: len(world.asked) == 2)
    world.presenter.change({"n_ctx": 16_384})
    await world.until(lambda: len(world.asked) == 3)
    world.gate.set()
    await world.until(lambda: len(world.shown) > 1)
    assert [shown.planned.launch.n_ctx for shown in world.shown[1:]] == [16_384]


async def test_a_value_is_given_back_to_the_plan(world: World) -> None:
    await world.opened()
    world.presenter.change({"mode": OptimizationMode.SPEED, "n_ctx": 8192})
    world.presenter.change({"mode": None, "n_ctx": None})
    await world.until(lambda: len(world.shown) > 1)
    assert world.asked[-1] == (PATH, None)
    assert world.shown[-1].wanted == Wanted()


async def test_a_contradiction_is_told_beside_the_plan_that_was_shown(world: World) -> None:
    await world.opened()
    world.fails = PlanError(model="tiny", detail="no")
    world.presenter.change({"n_ctx": 8192})
    await world.until(lambda: world.failure)
    assert world.failure
    assert world.failure.code == "plan"
    assert len(world.shown) == 1
    world.fails = None
    world.presenter.change({"n_ctx": 9216})
    await world.until(lambda: len(world.shown) > 1)
    assert world.failure is None
    assert world.shown[-1].wanted.n_ctx == 9216
    assert not world.unforeseen


async def test_a_file_that_cannot_be_planned_says_why(world: World) -> None:
    world.fails = ModelMissing(path=PATH)
    world.presenter.open(world.feed)
    await world.until(lambda: world.failure)
    assert world.failure
    assert world.failure.code == ModelMissing.code
    assert not world.shown


async def test_loading_keeps_what_is_wanted(world: World) -> None:
    await world.opened()
    world.presenter.change({"n_ctx": 8192})
    world.presenter.load(anyway=False)
    await world.until(lambda: world.used)
    assert world.store == {PATH: Wanted(n_ctx=8192)}
    assert world.used == [(str(PATH), False)]
    assert world.events[-1] == "started"
    assert world.shown[-1].planned.launch.n_ctx == 8192


async def test_loading_what_was_left_alone_keeps_nothing(world: World) -> None:
    await world.opened()
    world.presenter.load(anyway=False)
    await world.until(lambda: world.used)
    assert world.store == {}


async def test_what_no_longer_fits_is_shown_and_not_loaded(world: World) -> None:
    await world.opened()
    world.fits = False
    world.presenter.load(anyway=False)
    await world.until(lambda: len(world.shown) > 1)
    assert world.shown[-1].fit is Fit.TOO_LARGE
    world.presenter.load(anyway=True)
    await world.until(lambda: world.used)
    assert world.used == [(str(PATH), True)]


async def test_what_fits_by_now_is_not_forced(world: World) -> None:
    await world.opened()
    world.presenter.load(anyway=True)
    await world.until(lambda: world.used)
    assert world.used == [(str(PATH), False)]


async def test_a_full_disk_is_told_and_nothing_is_loaded(world: World) -> None:
    await world.opened()
    world.keep_fails = DiskFull(path="/x")
    world.presenter.change({"n_ctx": 8192})
    world.presenter.load(anyway=False)
    await world.until(lambda: world.failure)
    assert not world.used
    world.keep_fails = None
    world.presenter.load(anyway=False)
    await world.until(lambda: world.used)
    assert world.store == {PATH: Wanted(n_ctx=8192)}


async def test_news_of_the_engine_do_not_stop_what_the_user_asked_for(world: World) -> None:
    await world.opened()
    world.gate.clear()
    world.presenter.load(anyway=False)
    await world.until(lambda: len(world.asked) == 2)
    world.tell(EngineState.READY)
    world.gate.set()
    await world.until(lambda: world.used)


async def test_back_to_the_plan_forgets_what_was_kept(world: World) -> None:
    world.store[PATH] = Wanted(n_ctx=8192)
    await world.opened()
    world.presenter.back()
    await world.until(lambda: len(world.shown) > 1)
    assert world.store == {PATH: Wanted()}
    assert world.shown[-1].wanted == Wanted()
    assert world.asked[-1] == (PATH, None)


async def test_another_amount_of_free_memory_is_planned_with(world: World) -> None:
    await world.opened()
    world.presenter.change({"n_ctx": 8192})
    await world.until(lambda: len(world.shown) == 2)
    world.tell(EngineState.LOADING)
    world.tell(EngineState.READY)
    await world.until(lambda: len(world.shown) == 3)
    assert world.asked[2:] == [(PATH, Wanted(n_ctx=8192))]


async def test_it_follows_the_model_in_use_but_not_from_a_file_it_was_opened_for(
    world: World,
) -> None:
    await world.opened()
    world.model = ModelRef("llamacpp", "other", OTHER)
    world.tell(EngineState.READY)
    await world.until(lambda: len(world.shown) == 2)
    assert world.asked[-1] == (OTHER, None)
    world.presenter.open(world.feed, PATH)
    await world.until(lambda: len(world.shown) == 3)
    world.tell(EngineState.READY)
    await world.until(lambda: len(world.shown) == 4)
    assert world.asked[-1] == (PATH, None)


@pytest.mark.parametrize(
    ("model", "event"), [(None, "nothing"), (ModelRef("remote", "far"), "elsewhere")]
)
async def test_without_a_file_there_is_nothing_to_plan(
    world: World, model: ModelRef | None, event: str
) -> None:
    world.model = model
    world.presenter.open(world.feed)
    world.presenter.change({"n_ctx": 8192})
    world.presenter.load(anyway=False)
    world.presenter.back()
    assert world.events == [event]
    assert not world.asked


async def test_closed_it_hears_and_plans_no_more(world: World) -> None:
    await world.opened()
    world.gate.clear()
    world.presenter.change({"n_ctx": 8192})
    await world.until(lambda: len(world.asked) == 2)
    world.presenter.close()
    world.gate.set()
    world.tell(EngineState.READY)
    await world.tasks.close()
    assert len(world.asked) == 2
    assert len(world.shown) == 1
