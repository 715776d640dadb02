from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.contract.plan import Memory, Why
from rony_desktop.model.count import counted
from rony_desktop.model.planner import ModelPlanner
from tests.fixture.speed import machine, model

GIB = 1 << 30
PLAN = ModelPlanner(LlamaConfig()).plan(model(), machine())


@pytest.mark.parametrize(
    ("device", "host"),
    [
        ("Host", True), ("CPU", True), ("CPU_Mapped", True), ("CPU_REPACK", True), ("AMX", True),
        ("CUDA_Host", True), ("Vulkan0", False), ("CUDA1", False), ("Metal", False),
    ],
)  # fmt: skip
def test_the_engines_names_say_where_a_buffer_is(device: str, host: bool) -> None:
    assert Buffer(device).on_host is host


def test_a_row_of_the_own_layout_is_counted_once() -> None:
    loaded = Loaded(buffers=(Buffer("Host", 5, 6, 7), Buffer("CPU_REPACK", 100)))
    plan = counted(PLAN, loaded)
    assert plan.estimate.held_bytes == 118
    assert (plan.estimate.kv_bytes, plan.estimate.compute_bytes) == (6, 7)
    assert plan.reasons["estimate"].why is Why.ENGINE_SAYS


def test_a_layout_the_engine_left_out_is_added() -> None:
    assert PLAN.estimate.repack_bytes > 0
    plan = counted(PLAN, Loaded(buffers=(Buffer("Host", 5, 6, 7),)))
    added = PLAN.estimate.repack_bytes + PLAN.estimate.layout_bytes
    assert plan.estimate.held_bytes == 18 + added


def test_what_is_larger_than_was_thought_no_longer_fits() -> None:
    assert PLAN.fits
    assert not counted(PLAN, Loaded(buffers=(Buffer("Host", 100 * GIB),))).fits
    on_device = Loaded(buffers=(Buffer("Host", 1), Buffer("Vulkan0", 5 * GIB)))
    assert not counted(replace(PLAN, vram=Memory(4 * GIB)), on_device).fits
    assert counted(replace(PLAN, vram=Memory(6 * GIB)), on_device).fits
