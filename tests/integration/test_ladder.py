"""A launch that does not fit: refused with its sum, loaded anyway, lowered until it answers."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.device import Devices
from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.app.runtime import Parts, Runtime
from rony_desktop.contract.config import Config
from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.error import PlanTooLarge
from rony_desktop.contract.event import FeedEvent, Notice
from rony_desktop.contract.launch import Rung
from rony_desktop.contract.llm import CompletionRequest
from rony_desktop.contract.message import Message, Role
from rony_desktop.engine.binary import find
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.health import slot_idle
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.provider.llamacpp import LlamaCppClient
from rony_desktop.provider.scripted import ScriptedClient
from rony_desktop.store.record import FileRecordStore
from tests.fixture.launch import Still, launches_of

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform != "linux", reason="limits the addresses of a child"),
]

# Below what it takes with 8192 tokens in f16, in MiB: q8_0 saves 84 of them, half the context 48.
ONE_STEP, TWO_STEPS = 40, 110
PLENTY_MB = 8192
DEADLINE_S = 60.0


class World:
    """The program's runtime over a real engine that is kept short of memory."""

    def __init__(self, engine: Path, model: Path, free_bytes: int, folder: Path) -> None:
        self.lowered: list[str] = []
        self._engine = engine
        self._folder = folder
        folder.mkdir(exist_ok=True)
        config = Config.model_validate({"model": str(model)})
        machine = replace(HardwareProbe().detect(), ram_free_bytes=free_bytes, gpus=())
        feed, models = Feed(), Models(config, [folder])
        feed.listen(self._heard)
        parts = Parts(
            models=models,
            launches=launches_of(
                FileRecordStore(folder / "records"),
                probe=Still(machine),
                devices=Devices(self._binary, folder),
                models=models.list,
            ),
            client=LlamaCppClient,
            scripted=lambda name: ScriptedClient.from_file(Path(name)),
            slot_idle=slot_idle,
        )
        place = Path(os.environ["XDG_RUNTIME_DIR"]) / "run"
        supervisor = ProcessSupervisor(self._binary, place, self._changed)
        self.runtime = Runtime(parts, supervisor, feed)
        self.loads = 0

    async def _binary(self) -> Candidate:
        return await find(self._engine, self._folder)

    def _changed(self, status: EngineStatus) -> None:
        self.loads += status.pid is None and status.state == "loading"
        self.runtime.engine_changed(status)

    def _heard(self, event: FeedEvent) -> None:
        if isinstance(event, Notice):
            self.lowered.append(event.failure.code)

    async def answer(self) -> str:
        request = CompletionRequest((Message(Role.USER, "Say hello."),), max_tokens=8)
        return (await self.runtime.client().generate(request)).content


def limited(folder: Path, engine: Path, limit_mb: int) -> Path:
    """The engine, with no more addresses than so many MiB."""
    script = folder / "limited"
    script.write_text(
        f"#!/bin/sh\nulimit -v {limit_mb * 1024}\n"
        # A graphics driver would map hundreds of MiB more where there is one.
        "export VK_DRIVER_FILES=/none VK_ICD_FILENAMES=/none MALLOC_ARENA_MAX=1\n"
        f'LD_LIBRARY_PATH="{engine.parent}" exec "{engine}" "$@"\n'
    )
    script.chmod(0o755)
    return script


@pytest.fixture
async def peak_mb(tmp_path: Path, engine_binary: Path, starter_model: Path) -> int:
    """The most addresses the starter model takes as it is planned, an answer included."""
    script = limited(tmp_path, engine_binary, PLENTY_MB)
    world = World(script, starter_model, 16 << 30, tmp_path / "plenty")
    try:
        await world.runtime.ready()
        planned = world.runtime.planned
        assert planned is not None
        assert (planned.launch.n_ctx, planned.launch.cache_type_k) == (8192, "f16")
        assert await world.answer()
        status = Path(f"/proc/{world.runtime.status().pid}/status").read_text("utf-8")
    finally:
        await world.runtime.stop()
    return int(status.split("VmPeak:")[1].split()[0]) // 1024


@pytest.fixture(params=[ONE_STEP, TWO_STEPS])
async def world(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    engine_binary: Path,
    starter_model: Path,
    peak_mb: int,
) -> AsyncIterator[World]:
    script = limited(tmp_path, engine_binary, peak_mb - request.param)
    found = World(script, starter_model, 16 << 30, tmp_path / "short")
    yield found
    await found.runtime.stop()


async def test_out_of_memory_ends_in_an_answer_and_is_remembered(world: World) -> None:
    async with asyncio.timeout(DEADLINE_S):
        await world.runtime.ready()
        assert await world.answer()
        planned = world.runtime.planned
        assert planned is not None
        assert planned.rungs[0] is Rung.SMALLER_CACHE
        assert planned.launch.cache_type_k == "q8_0"
        assert world.runtime.status().loaded is not None
        assert await world.runtime.context_window() == planned.launch.n_ctx
        loads = world.loads
        world.runtime.use()
        await world.runtime.ready()
        assert world.loads == loads + 1, "the next start does not run out again"
        assert world.runtime.planned is not None
        assert world.runtime.planned.launch == planned.launch
        assert await world.answer()
    assert world.lowered == ["plan.lowered", "plan.lowered"]


async def test_a_refused_plan_can_be_loaded_anyway(
    tmp_path: Path, engine_binary: Path, starter_model: Path, peak_mb: int
) -> None:
    script = limited(tmp_path, engine_binary, peak_mb - ONE_STEP)
    world = World(script, starter_model, 200 << 20, tmp_path / "short")
    try:
        async with asyncio.timeout(DEADLINE_S):
            with pytest.raises(PlanTooLarge):
                await world.runtime.ready()
            assert world.runtime.planned is not None
            plan = world.runtime.planned.plan
            assert plan.ram_needed_bytes > plan.ram.room_bytes
            assert world.loads == 0
            world.runtime.use(anyway=True)
            await world.runtime.ready()
            assert await world.answer()
    finally:
        await world.runtime.stop()
