from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from rony_desktop.app.workshop import EngineBench
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import EngineError
from rony_desktop.contract.speed import Basis, Verdict
from rony_desktop.provider.llamacpp import LlamaCppClient
from tests.fake.client import FakeBench
from tests.fake.engine import FakeEngine
from tests.fixture.shop import workshop_of
from tests.fixture.speed import launch

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


async def test_an_engine_runs_as_long_as_it_is_needed(engine: FakeEngine) -> None:
    async with EngineBench(engine, LlamaCppClient).running(launch()) as client:
        assert engine.status().state is EngineState.READY
        assert client.name() == "llamacpp"
    assert engine.status().state is EngineState.STOPPED


async def test_an_engine_that_does_not_start_is_ended_too(engine: FakeEngine) -> None:
    engine.failures = [EngineError(detail="no")]
    with pytest.raises(EngineError):
        async with EngineBench(engine, LlamaCppClient).running(launch()):
            pytest.fail("it does not run")
    assert engine.stops == 1


async def test_giving_up_while_it_starts_ends_the_engine(engine: FakeEngine) -> None:
    engine.hold = asyncio.Event()

    async def use() -> None:
        async with EngineBench(engine, LlamaCppClient).running(launch()):
            pytest.fail("it does not run")

    using = asyncio.create_task(use())
    while not engine.launches:
        await asyncio.sleep(0)
    using.cancel()
    with suppress(asyncio.CancelledError):
        await using
    assert engine.status().state is EngineState.STOPPED


async def test_a_benchmark_teaches_the_prediction() -> None:
    bench = FakeBench(lambda *_: (900.0, 30.0))
    shop = workshop_of(bench)
    assert (await shop.predicted(300)).basis is Basis.PROBE
    (found,) = await shop.benchmark((300,), 16, 2, lambda *_: None)
    assert found.decode.best == pytest.approx(30)
    after = await shop.predicted(300)
    assert after.basis is Basis.RUN
    assert after.decode.value == pytest.approx(30, rel=0.15)
    assert not bench.alive


async def test_what_tuning_found_is_how_the_model_is_launched() -> None:
    bench = FakeBench(lambda each, _: (600.0, 60.0) if each.threads == 4 else (500.0, 50.0))
    shop = workshop_of(bench)
    found = await shop.tune(lambda *_: None)
    assert found.verdict is Verdict.FASTER
    assert (await shop.launch()).threads == 4
    await shop.benchmark((64,), 8, 1, lambda *_: None)
    assert bench.runs[-1].threads == 4
