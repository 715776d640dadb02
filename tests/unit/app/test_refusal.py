from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.refusal import lowered, too_large
from rony_desktop.contract.launch import PlannedLaunch, Rung
from rony_desktop.contract.model import Share
from rony_desktop.contract.plan import Memory
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf
from tests.fixture.launch import launches_of

GB = 1 << 30


@pytest.fixture
async def planned(tmp_path: Path) -> PlannedLaunch:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    return await launches_of(FakeRecordStore()).prepared(path)


def test_what_is_short_of_the_computers_memory_is_said(planned: PlannedLaunch) -> None:
    ram = replace(planned.plan.ram, free_bytes=0, again_bytes=0)
    error = too_large(replace(planned, plan=replace(planned.plan, ram=ram)))
    assert error.params["room"] == "0 MB"
    assert "tiny.gguf needs" in str(error)


def test_what_is_short_of_the_devices_memory_is_said(planned: PlannedLaunch) -> None:
    estimate = replace(planned.plan.estimate, device=Share(weights_bytes=7 * GB))
    plan = replace(planned.plan, estimate=estimate, vram=Memory(4 * GB))
    assert too_large(replace(planned, plan=plan)).params["need"] == "7.0 GB"


@pytest.mark.parametrize(
    ("rungs", "words"),
    [
        ((Rung.SMALLER_CACHE,), "KV q8_0"),
        ((Rung.SMALLER_CACHE, Rung.HALF_CONTEXT), "2048 tokens"),
        ((Rung.FEWER_LAYERS,), "GPU 4"),
        ((Rung.SMALLER_FILE,), "tiny.gguf"),
    ],
)
def test_a_notice_says_what_is_less(
    planned: PlannedLaunch, rungs: tuple[Rung, ...], words: str
) -> None:
    launch = replace(planned.launch, n_ctx=2048, cache_type_k="q8_0", gpu_layers=4)
    failure = lowered(Path("big.gguf"), replace(planned, launch=launch, rungs=rungs))
    assert failure.params["model"] == "big.gguf"
    assert words in failure.params["changes"]
