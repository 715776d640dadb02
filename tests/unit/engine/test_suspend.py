"""A sleep is noticed by clocks that went on, once."""

from __future__ import annotations

import sys
import time

import pytest

from rony_desktop.engine.suspend import LATE_S, Suspension, asleep_s

INTERVAL_S = 5.0


class Clocks:
    """Time as a test wants it: of the wall, and slept through where the system tells."""

    def __init__(self, slept: float | None) -> None:
        self.wall = 1000.0
        self.slept = slept
        self.suspension = Suspension(INTERVAL_S, lambda: self.slept, lambda: self.wall)


@pytest.mark.parametrize("slept", [0.000001, 3600.0])
def test_the_clock_that_counts_sleep_tells(slept: float) -> None:
    clocks = Clocks(slept)
    clocks.wall += INTERVAL_S
    assert not clocks.suspension.noticed()
    clocks.slept = slept + 30
    assert clocks.suspension.noticed()
    assert not clocks.suspension.noticed(), "told once"


def test_a_check_that_is_late_was_not_slept_through_where_a_clock_tells() -> None:
    clocks = Clocks(10.0)
    clocks.wall += 600
    assert not clocks.suspension.noticed()


def test_elsewhere_a_check_that_comes_far_too_late_was_slept_through() -> None:
    clocks = Clocks(None)
    clocks.wall += INTERVAL_S + LATE_S
    assert not clocks.suspension.noticed()
    clocks.wall += INTERVAL_S + LATE_S + 1
    assert clocks.suspension.noticed()
    clocks.wall -= 600
    assert not clocks.suspension.noticed(), "set back by hand"


@pytest.mark.skipif(sys.platform != "linux", reason="a clock of Linux")
def test_linux_counts_sleep() -> None:
    first = asleep_s()
    assert first is not None
    assert first >= -0.1
    time.sleep(0.01)
    assert asleep_s() == pytest.approx(first, abs=0.005)
