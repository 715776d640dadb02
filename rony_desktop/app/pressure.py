"""Whether memory was short when an engine was killed: samples are taken as it is checked."""

from __future__ import annotations

import time
from collections.abc import Callable

from rony_desktop.contract.error import EngineKilled, RonyError
from rony_desktop.contract.model import Sample
from rony_desktop.contract.port import Monitor
from rony_desktop.log import EventTag, log_event
from rony_desktop.model.pressure import ran_short


class PressureWatch:
    """Rides on the health checks of an engine: it has no timer of its own."""

    def __init__(
        self, monitor: Monitor, reserve_mb: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._monitor = monitor
        self._reserve_mb = reserve_mb
        self._clock = clock
        self._last: Sample | None = None
        self._killed_at: float | None = None

    def beat(self) -> None:
        """Take a sample; in the thread of the health check."""
        self._last = self._monitor.sample()

    def again(self, cause: RonyError) -> bool:
        """Whether an engine that ended is started as it was: not where memory was short."""
        if not isinstance(cause, EngineKilled):
            return True
        now, before = self._clock(), self._killed_at
        since_s = None if before is None else now - before
        self._killed_at = now
        last, after = self._last, self._monitor.sample()
        short = ran_short(last, after, since_s, self._reserve_mb)
        detail = f"killed, memory short: {short} ({last}, then {after}, {since_s} s since the last)"
        log_event(EventTag.SUPERVISOR_RESTART, detail=detail)
        return not short
