"""An engine that runs: killed for want of memory, left alone for long, woken after a sleep."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.engine import EngineState, Launch
from rony_desktop.contract.error import (
    EngineBusy,
    EngineDied,
    EngineKilled,
    EngineOutOfMemory,
    EngineStopped,
)
from rony_desktop.contract.launch import Rung
from rony_desktop.contract.model import Gpu
from rony_desktop.engine.candidate import Candidate
from tests.fixture.runtime import World, filled

GIB = 1 << 30
CARD = Gpu("Sample card", "Vulkan0", "vulkan", 8 * GIB, 7 * GIB, integrated=False)
LISTED = "Available devices:\n  Vulkan0: Sample card (8192 MiB, 7168 MiB free)\n"
NONE_LISTED = "Available devices:\n  (none)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


@pytest.fixture
async def world(folder: Path) -> World:
    return World(folder)


async def test_killed_for_memory_while_it_ran_it_goes_on_with_less(world: World) -> None:
    await world.runtime.ready()
    world.heard.clear()
    world.engine.report(EngineState.FAILED, EngineKilled())
    assert world.runtime.status().state is EngineState.LOADING
    await world.runtime.ready()
    first, second = world.engine.launches
    assert (first.cache_type_k, second.cache_type_k) == ("f16", "q8_0")
    assert [failure.code for failure in world.notices] == ["plan.lowered"]
    assert EngineState.FAILED not in {status.state for status in world.heard}
    assert world.runtime.planned is not None
    assert world.runtime.planned.rungs == (Rung.SMALLER_CACHE,)
    # It is remembered: the next start begins there.
    world.runtime.use("one")
    await world.runtime.ready()
    assert world.engine.launches[-1] == second


async def test_out_of_memory_in_mid_answer_goes_on_with_less_too(world: World) -> None:
    await world.runtime.ready()
    world.engine.report(EngineState.FAILED, EngineOutOfMemory(model="one", detail="x"))
    await world.runtime.ready()
    assert len(world.engine.launches) == 2
    assert [failure.code for failure in world.notices] == ["plan.lowered"]


async def test_killed_again_and_again_it_ends_with_its_cause(world: World) -> None:
    await world.runtime.ready()
    for _ in range(50):
        world.engine.report(EngineState.FAILED, EngineKilled())
        loading = world.runtime._loading
        assert loading is not None
        await loading
        if world.runtime.status().state is EngineState.FAILED:
            break
    failure = world.runtime.status().failure
    assert failure is not None
    assert failure.code == "engine.killed"
    launches = world.engine.launches
    assert len({launch.n_ctx for launch in launches}) > 1
    assert len(launches) == len(set(launches)) < 10, "every start had less"


async def test_an_end_just_after_the_start_is_not_overlooked(world: World) -> None:
    start = world.engine.start

    async def brief(launch: Launch) -> None:
        await start(launch)
        if len(world.engine.launches) == 1:
            world.engine.report(EngineState.FAILED, EngineKilled())

    world.engine.start = brief  # type: ignore[method-assign]
    world.runtime.use("one")
    await world.until(lambda: len(world.engine.launches) == 2)
    await world.runtime.ready()
    assert [failure.code for failure in world.notices] == ["plan.lowered"]


async def test_every_other_failure_is_only_told(world: World) -> None:
    await world.runtime.ready()
    world.engine.report(EngineState.FAILED, EngineDied(detail="x"))
    assert world.runtime.status().state is EngineState.FAILED
    assert len(world.engine.launches) == 1


async def test_what_came_free_since_decides_how_long_it_stays_so(world: World) -> None:
    world.probe.machine = replace(world.probe.machine, ram_bytes=64 * GIB, ram_free_bytes=40 * GIB)
    await world.runtime.ready()
    world.probe.machine = replace(world.probe.machine, ram_free_bytes=8 * GIB)
    world.engine.report(EngineState.FAILED, EngineKilled())
    await world.runtime.ready()
    world.probe.machine = replace(world.probe.machine, ram_free_bytes=40 * GIB)
    world.runtime.use("one")
    await world.runtime.ready()
    assert world.engine.launches[-1] == world.engine.launches[0]


async def test_an_engine_nobody_asks_falls_asleep_and_wakes_with_a_question(folder: Path) -> None:
    world = World(folder, idle_stop_s=0.02)
    await world.runtime.ready()
    await world.until(lambda: world.runtime.status().asleep)
    status = world.runtime.status()
    assert (status.state, status.model, status.failure) == (EngineState.STOPPED, "one", None)
    assert world.engine.status().state is EngineState.STOPPED
    with world.runtime.idle.busy():
        await world.runtime.ready()
        assert not world.runtime.status().asleep
        assert world.started == ["one", "one"]
    await world.until(lambda: world.runtime.status().asleep)
    await world.runtime.stop()


async def test_an_answer_keeps_it_awake_even_while_the_user_is_asked(folder: Path) -> None:
    world = World(folder, idle_stop_s=0.01)
    with world.runtime.idle.busy():
        await world.runtime.ready()
        await asyncio.sleep(0.05)
        assert world.runtime.status().state is EngineState.READY
    await world.runtime.stop()


async def test_who_borrowed_it_keeps_it_awake_while_it_works(folder: Path) -> None:
    world = World(folder, idle_stop_s=0.01)
    await world.runtime.ready()
    world.idle = False
    await asyncio.sleep(0.05)
    assert world.runtime.status().state is EngineState.READY
    world.idle = True
    await world.until(lambda: world.runtime.status().asleep)


async def test_a_question_while_it_falls_asleep_is_answered(folder: Path) -> None:
    world = World(folder, idle_stop_s=0.01)
    gate, stop = asyncio.Event(), world.engine.stop

    async def slow() -> None:
        world.engine.report(EngineState.STOPPING)
        await gate.wait()
        await stop()

    await world.runtime.ready()
    world.engine.stop = slow  # type: ignore[method-assign]
    await world.until(lambda: world.runtime.status().state is EngineState.STOPPING)
    asking = asyncio.create_task(world.runtime.ready())
    await asyncio.sleep(0.02)
    assert not asking.done()
    world.engine.stop = stop  # type: ignore[method-assign]
    gate.set()
    await asking
    assert world.runtime.status().state is EngineState.READY
    await world.runtime.stop()


async def test_another_model_chosen_while_it_falls_asleep_is_loaded(folder: Path) -> None:
    world = World(folder, idle_stop_s=0.01)
    await world.runtime.ready()
    await world.until(lambda: world.runtime.status().asleep)
    world.runtime.use("two")
    assert not world.runtime.status().asleep
    await world.runtime.ready()
    assert world.started == ["one", "two"]
    await world.runtime.stop()


async def test_an_engine_that_ends_as_it_falls_asleep_is_left_to_its_owner(folder: Path) -> None:
    world = World(folder, idle_stop_s=0.01)
    world.idle = EngineStopped()
    await world.runtime.ready()
    stops = world.engine.stops
    await asyncio.sleep(0.05)
    assert world.engine.stops == stops
    world.idle = True
    await world.runtime.stop()


async def test_never_is_never_and_a_pause_has_no_timer(folder: Path) -> None:
    world = World(folder)
    await world.runtime.ready()
    assert world.runtime.idle._timer is None
    world = World(folder, idle_stop_s=60)
    await world.runtime.ready()
    assert world.runtime.idle._timer is not None
    async with world.runtime.paused():
        assert world.runtime.idle._timer is None
    await world.runtime.ready()
    world.idle = False
    with pytest.raises(EngineBusy):
        async with world.runtime.paused():
            pytest.fail("it is busy")
    await world.runtime.stop()
    assert world.runtime.idle._timer is None


class OnCard:
    """A world whose plan has layers on a card, and what the engine lists of cards now."""

    def __init__(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.text = LISTED
        world.probe.machine = replace(world.probe.machine, gpus=(CARD,), unknown=())
        monkeypatch.setattr(world.devices, "look", self._look)
        monkeypatch.setattr(world.devices, "text", lambda: self.text)

    async def _look(self) -> Candidate:
        found = await self.world.devices._binary()
        gpus = (CARD,) if self.text == LISTED else ()
        self.world.probe.machine = replace(self.world.probe.machine, gpus=gpus)
        return found

    async def resumed(self) -> None:
        self.world.runtime.resumed()
        looking = self.world.runtime._looking
        assert looking is not None
        await looking


async def test_after_sleep_an_engine_with_its_devices_is_only_examined(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = OnCard(world, monkeypatch)
    await world.runtime.ready()
    assert world.engine.launches[0].gpu_layers
    await card.resumed()
    assert (world.engine.suspects, len(world.engine.launches)) == (1, 1)
    card.text = ""
    await card.resumed()
    assert (world.engine.suspects, len(world.engine.launches)) == (2, 1)
    assert world.notices == []


async def test_a_device_that_is_gone_after_sleep_is_planned_without_and_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = OnCard(world, monkeypatch)
    await world.runtime.ready()
    card.text = NONE_LISTED
    await card.resumed()
    assert world.runtime.status().state is EngineState.READY
    first, second = world.engine.launches
    assert first.gpu_layers
    assert second.gpu_layers == 0
    (notice,) = world.notices
    assert notice.code == "engine.device_lost"
    assert notice.params == {"device": "Sample card", "model": "one.gguf"}


async def test_after_sleep_nothing_is_looked_for_where_nothing_runs(world: World) -> None:
    world.runtime.resumed()
    await world.until(lambda: world.runtime._looking is not None and world.runtime._looking.done())
    assert world.devices.looks == 0
    await world.runtime.ready()
    looks = world.devices.looks
    world.runtime.resumed()
    world.runtime.resumed()
    await world.until(lambda: world.engine.suspects == 1)
    assert world.devices.looks == looks, "without layers on a device there is none to lose"
