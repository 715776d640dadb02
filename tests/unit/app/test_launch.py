"""A launch as it will be: what is kept, tuned, lowered, and what the engine counts."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.launch import LaunchService
from rony_desktop.app.model import Models
from rony_desktop.contract.config import Config, OptimizationMode
from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.contract.error import ModelForeign, NotAChatModel, PlanError
from rony_desktop.contract.launch import Fit, Rung
from rony_desktop.contract.plan import Source, Wanted, Why
from rony_desktop.contract.speed import Basis
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.model.tuning import KIND as TUNING
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import LLAMA, gguf
from tests.fixture.launch import LABEL, ROOMY, Counting, Still, launches_of

GB = 1 << 30


class World:
    """The service over a folder with a model, a base model and a file that is none."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "tiny.gguf"
        self.file.write_bytes(gguf(ROOMY))
        plain = {key: value for key, value in LLAMA.items() if key != "tokenizer.chat_template"}
        (folder / "base.gguf").write_bytes(gguf(plain))
        (folder / "page.gguf").write_bytes(b"<html>no</html>")
        self.records = FakeRecordStore()
        self.devices = Counting()
        self.probe = Still(replace(HardwareProbe().detect(), gpus=()))
        self.models = Models(Config(), [folder])
        self.service: LaunchService = launches_of(
            self.records, probe=self.probe, devices=self.devices, models=self.models.list
        )


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_a_launch_is_planned_with_its_speed_and_every_flag_explained(world: World) -> None:
    planned = await world.service.planned(world.file)
    assert planned.plan.fits
    assert (planned.build, planned.launch.parallel) == (LABEL, 1)
    assert planned.speed is not None
    assert planned.speed.basis is Basis.PROBE
    assert {"-m", "-c", "-np"} <= {flag.option for flag in planned.flags}


async def test_what_comes_free_is_asked_beside_the_loop(world: World) -> None:
    asked_in: list[int] = []

    def held() -> tuple[int, int]:
        asked_in.append(threading.get_ident())
        return 0, 0

    world.service.held = held
    await world.service.planned(world.file)
    assert asked_in
    assert threading.get_ident() not in asked_in


async def test_a_model_that_is_not_here_is_planned_with_its_speed(world: World) -> None:
    model = GgufMetadataReader().read(world.file)
    world.file.unlink()
    planned = await world.service.foreseen(model)
    assert planned.plan.fits
    assert planned.speed is not None
    assert planned.speed.decode.value > 0


async def test_what_the_user_keeps_is_fixed_and_said_to_be_theirs(world: World) -> None:
    wanted = Wanted(n_ctx=512, mode=OptimizationMode.SMALL)
    await world.service.keep(world.file, wanted)
    assert await world.service.kept(world.file) == wanted
    planned = await world.service.planned(world.file)
    assert planned.launch.n_ctx == 512
    assert planned.reasons["n_ctx"].source is Source.KEPT
    assert planned.wanted == wanted


async def test_a_question_what_if_changes_nothing_that_is_kept(world: World) -> None:
    planned = await world.service.planned(world.file, Wanted(n_ctx=256))
    assert planned.launch.n_ctx == 256
    assert await world.service.kept(world.file) == Wanted()
    assert world.devices.launches == []


async def test_the_engine_is_asked_once_for_its_devices_by_questions(world: World) -> None:
    for n_ctx in (256, 512):
        await world.service.planned(world.file, Wanted(n_ctx=n_ctx))
    assert world.devices.looks == 1


async def test_what_tuning_found_is_used_and_said(world: World) -> None:
    first = await world.service.prepared(world.file)
    from rony_desktop.contract.speed import Tuning, Verdict
    from rony_desktop.model.tuning import remember

    found = replace(first.launch, threads=first.launch.threads + 1)
    tuning = Tuning(Verdict.FASTER, found, 0.1, 0.02, ())
    run = first.model, first.machine, first.build
    await remember(world.records, run, first.plan.launch, tuning)
    assert world.records.kept[TUNING]
    second = await world.service.prepared(world.file)
    assert second.launch == found
    assert second.reasons["threads"].source is Source.TUNED


async def test_the_engines_count_wins_where_it_is_larger(world: World) -> None:
    world.devices.says = Loaded(256, 0, 2, (Buffer("Host", 3 * GB, 0, 0),))
    planned = await world.service.prepared(world.file)
    assert planned.plan.estimate.held_bytes >= 3 * GB
    assert planned.reasons["estimate"].why is Why.ENGINE_SAYS
    world.probe.machine = replace(world.probe.machine, ram_free_bytes=2 * GB)
    assert not (await world.service.prepared(world.file)).plan.fits


async def test_a_count_that_agrees_changes_nothing(world: World) -> None:
    ours = (await world.service.prepared(world.file)).plan
    host = ours.estimate.host
    cache = host.kv_bytes + host.recurrent_bytes
    buffer = Buffer("Host", host.weights_bytes, cache, host.compute_bytes + host.output_bytes)
    world.devices.says = Loaded(ours.launch.n_ctx, 0, 2, (buffer,))
    assert (await world.service.prepared(world.file)).plan.estimate == ours.estimate


async def test_every_step_down_takes_less_and_the_last_is_none(world: World) -> None:
    tried = await world.service.prepared(world.file)
    steps = [tried]
    while below := await world.service.lowered(steps[-1]):
        steps.append(below)
        assert len(steps) < 30
    assert len(steps) > 1
    needs = [step.plan.estimate.held_bytes for step in steps]
    assert needs == sorted(needs, reverse=True)
    assert steps[1].rungs == (Rung.SMALLER_CACHE,)
    assert steps[1].reasons["cache_type_k"].source is Source.LOWERED


async def test_how_far_it_went_down_is_remembered_while_memory_is_as_short(world: World) -> None:
    tried = await world.service.prepared(world.file)
    below = await world.service.lowered(tried)
    assert below is not None
    await world.service.remember(world.file, below)
    again = await world.service.prepared(world.file)
    assert (again.launch, again.rungs) == (below.launch, below.rungs)
    assert again.reasons["cache_type_k"].source is Source.LOWERED
    machine = world.probe.machine
    world.probe.machine = replace(machine, ram_free_bytes=2 * machine.ram_free_bytes)
    assert (await world.service.prepared(world.file)).rungs == ()


async def test_a_file_that_is_no_model_to_chat_with_is_refused(world: World) -> None:
    with pytest.raises(NotAChatModel):
        await world.service.planned(world.file.with_name("base.gguf"))
    with pytest.raises(ModelForeign):
        await world.service.planned(world.file.with_name("page.gguf"))


async def test_a_contradiction_is_an_error_and_nothing_else(world: World) -> None:
    with pytest.raises(PlanError):
        await world.service.planned(world.file, Wanted(flash_attn="off", cache_type_v="q8_0"))
    assert (await world.service.planned(world.file)).plan.fits


async def test_every_model_is_offered_with_how_it_fits(world: World) -> None:
    found = {offer.model.id: offer async for offer in world.service.offers(world.models.list())}
    assert found["tiny"].fit in (Fit.FITS, Fit.SHORT)
    assert found["tiny"].decode is not None
    for name in ("base", "page"):
        assert found[name].fit is Fit.UNUSABLE
        assert found[name].failure is not None
