from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import pytest

from rony_desktop.app.ceiling import Ceiling
from rony_desktop.contract.engine import EngineState, EngineStatus
from tests.fake.engine import FakeEngine
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
    ceiling = Ceiling(engine, 1)
    async with ceiling.watched(), asyncio.timeout(DEADLINE_S):
        await engine.start(launch())
        while engine.status().state is not EngineState.STOPPED:
            await asyncio.sleep(0.005)
    assert ceiling.broken
    assert engine.stops == 1


async def test_an_engine_below_it_is_left_alone_and_one_that_is_not_there_too() -> None:
    engine = OwnMemory()
    ceiling = Ceiling(engine, 1 << 50)
    async with ceiling.watched():
        await until(engine, 1)
        await engine.start(launch())
        await until(engine, engine.looked + 2)
    assert not ceiling.broken
    assert engine.stops == 0


async def test_the_watch_ends_with_what_it_watched_over() -> None:
    with pytest.raises(ZeroDivisionError):
        async with Ceiling(OwnMemory(), 1).watched():
            raise ZeroDivisionError
    assert "watch memory" not in {task.get_name() for task in asyncio.all_tasks()}
