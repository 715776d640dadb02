"""What the window says of the model: its state, its failure, its numbers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import DiskFull, EngineDied, Failure
from rony_desktop.contract.event import EngineChanged, Notice
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.llm import ProviderCapabilities, StopReason, TokenUsage
from rony_desktop.contract.model import ModelRef
from rony_desktop.store.place import Place
from rony_desktop.ui.badge import Badge
from rony_desktop.ui.model.presenter import ModelPresenter
from tests.fixture.plan import planned

DIED = EngineDied(detail="boom").failure()


class FakeModelView:
    def __init__(self) -> None:
        self.engine: list[EngineStatus] = []
        self.quants: list[str] = []
        self.badges: list[Badge] = []
        self.offers: list[Offer] = []
        self.models: list[tuple[list[str], str]] = []
        self.context: list[tuple[int, int]] = []
        self.speed: list[Response] = []
        self.failure: Failure | None = None
        self.remembered: list[str] = []

    def show_engine(self, status: EngineStatus, quant: str = "", badge: Badge = Badge.NONE) -> None:
        self.engine.append(status)
        self.quants.append(quant)
        self.badges.append(badge)

    def show_offer(self, offer: Offer) -> None:
        self.offers.append(offer)

    def show_models(self, models: Sequence[ModelRef], current: str) -> None:
        self.models.append(([model.id for model in models], current))

    def show_context(self, used: int, limit: int) -> None:
        self.context.append((used, limit))

    def show_speed(self, response: Response) -> None:
        self.speed.append(response)

    def show_failure(self, failure: Failure) -> None:
        self.failure = failure

    def clear_failure(self) -> None:
        self.failure = None


@pytest.fixture
def view() -> FakeModelView:
    return FakeModelView()


@pytest.fixture
def presenter(world: Any, view: FakeModelView) -> ModelPresenter:
    async def remember(name: str) -> None:
        view.remembered.append(name)

    return ModelPresenter(world.runtime, world.models, world.feed, world.tasks, view, remember)


def windowed(world: Any, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """Let the running model's context window hold so many tokens."""

    async def capabilities() -> ProviderCapabilities:
        return ProviderCapabilities(max_context_window=size)

    monkeypatch.setattr(world.runtime.client(), "capabilities", capabilities)


async def test_it_begins_with_where_the_engine_is(
    presenter: ModelPresenter, view: FakeModelView, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    windowed(world, monkeypatch, 4096)
    presenter.start()
    assert view.engine == [world.runtime.status()]
    await world.until(lambda: view.context)
    assert view.context == [(0, 4096)]


async def test_before_the_engine_has_begun_the_window_speaks_for_itself(
    presenter: ModelPresenter, view: FakeModelView, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.runtime, "status", EngineStatus)
    presenter.start()
    assert view.engine == []


async def test_every_state_is_shown_and_a_failure_until_all_is_well(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    for state in EngineState:
        failure = DIED if state in (EngineState.WAITING, EngineState.FAILED) else None
        world.feed.publish(EngineChanged(EngineStatus(state, "m", failure=failure)))
    assert [status.state for status in view.engine] == list(EngineState)
    assert view.failure == DIED
    world.feed.publish(EngineChanged(EngineStatus(EngineState.LOADING, "m")))
    assert view.failure == DIED
    world.feed.publish(EngineChanged(EngineStatus(EngineState.READY, "m")))
    assert view.failure is None
    await world.until(lambda: view.context)


async def test_a_notice_is_shown(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    full = DiskFull(path="data").failure()
    world.feed.publish(Notice(full))
    assert view.failure == full
    assert view.engine == []


async def test_a_turn_shows_its_speed_and_what_it_filled(
    presenter: ModelPresenter, view: FakeModelView, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    windowed(world, monkeypatch, 512)
    presenter.start()
    await world.until(lambda: view.context)
    response = Response("x", StopReason.END_TURN, usage=TokenUsage(100, 20))
    presenter.finished(response)
    assert view.speed == [response]
    assert view.context[-1] == (120, 512)


async def test_a_turn_that_used_nothing_leaves_the_numbers(
    presenter: ModelPresenter, view: FakeModelView
) -> None:
    presenter.finished(Response("", StopReason.ERROR, failure=DIED))
    assert (view.speed, view.context) == ([], [])


async def test_the_models_are_listed_with_the_one_in_use(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    folder = Place.of().models_dir
    folder.mkdir(parents=True)
    for name in ("b", "a"):
        (folder / f"{name}.gguf").write_bytes(b"GGUF")
    await presenter.list()
    assert view.models == [(["a", "b"], world.model.partition(":")[2])]


@pytest.mark.parametrize(("free_gib", "badge"), [(12, Badge.NONE), (5.45, Badge.SHORT)])
async def test_a_context_cut_by_memory_is_said_of_the_model_in_use(
    presenter: ModelPresenter,
    view: FakeModelView,
    world: Any,
    tmp_path: Path,
    free_gib: float,
    badge: Badge,
) -> None:
    world.runtime.planned = planned(tmp_path, free_gib=free_gib)
    world.feed.publish(EngineChanged(EngineStatus(EngineState.READY, "m")))
    assert view.badges == [badge]


async def test_offers_come_in_until_nobody_looks(
    presenter: ModelPresenter, view: FakeModelView, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = asyncio.Event()

    async def offers(models: Sequence[ModelRef]) -> AsyncIterator[Offer]:
        try:
            for model in models:
                yield Offer(model, Fit.FITS)
            await asyncio.Event().wait()
        finally:
            ended.set()

    folder = Place.of().models_dir
    folder.mkdir(parents=True)
    for name in ("b", "a"):
        (folder / f"{name}.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(world.runtime.launches, "offers", offers)
    await presenter.list()
    await world.until(lambda: len(view.offers) == 2)
    assert [offer.model.id for offer in view.offers] == ["a", "b"]
    presenter.stop_offers()
    await world.until(ended.is_set)
    presenter.stop_offers()


async def test_choosing_loads_and_clears_what_was_wrong(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    view.failure = DIED
    presenter.choose("nothing")
    assert view.failure is None
    await world.until(lambda: view.failure)
    assert view.failure is not None
    assert view.failure.code == "model.unknown"
    presenter.choose(world.model)
    await world.until(lambda: view.engine[-1].state is EngineState.READY)
    assert view.failure is None
    await world.until(lambda: view.remembered)
    assert view.remembered == [world.model]


async def test_trying_again_loads_the_same_model(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    rules = Path(world.model.partition(":")[2])
    kept = rules.read_text("utf-8")
    rules.unlink()
    presenter.choose(world.model)
    await world.until(lambda: view.failure)
    presenter.retry()
    assert view.failure is None
    await world.until(lambda: view.failure)
    assert world.failures == []
    rules.write_text(kept, "utf-8")
    presenter.retry()
    await world.until(lambda: view.engine[-1].state is EngineState.READY)
    assert view.failure is None


async def test_trying_again_leaves_a_model_that_runs_alone(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    world.feed.publish(Notice(DiskFull(path="data").failure()))
    presenter.retry()
    await world.runtime.ready()
    assert (view.failure, view.engine) == (None, [])


async def test_after_its_end_nothing_is_heard(
    presenter: ModelPresenter, view: FakeModelView, world: Any
) -> None:
    presenter.close()
    world.feed.publish(EngineChanged(EngineStatus(EngineState.FAILED, failure=DIED)))
    assert view.engine == []
