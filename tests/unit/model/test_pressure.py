"""Whether memory was short when an engine was killed, by the samples around its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.model import Sample
from rony_desktop.model.pressure import (
    REPEATED_S,
    STALL_PERCENT,
    Death,
    Step,
    floor_bytes,
    runs_short,
    step_after,
)

GIB = 1 << 30
RESERVE_MB = 4096
PLENTY = Sample(16 * GIB, 8 * GIB, 5 * GIB, 2 * GIB, stall=0.0, kills=3)
SCARCE = replace(PLENTY, ram_free_bytes=GIB // 2)


def test_the_floor_is_the_smaller_of_the_reserve_and_a_twentieth() -> None:
    assert floor_bytes(16 * GIB, RESERVE_MB) == int(16 * GIB * 0.05)
    assert floor_bytes(16 * GIB, 100) == 100 << 20
    assert floor_bytes(16 * GIB, 0) == 0


@pytest.mark.parametrize(
    ("sample", "short"),
    [
        (PLENTY, False),
        (SCARCE, True),
        (replace(PLENTY, ram_free_bytes=floor_bytes(16 * GIB, RESERVE_MB)), False),
        (replace(PLENTY, stall=STALL_PERCENT), True),
        (replace(PLENTY, stall=STALL_PERCENT - 0.1), False),
        (replace(PLENTY, stall=None), False),
    ],
)
def test_memory_is_short_below_the_floor_or_where_programs_wait_for_it(
    sample: Sample, short: bool
) -> None:
    assert runs_short(sample, RESERVE_MB) is short


@pytest.mark.parametrize(
    ("death", "step"),
    [
        (Death(PLENTY, PLENTY), Step.SAME),
        (Death(None, PLENTY), Step.SAME),
        (Death(SCARCE, PLENTY), Step.LESS),
        # Once it is gone its memory is free: only what was before tells, or what goes on.
        (Death(PLENTY, SCARCE), Step.SAME),
        (Death(PLENTY, replace(PLENTY, stall=40.0)), Step.LESS),
        (Death(PLENTY, replace(PLENTY, kills=4)), Step.LESS),
        (Death(PLENTY, replace(PLENTY, kills=None)), Step.SAME),
        (Death(replace(PLENTY, kills=None), PLENTY), Step.SAME),
        (Death(PLENTY, PLENTY, since_last_s=REPEATED_S), Step.LESS),
        (Death(PLENTY, PLENTY, since_last_s=REPEATED_S + 1), Step.SAME),
    ],
)
def test_a_kill_is_memorys_where_a_sign_says_so_or_it_repeats(death: Death, step: Step) -> None:
    assert step_after(death, RESERVE_MB) is step
