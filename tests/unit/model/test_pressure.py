"""Whether memory was short when an engine was killed, by the samples around its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.model import Sample
from rony_desktop.model.pressure import (
    REPEATED_S,
    STALL_PERCENT,
    floor_bytes,
    ran_short,
    runs_short,
)

GIB = 1 << 30
RESERVE_MB = 4096
PLENTY = Sample(16 * GIB, 8 * GIB, stall=0.0, kills=3)
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
    ("before", "after", "since_s", "short"),
    [
        (PLENTY, PLENTY, None, False),
        (None, PLENTY, None, False),
        (SCARCE, PLENTY, None, True),
        # Once it is gone its memory is free: only what was before tells, or what goes on.
        (PLENTY, SCARCE, None, False),
        (PLENTY, replace(PLENTY, stall=40.0), None, True),
        (PLENTY, replace(PLENTY, kills=4), None, True),
        (PLENTY, replace(PLENTY, kills=None), None, False),
        (replace(PLENTY, kills=None), PLENTY, None, False),
        (PLENTY, PLENTY, REPEATED_S, True),
        (PLENTY, PLENTY, REPEATED_S + 1, False),
    ],
)
def test_a_kill_is_memorys_where_a_sign_says_so_or_it_repeats(
    before: Sample | None, after: Sample, since_s: float | None, short: bool
) -> None:
    assert ran_short(before, after, since_s, RESERVE_MB) is short
