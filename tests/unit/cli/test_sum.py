from __future__ import annotations

from dataclasses import replace

from rony_desktop.cli.sum import memory
from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.plan import Memory, Wanted
from rony_desktop.model.planner import ModelPlanner
from tests.fixture.speed import card, machine, model

GIB = 1 << 30


def test_what_is_needed_and_what_there_is_stand_line_by_line() -> None:
    lines = list(memory(ModelPlanner(LlamaConfig()).plan(model(), machine())))
    names = [line.strip().rsplit("  ", 1)[0].strip() for line in lines]
    for name in ("keys and values of the context", "together", "free now", "may be used"):
        assert name in names
    assert names.index("together") < names.index("free now") < names.index("may be used")


def test_a_device_has_lines_of_its_own() -> None:
    plan = ModelPlanner(LlamaConfig()).plan(model(), machine(gpus=(card(),)), Wanted(gpu_layers=2))
    assert any("free on the GPU" in line for line in memory(plan))
    missing = replace(plan, vram=None)
    assert any("not there" in line for line in memory(missing))
    shared = replace(plan, vram=Memory(4 * GIB), shared=True)
    assert any("of the memory below" in line for line in memory(shared))
