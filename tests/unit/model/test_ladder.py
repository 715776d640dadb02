from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.launch import Rung
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.ladder import KIND, lower, recalled, remember
from rony_desktop.model.planner import ModelPlanner
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import card, machine, model
from tests.fixture.twin import write_twin

GIB = 1 << 30
RUNGS = (Rung.SMALLER_CACHE, Rung.HALF_CONTEXT)
WANTED = Wanted(n_ctx=4096, cache_type_k="q8_0", cache_type_v="q8_0")
PLANNER = ModelPlanner(LlamaConfig())


def sample(width: int = 64) -> ModelMetadata:
    return replace(model(), key_length=width, value_length=width, context_length=16384)


def with_card(gib: int = 8) -> Machine:
    gpu = replace(card(), total_bytes=gib * GIB, free_bytes=gib * GIB)
    return machine(gpus=(gpu,), ram_bytes=64 * GIB, ram_free_bytes=60 * GIB)


def steps(
    source: ModelMetadata, plan: PlanResult, wanted: Wanted, here: Machine
) -> list[tuple[Rung, PlanResult]]:
    found: list[tuple[Rung, PlanResult]] = []
    while step := lower(plan, source, wanted):
        rung, wanted = step
        plan = PLANNER.plan(source, here, wanted)
        found.append((rung, plan))
        assert len(found) < 40
    return found


def test_the_steps_come_in_order_and_each_takes_less() -> None:
    source, wanted = sample(), Wanted(parallel=1, gpu_layers=3)
    plan = PLANNER.plan(source, with_card(), wanted)
    found = steps(source, plan, wanted, with_card())
    rungs = [rung for rung, _ in found]
    order = list(Rung)
    assert rungs == sorted(rungs, key=order.index)
    assert set(rungs) == {Rung.SMALLER_CACHE, Rung.HALF_CONTEXT, Rung.FEWER_LAYERS}
    needs = [plan, *(each for _, each in found)]
    for before, after in itertools.pairwise(needs):
        same = after.launch.gpu_layers == before.launch.gpu_layers
        if same:
            assert after.estimate.held_bytes < before.estimate.held_bytes
        else:
            assert after.estimate.device.total_bytes < before.estimate.device.total_bytes
    assert found[-1][1].launch.n_ctx == 2048
    assert found[-1][1].launch.gpu_layers == 0


def test_experts_do_not_move_into_what_a_step_freed_on_the_device(tmp_path: Path) -> None:
    source = GgufMetadataReader().read(write_twin("qwen3-30b-a3b", tmp_path / "m.gguf"))
    wanted, here = Wanted(parallel=1), with_card(6)
    plan = PLANNER.plan(source, here, wanted)
    assert plan.launch.n_cpu_moe
    found = [plan, *(each for _, each in steps(source, plan, wanted, here))]
    on_device = [each.estimate.device.total_bytes for each in found]
    assert all(after < before for before, after in itertools.pairwise(on_device))
    # Without a layer on the device, none has its experts elsewhere.
    assert (found[-1].launch.gpu_layers, found[-1].launch.n_cpu_moe) == (0, 0)


def test_a_batch_of_the_gpu_does_not_stay_where_the_processor_reads() -> None:
    source, here = replace(sample(), size_bytes=5 * GIB), with_card()
    wanted = Wanted(parallel=1)
    plan = PLANNER.plan(source, here, wanted)
    on_host = PLANNER.plan(source, here, replace(wanted, gpu_layers=0)).launch
    assert plan.launch.n_ubatch > on_host.n_ubatch
    last = steps(source, plan, wanted, here)[-1][1].launch
    assert last.gpu_layers == 0
    assert (last.n_batch, last.n_ubatch) == (on_host.n_batch, on_host.n_ubatch)


def test_a_batch_that_the_user_fixed_stays() -> None:
    source, wanted = sample(), Wanted(parallel=1, n_ubatch=256)
    plan = PLANNER.plan(source, with_card(), wanted)
    found = steps(source, plan, wanted, with_card())
    assert {each.launch.n_ubatch for _, each in found} == {256}


def test_a_cache_that_cannot_be_smaller_is_left_as_it_is() -> None:
    wanted = Wanted(parallel=1)
    for source in (sample(width=80), sample()):
        given = replace(wanted, cache_type_k="q4_0", cache_type_v="q4_0")
        chosen = wanted if source.key_length == 80 else given
        plan = PLANNER.plan(source, machine(), chosen)
        step = lower(plan, source, chosen)
        assert step is not None
        assert step[0] is Rung.HALF_CONTEXT
    off = replace(wanted, flash_attn="off")
    step = lower(PLANNER.plan(sample(), machine(), off), sample(), off)
    assert step is not None
    assert step[0] is Rung.HALF_CONTEXT


async def test_it_is_remembered_while_memory_is_as_short() -> None:
    records, run = FakeRecordStore(), (machine(), sample())
    assert await recalled(records, run, GIB) is None
    await remember(records, run, RUNGS, WANTED, GIB)
    assert await recalled(records, run, GIB) == (RUNGS, WANTED)
    assert await recalled(records, run, GIB // 2) == (RUNGS, WANTED)
    assert await recalled(records, run, 2 * GIB) is None
    other = replace(sample(), size_bytes=1)
    assert await recalled(records, (machine(), other), GIB) is None


@pytest.mark.parametrize("name", ["rungs", "wanted", "room_bytes"])
@given(value=st.one_of(st.none(), st.text(max_size=4), st.lists(st.text(max_size=4)), st.floats()))
async def test_a_spoiled_record_says_nothing(name: str, value: object) -> None:
    records, run = FakeRecordStore(), (machine(), sample())
    await remember(records, run, RUNGS, WANTED, GIB)
    (key,) = records.kept[KIND]
    records.kept[KIND][key][name] = value
    assert await recalled(records, run, GIB) is None
