from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app import ceiling
from rony_desktop.app.ceiling import Ceiling, start_below
from rony_desktop.contract.engine import EngineState, EngineStatus, Launch
from rony_desktop.contract.error import EngineStopped, ModelTemplate
from tests.fake.engine import FakeEngine
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf
from tests.fixture.launch import ROOMY, launches_of
from tests.fixture.speed import launch

DEADLINE_S = 5.0


class OwnMemory(FakeEngine):
    """Reports this very process as the engine's."""

    looked = 0

    def status(self) -> EngineStatus:
        self.looked += 1
        status = super().status()
        return replace(status, pid=os.getpid()) if status.pid else status


async def until(engine: OwnMemory, looks: int) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while engine.looked < looks:
            await asyncio.sleep(0.005)


async def test_an_engine_above_its_ceiling_is_ended() -> None:
    engine = OwnMemory()
    limit = Ceiling(engine, 1)
    async with limit.watched(), asyncio.timeout(DEADLINE_S):
        await engine.start(launch())
        while engine.status().state is not EngineState.STOPPED:
            await asyncio.sleep(0.005)
    assert limit.broken
    assert engine.stops == 1


async def test_an_engine_below_it_is_left_alone_and_one_that_is_not_there_too() -> None:
    engine = OwnMemory()
    limit = Ceiling(engine, 1 << 50)
    async with limit.watched():
        await until(engine, 1)
        await engine.start(launch())
        await until(engine, engine.looked + 2)
    assert not limit.broken
    assert engine.stops == 0


async def test_the_watch_ends_with_what_it_watched_over() -> None:
    with pytest.raises(ZeroDivisionError):
        async with Ceiling(OwnMemory(), 1).watched():
            raise ZeroDivisionError
    assert "watch memory" not in {task.get_name() for task in asyncio.all_tasks()}


async def test_a_start_that_takes_far_too_much_is_the_files_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tiny.gguf"
    file.write_bytes(gguf(ROOMY))
    planned = await launches_of(FakeRecordStore()).planned(file)
    engine = OwnMemory()
    await start_below(engine, planned)
    assert engine.status().state is EngineState.READY
    monkeypatch.setattr(ceiling, "SPARE_BYTES", -(1 << 50))

    async def endless(_: Launch) -> None:
        engine.launches.append(planned.launch)
        engine.report(EngineState.LOADING)
        while engine.status().state is EngineState.LOADING:
            await asyncio.sleep(0.005)
        raise EngineStopped

    monkeypatch.setattr(engine, "start", endless)
    with pytest.raises(ModelTemplate, match=r"tiny\.gguf does not work: with it"):
        await start_below(engine, planned)
