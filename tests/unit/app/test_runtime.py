"""The model in use: one load at a time, typed failures, an engine that is watched and lent."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rony_desktop.app import runtime as module
from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus
from rony_desktop.contract.error import (
    EngineDied,
    EngineHung,
    EngineNotReady,
    EngineStopped,
    ModelUnknown,
    NotAChatModel,
    ProviderUnavailable,
)
from tests.fake.engine import ENDPOINT, PID
from tests.fixture.runtime import World, filled

SERVER = Endpoint("http://127.0.0.1:9")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return filled(tmp_path)


@pytest.fixture
async def world(folder: Path) -> World:
    return World(folder)


async def test_a_model_is_chosen_planned_launched_and_told_by_its_name(world: World) -> None:
    world.runtime.use("two")
    await world.runtime.ready()
    (launch,) = world.engine.launches
    assert (launch.model, launch.alias) == (world.folder / "two.gguf", "two")
    assert launch.n_ctx > 0
    assert world.runtime.model is not None
    assert world.runtime.model.id == "two"
    assert world.runtime.status() == EngineStatus(EngineState.READY, "two", PID)
    assert [status.state for status in world.heard][-1] is EngineState.READY
    assert {status.model for status in world.heard} == {"two"}


async def test_the_engine_is_asked_for_its_devices_before_each_plan(world: World) -> None:
    for looks, name in enumerate(("one", "two"), 1):
        world.runtime.use(name)
        await world.runtime.ready()
        assert world.devices.looks == looks
    assert {launch.parallel for launch in world.engine.launches} == {1}


async def test_a_status_without_a_name_keeps_the_models(world: World) -> None:
    world.runtime.use("two")
    await world.runtime.ready()
    world.runtime.engine_changed(EngineStatus(EngineState.WAITING, restarts=1))
    assert world.heard[-1] == EngineStatus(EngineState.WAITING, "two", restarts=1)


async def test_without_a_name_the_first_model_is_used(world: World) -> None:
    await world.runtime.ready()
    assert world.started == ["one"]


async def test_another_model_gives_the_earlier_load_up(world: World) -> None:
    world.engine.hold = asyncio.Event()
    first = world.runtime.use("one")
    await world.until(lambda: world.started == ["one"])
    waiting = asyncio.create_task(world.runtime.ready())
    second = world.runtime.use("two")
    await world.until(lambda: world.started == ["one", "two"])
    assert first.cancelled()
    assert not waiting.done()
    world.engine.hold.set()
    await waiting
    assert second.done()
    assert world.runtime.status().model == "two"
    assert world.runtime.status().state is EngineState.READY


async def test_three_choices_in_a_row_end_in_the_last(world: World) -> None:
    for name in ("one", "two", "one"):
        world.runtime.use(name)
    await world.runtime.ready()
    assert world.runtime.status().model == "one"
    assert world.engine.status().state is EngineState.READY
    assert len(world.engine.launches) == 1


async def test_a_failure_is_typed_and_the_next_ready_tries_again(world: World) -> None:
    world.engine.failures.append(EngineDied(detail="no luck"))
    world.runtime.use("one")
    with pytest.raises(EngineDied, match="no luck"):
        await world.runtime.ready()
    assert world.runtime.status().state is EngineState.FAILED
    await world.runtime.ready()
    assert world.started == ["one", "one"]
    assert world.runtime.status().state is EngineState.READY


async def test_a_retry_that_fails_raises_its_own_failure(world: World) -> None:
    world.engine.failures += [EngineHung(), EngineDied(detail="boom")]
    with pytest.raises(EngineHung):
        await world.runtime.ready()
    with pytest.raises(EngineDied, match="boom"):
        await world.runtime.ready()


async def test_a_base_model_is_refused_before_anything_is_launched(world: World) -> None:
    world.runtime.use("zbase")
    with pytest.raises(NotAChatModel, match=r"zbase\.gguf"):
        await world.runtime.ready()
    assert world.engine.launches == []
    assert world.heard[-1].model == "zbase"
    assert world.heard[-1].failure == NotAChatModel(path="zbase.gguf").failure()


async def test_an_unknown_model_fails_under_the_name_it_was_asked_by(world: World) -> None:
    world.runtime.use("nothing")
    await world.until(lambda: world.runtime.status().state is EngineState.FAILED)
    failure = world.runtime.status().failure
    assert failure is not None
    assert failure.code == "model.unknown"
    assert world.runtime.status().model == "nothing"


async def test_a_choice_that_fails_names_itself_and_not_the_model_before(world: World) -> None:
    await world.runtime.ready()
    await world.runtime.use("nothing")
    assert world.runtime.status().model == "nothing"
    with pytest.raises(ModelUnknown):
        await world.runtime.ready()


async def test_an_engine_that_restarts_is_waited_for(world: World) -> None:
    await world.runtime.ready()
    world.engine.report(EngineState.WAITING, EngineDied(detail="gone"))
    waiting = asyncio.create_task(world.runtime.ready())
    await asyncio.sleep(0)
    assert not waiting.done()
    world.engine.report(EngineState.READY)
    await waiting
    assert world.started == ["one"]


async def test_an_engine_that_gives_up_is_said_to_whoever_waits(world: World) -> None:
    await world.runtime.ready()
    world.engine.report(EngineState.WAITING)
    waiting = asyncio.create_task(world.runtime.ready())
    await asyncio.sleep(0)
    world.engine.report(EngineState.FAILED, EngineDied(detail="for good"))
    with pytest.raises(EngineDied, match="for good"):
        await waiting


async def test_waiting_has_an_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READY_LIMIT_S", 0.05)
    world.engine.hold = asyncio.Event()
    with pytest.raises(EngineNotReady):
        await world.runtime.ready()
    await world.runtime.stop()


async def test_stop_during_a_load_ends_it_and_whoever_waits(world: World) -> None:
    world.engine.hold = asyncio.Event()
    loading = world.runtime.use("one")
    await world.until(lambda: bool(world.engine.launches))
    waiting = asyncio.create_task(world.runtime.ready())
    await asyncio.sleep(0)
    await world.runtime.stop()
    assert loading.cancelled()
    with pytest.raises(EngineStopped):
        await waiting
    assert world.engine.status().state is EngineState.STOPPED


async def test_a_scripted_model_needs_no_engine(world: World) -> None:
    world.runtime.use(f"scripted:{world.folder / 'rules.json'}")
    await world.runtime.ready()
    assert world.runtime.client().name() == "scripted"
    assert world.engine.launches == []
    assert world.runtime.status().pid is None
    assert await world.runtime.context_window() == 0
    assert await world.runtime.settle()
    assert world.runtime.lend() is None


async def test_another_model_ends_the_engine_of_the_one_before(world: World) -> None:
    await world.runtime.ready()
    stops = world.engine.stops
    world.runtime.use(f"scripted:{world.folder / 'rules.json'}")
    await world.runtime.ready()
    assert world.engine.stops == stops + 1
    assert world.runtime.status().state is EngineState.READY


async def test_bad_rules_are_a_failure(world: World) -> None:
    (world.folder / "rules.json").write_text("{}", "utf-8")
    world.runtime.use(f"scripted:{world.folder / 'rules.json'}")
    await world.until(lambda: world.runtime.status().state is EngineState.FAILED)
    failure = world.runtime.status().failure
    assert failure is not None
    assert failure.code == "config.value"


async def test_a_remote_model_is_reached_where_it_runs(folder: Path) -> None:
    world = World(folder, remote=("big", SERVER))
    world.runtime.use()
    await world.runtime.ready()
    assert world.runtime.status() == EngineStatus(EngineState.READY, "big")
    assert world.engine.launches == []
    assert world.runtime.client().name() == "llamacpp"
    with pytest.raises(ProviderUnavailable):
        await world.runtime.context_window()
    assert world.runtime.lend() is None


async def test_a_scripted_model_outranks_a_remote_one(folder: Path) -> None:
    world = World(folder, remote=("big", SERVER))
    world.runtime.use(f"scripted:{folder / 'rules.json'}")
    await world.runtime.ready()
    assert world.runtime.client().name() == "scripted"


async def test_only_a_ready_engine_of_our_own_is_lent(world: World) -> None:
    assert world.runtime.lend() is None
    await world.runtime.ready()
    assert world.runtime.lend() == ("one", ENDPOINT)
    world.engine.report(EngineState.SUSPECT)
    assert world.runtime.lend() is None


async def test_an_engine_that_has_just_ended_is_not_lent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended() -> Endpoint:
        raise EngineStopped

    await world.runtime.ready()
    monkeypatch.setattr(world.engine, "endpoint", ended)
    assert world.runtime.lend() is None


async def test_settling_waits_until_the_slot_is_idle(world: World) -> None:
    await world.runtime.ready()
    world.idle = False
    settling = asyncio.create_task(world.runtime.settle())
    await asyncio.sleep(2 * module.IDLE_STEP_S)
    assert not settling.done()
    world.idle = True
    assert await settling
    assert world.engine.suspects == 0


@pytest.mark.parametrize("idle", [False, None, ProviderUnavailable(detail="no answer")])
async def test_an_engine_that_does_not_come_to_rest_is_suspected(
    world: World, monkeypatch: pytest.MonkeyPatch, idle: bool | Exception | None
) -> None:
    monkeypatch.setattr(module, "IDLE_LIMIT_S", 0.05)
    await world.runtime.ready()
    world.idle = idle
    assert not await world.runtime.settle()
    assert world.engine.suspects == 1


async def test_a_silent_stream_has_the_engine_looked_at(world: World) -> None:
    await world.runtime.ready()
    world.runtime.suspect()
    assert world.engine.suspects == 1


async def test_nothing_is_suspected_where_nothing_runs(world: World) -> None:
    world.runtime.suspect()
    assert await world.runtime.settle()
    assert world.engine.suspects == 0
    with pytest.raises(EngineStopped):
        world.runtime.client()


async def test_what_nobody_foresaw_is_a_failure_and_not_loading_for_ever(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> None:
        raise ValueError("unforeseen")

    monkeypatch.setattr(world.engine, "start", broken)
    with pytest.raises(ValueError, match="unforeseen"):
        await world.runtime.use("one")
    await world.until(lambda: world.runtime.status().state is EngineState.FAILED)
    failure = world.runtime.status().failure
    assert failure is not None
    assert "unforeseen" in failure.params["detail"]
