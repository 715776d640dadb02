"""A model is checked on an engine of its own while the one in use makes room."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app import ceiling, examine
from rony_desktop.app.examine import CACHE_RAM_MB, ModelCheckService
from rony_desktop.app.examiner import STEPS
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.check import ModelCheck, ToolMode, ToolScore
from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus
from rony_desktop.contract.error import (
    EngineBusy,
    EngineDied,
    ModelTemplate,
    PlanTooLarge,
    StorageError,
)
from rony_desktop.contract.model import Machine
from rony_desktop.model.checked import KIND
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from tests.fake.engine import FakeEngine
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import LLAMA, gguf
from tests.fixture.launch import LABEL, Counting, Still, launches_of
from tests.fixture.model_server import ModelServer, start_server
from tests.fixture.shop import calibrated

DEADLINE_S = 10.0


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    """A model without native tools that says the same in the envelope, whatever it is asked."""
    reply = json.dumps({"text": json.dumps({"final": "17"})})
    with start_server("--no-tools", "--reply", reply) as running:
        yield running


class Served(FakeEngine):
    """An engine whose model is that of a scripted server."""

    def __init__(self, place: Endpoint) -> None:
        super().__init__()
        self._place = place

    def endpoint(self) -> Endpoint:
        super().endpoint()
        return self._place


class World:
    def __init__(
        self, runtime: Runtime, engine: FakeEngine, other: FakeEngine, machine: Machine
    ) -> None:
        self.runtime, self.engine, self.other = runtime, engine, other
        self.records, self.devices = calibrated(), Counting()
        self.steps: list[tuple[int, int]] = []
        self.service = ModelCheckService(
            runtime=runtime,
            launches=launches_of(self.records, probe=Still(machine), devices=self.devices),
            devices=self.devices,
            reader=GgufMetadataReader(),
            records=self.records,
            engine=lambda: self.other,
        )

    async def check(self, path: Path) -> ModelCheck:
        return await self.service.check(path, lambda *step: self.steps.append(step))

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)


@pytest.fixture
async def world(runtime: Runtime, engine: FakeEngine, server: ModelServer) -> World:
    other = Served(server.endpoint)
    return World(runtime, engine, other, await asyncio.to_thread(HardwareProbe().detect))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "new").mkdir()
    path = tmp_path / "new" / "other.gguf"
    path.write_bytes(gguf({**LLAMA, "llama.context_length": 1024}))
    return path


async def test_a_file_is_checked_on_an_engine_of_its_own_and_that_is_kept(
    world: World, model: Path
) -> None:
    await world.runtime.ready()
    assert await world.service.known(model) is None
    found = await world.check(model)
    assert (found.build, found.mode) == (LABEL, ToolMode.ENVELOPE)
    assert (found.native, found.envelope) == (None, ToolScore(2, 8, 8))
    assert len(found.shapes) == 4
    (launch,) = world.other.launches
    assert (launch.model, launch.n_ctx, launch.cache_ram_mb) == (model, 1024, CACHE_RAM_MB)
    assert world.other.status().state is EngineState.STOPPED
    assert world.steps[-1] == (STEPS, STEPS)
    assert await world.service.known(model) == found
    await world.runtime.ready()
    assert len(world.engine.launches) == 2


async def test_the_model_in_use_is_called_as_its_check_says(world: World, tmp_path: Path) -> None:
    assert await world.service.mode() is None
    await world.runtime.ready()
    assert await world.service.mode() is None
    await world.check(tmp_path / "tiny.gguf")
    await world.runtime.ready()
    assert await world.service.mode() is ToolMode.ENVELOPE


async def test_a_template_that_fails_is_a_result_with_the_engines_words(
    world: World, model: Path
) -> None:
    await world.runtime.ready()
    failing = ModelTemplate(path="other.gguf", detail="Expected }}")
    world.other.failures = [failing]  # type: ignore[list-item]  # a start raises it too
    found = await world.check(model)
    assert found == ModelCheck(build=LABEL, mode=ToolMode.NONE, failure=failing.failure())
    assert await world.service.known(model) == found
    await world.runtime.ready()


async def test_an_engine_that_is_never_ready_is_a_result_that_may_pass(
    world: World, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examine, "START_S", 0.1)
    world.other.hold = asyncio.Event()
    found = await world.check(model)
    assert found.failure
    assert found.failure.code == "engine.not_ready"
    assert world.other.status().state is EngineState.STOPPED
    assert await world.service.known(model) is None


async def test_a_template_that_eats_memory_is_ended_and_named(
    world: World, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Hungry(Served):
        """Its memory is this process'; it is never ready, and a stop ends the start."""

        def status(self) -> EngineStatus:
            return replace(super().status(), pid=os.getpid())

        async def stop(self) -> None:
            await super().stop()
            if self.hold:
                self.failures = [EngineDied(detail="stopped")]
                self.hold.set()

    monkeypatch.setattr(ceiling, "SPARE_BYTES", -(1 << 40))
    monkeypatch.setattr(ceiling, "STEP_S", 0.01)
    world.other = Hungry(Endpoint("http://nowhere"))
    world.other.hold = asyncio.Event()
    found = await world.check(model)
    assert found.failure
    assert found.failure.code == ModelTemplate.code
    assert "memory" in found.failure.params["detail"]
    assert await world.service.known(model) == found


async def test_an_engine_that_does_not_work_is_no_result(world: World, model: Path) -> None:
    world.other.failures = [EngineDied(detail="no luck")]
    with pytest.raises(EngineDied):
        await world.check(model)
    assert not world.records.kept[KIND]
    assert world.other.status().state is EngineState.STOPPED


async def test_what_does_not_fit_is_not_started(runtime: Runtime, model: Path) -> None:
    machine = await asyncio.to_thread(HardwareProbe().detect)
    small = replace(machine, ram_bytes=1 << 20, ram_free_bytes=1 << 20, gpus=())
    world = World(runtime, FakeEngine(), FakeEngine(), small)
    with pytest.raises(PlanTooLarge):
        await world.check(model)
    assert world.other.launches == []


async def test_a_cancellation_ends_the_one_and_loads_the_other(world: World, model: Path) -> None:
    await world.runtime.ready()
    world.other.hold = asyncio.Event()
    checking = asyncio.create_task(world.check(model))
    await world.until(lambda: bool(world.other.launches))
    assert world.engine.status().state is EngineState.STOPPED
    checking.cancel()
    with suppress(asyncio.CancelledError):
        await checking
    assert checking.cancelled()
    assert world.other.status().state is EngineState.STOPPED
    await world.runtime.ready()
    assert world.engine.status().state is EngineState.READY
    assert not world.records.kept[KIND]


async def test_an_answer_is_not_interrupted(world: World, model: Path) -> None:
    await world.runtime.ready()

    async def busy(_: object) -> bool:
        return False

    world.runtime._parts = replace(world.runtime._parts, slot_idle=busy)
    with pytest.raises(EngineBusy):
        await world.check(model)
    assert world.other.launches == []


async def test_a_load_that_is_under_way_is_not_disturbed(world: World, model: Path) -> None:
    world.engine.hold = asyncio.Event()
    world.runtime.use("tiny")
    await world.until(lambda: bool(world.engine.launches))
    checking = asyncio.create_task(world.check(model))
    await asyncio.sleep(0)
    assert world.other.launches == []
    world.engine.hold.set()
    assert (await checking).mode is ToolMode.ENVELOPE


async def test_what_cannot_be_kept_is_said(world: World, model: Path) -> None:
    await world.runtime.ready()
    kept = FakeRecordStore()
    kept.failure = StorageError(detail="full")
    service = replace(world.service, records=kept)
    with pytest.raises(StorageError):
        await service.check(model, lambda *_: None)
    await world.runtime.ready()
