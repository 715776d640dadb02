"""What does not fit, what runs out of memory, and an engine that makes room for a while."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import (
    EngineBusy,
    EngineKilled,
    EngineOutOfMemory,
    PlanTooLarge,
)
from rony_desktop.contract.launch import Rung
from tests.fixture.runtime import World, filled


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


@pytest.fixture
async def world(folder: Path) -> World:
    return World(folder)


async def test_what_does_not_fit_is_refused_and_can_be_loaded_anyway(world: World) -> None:
    world.probe.machine = replace(world.probe.machine, ram_free_bytes=1 << 20)
    world.runtime.use("one")
    with pytest.raises(PlanTooLarge) as refused:
        await world.runtime.ready()
    assert refused.value.params["model"] == "one.gguf"
    assert world.engine.launches == []
    planned = world.runtime.planned
    assert planned is not None
    assert planned.plan.ram_needed_bytes > planned.plan.ram.room_bytes
    world.runtime.use("one", anyway=True)
    await world.runtime.ready()
    assert world.started == ["one"]


async def test_out_of_memory_ends_in_less_and_a_notice(world: World) -> None:
    world.engine.failures += [EngineOutOfMemory(model="one", detail="x"), EngineKilled()]
    world.runtime.use("one")
    await world.runtime.ready()
    first, second, third = world.engine.launches
    assert (first.cache_type_k, second.cache_type_k) == ("f16", "q8_0")
    assert third.n_ctx * 2 == second.n_ctx
    assert world.runtime.planned is not None
    assert world.runtime.planned.rungs == (Rung.SMALLER_CACHE, Rung.HALF_CONTEXT)
    assert [failure.code for failure in world.notices] == ["plan.lowered"]
    # The steps in between are no failures to anybody.
    assert EngineState.FAILED not in {status.state for status in world.heard}
    world.runtime.use("one")
    await world.runtime.ready()
    assert world.engine.launches[-1] == third


async def test_the_ladder_has_an_end(world: World) -> None:
    world.engine.failures += [EngineOutOfMemory(model="one", detail="x")] * 50
    world.runtime.use("one")
    with pytest.raises(EngineOutOfMemory):
        await world.runtime.ready()
    assert world.runtime.status().state is EngineState.FAILED


async def test_a_pause_keeps_the_engine_down_and_loads_the_model_again(world: World) -> None:
    world.runtime.use("two")
    await world.runtime.ready()
    async with world.runtime.paused():
        assert world.engine.status().state is EngineState.STOPPED
        waiting = asyncio.create_task(world.runtime.ready())
        await asyncio.sleep(0)
        assert not waiting.done()
    await waiting
    assert world.started == ["two", "two"]


async def test_another_model_that_is_used_in_a_pause_waits_for_its_end(world: World) -> None:
    await world.runtime.ready()
    async with world.runtime.paused():
        loading = world.runtime.use("two")
        done, _ = await asyncio.wait({loading}, timeout=0.2)
        assert not done
        assert world.engine.status().state is EngineState.STOPPED
    await world.runtime.ready()
    assert world.started[1:] == ["two"]


async def test_pauses_come_one_after_the_other(world: World) -> None:
    await world.runtime.ready()
    inside, most = 0, 0

    async def pause() -> None:
        nonlocal inside, most
        async with world.runtime.paused():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.05)
            inside -= 1

    await asyncio.gather(pause(), pause())
    assert most == 1
    await world.runtime.ready()


async def test_a_pause_does_not_end_an_answer(world: World) -> None:
    await world.runtime.ready()
    world.idle = False
    with pytest.raises(EngineBusy):
        async with world.runtime.paused():
            pytest.fail("it is busy")
    assert world.runtime.status().state is EngineState.READY


async def test_what_an_engine_holds_comes_free_with_it(world: World) -> None:
    assert world.runtime.held() == (0, 0)
    await world.runtime.ready()
    ram, vram = world.runtime.held()
    assert ram >= 0
    assert vram == 0
