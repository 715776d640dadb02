"""Values of a plan: what memory is left, what is needed of it."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.model import Estimate, Share
from rony_desktop.contract.plan import MIB, Memory, PlanResult

LAUNCH = Launch(Path("m.gguf"), "m", 512, 64, 64, 1, 1, cache_ram_mb=256)
NEED = Estimate(
    host=Share(weights_bytes=10 * MIB),
    device=Share(weights_bytes=5 * MIB),
    repack_bytes=0,
    layout_bytes=0,
    peak_bytes=0,
    known=True,
)


def test_room_is_what_is_free_less_what_is_kept() -> None:
    assert Memory(100, 20, 30, 5).room_bytes == 85
    assert Memory(10, 0, 30, 5).room_bytes == 0


def test_the_cache_counts_and_shared_memory_counts_once() -> None:
    apart = PlanResult(
        launch=LAUNCH, estimate=NEED, ram=Memory(0), vram=Memory(0), shared=False, fits=True,
        reasons={},
    )  # fmt: skip
    assert apart.cache_ram_bytes == 256 * MIB
    assert apart.ram_needed_bytes == 266 * MIB
    assert dataclasses.replace(apart, shared=True).ram_needed_bytes == 271 * MIB
