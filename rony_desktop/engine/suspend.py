"""Notices that the computer slept, by clocks that went on while others stood still."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

# Clocks are read one after the other; a busy machine reads the second one late.
LEAST_S = 1.0
# Where no clock tells: a check that comes so much later than it should was slept through.
LATE_S = 15.0


def asleep_s() -> float | None:
    """Seconds the computer has slept since it was started; None where no clock tells.

    Linux: clock_gettime(2), CLOCK_BOOTTIME goes on in sleep and CLOCK_MONOTONIC does not.
    """
    if sys.platform != "linux":
        return None
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()


class Suspension:
    """Asked once every interval_s whether the computer slept since it was asked before."""

    def __init__(
        self,
        interval_s: float,
        asleep: Callable[[], float | None] = asleep_s,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._late_s = interval_s + LATE_S
        self._asleep = asleep
        self._wall = wall
        self._before = asleep(), wall()

    def noticed(self) -> bool:
        """Whether it slept; a clock that was set forward looks like sleep where none tells."""
        (slept_before, wall_before), now = self._before, (self._asleep(), self._wall())
        self._before = slept, wall = now
        if slept is not None and slept_before is not None:
            return slept - slept_before > LEAST_S
        return wall - wall_before > self._late_s
