from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.launch import Rung
from rony_desktop.contract.model import ModelMetadata
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.model.ladder import KIND, lower, recalled, remember
from rony_desktop.model.planner import ModelPlanner
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import card, machine, model

GIB = 1 << 30
RUNGS = (Rung.SMALLER_CACHE, Rung.HALF_CONTEXT)
WANTED = Wanted(n_ctx=4096, cache_type_k="q8_0", cache_type_v="q8_0")
PLANNER = ModelPlanner(LlamaConfig())


def sample(width: int = 64) -> ModelMetadata:
    return replace(model(), key_length=width, value_length=width, context_length=16384)


def steps(source: ModelMetadata, plan: PlanResult, wanted: Wanted) -> list[tuple[Rung, PlanResult]]:
    found: list[tuple[Rung, PlanResult]] = []
    while step := lower(plan, source, wanted):
        rung, wanted = step
        plan = PLANNER.plan(source, machine(gpus=(card(),)), wanted)
        found.append((rung, plan))
        assert len(found) < 40
    return found


def test_the_steps_come_in_order_and_each_takes_less() -> None:
    source, wanted = sample(), Wanted(parallel=1, gpu_layers=3)
    plan = PLANNER.plan(source, machine(gpus=(card(),)), wanted)
    found = steps(source, plan, wanted)
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
