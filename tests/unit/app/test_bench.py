"""The model in use makes room while it is measured, and is loaded again however that ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from rony_desktop.app.bench import BenchService
from rony_desktop.app.experience import Experience
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import BenchmarkError, EngineBusy, EngineDied
from rony_desktop.engine.fleet import Fleet
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from tests.fake.engine import FakeEngine
from tests.fixture.launch import launches_of
from tests.fixture.shop import calibrated

DEADLINE_S = 10.0


class World:
    def __init__(self, runtime: Runtime, engine: FakeEngine) -> None:
        self.runtime, self.engine, self.other = runtime, engine, FakeEngine()
        records = calibrated()
        self.service = BenchService(
            runtime=runtime,
            launches=launches_of(records),
            records=records,
            experience=Experience(records, GgufMetadataReader(), HardwareProbe()),
            fleet=Fleet(lambda _: self.other),
        )

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)


@pytest.fixture
async def world(runtime: Runtime, engine: FakeEngine) -> World:
    return World(runtime, engine)


async def test_without_a_model_of_this_computer_nothing_is_measured(world: World) -> None:
    with pytest.raises(BenchmarkError, match="no model"):
        await world.service.benchmark(lambda *_: None)


async def test_the_model_waits_and_is_loaded_again_after_a_failure(world: World) -> None:
    await world.runtime.ready()
    world.other.failures = [EngineDied(detail="no luck")]
    with pytest.raises(EngineDied):
        await world.service.benchmark(lambda *_: None)
    await world.runtime.ready()
    assert len(world.engine.launches) == 2
    assert world.other.status().state is EngineState.STOPPED


async def test_a_cancellation_ends_the_one_and_loads_the_other(world: World) -> None:
    await world.runtime.ready()
    world.other.hold = asyncio.Event()
    measuring = asyncio.create_task(world.service.tune(lambda *_: None))
    await world.until(lambda: bool(world.other.launches))
    assert world.engine.status().state is EngineState.STOPPED
    measuring.cancel()
    with suppress(asyncio.CancelledError):
        await measuring
    assert world.other.status().state is EngineState.STOPPED
    await world.runtime.ready()
    assert world.engine.status().state is EngineState.READY


async def test_an_answer_is_not_interrupted(world: World) -> None:
    await world.runtime.ready()

    async def busy(_: object) -> bool:
        return False

    world.runtime._parts = replace(world.runtime._parts, slot_idle=busy)
    with pytest.raises(EngineBusy):
        await world.service.tune(lambda *_: None)
    assert world.other.launches == []
    assert world.runtime.status().state is EngineState.READY
