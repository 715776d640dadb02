"""How patient a supervisor is, and how long it waits between two starts."""

from __future__ import annotations

from dataclasses import dataclass

from rony_desktop.engine.child import GRACE_S
from rony_desktop.engine.health import PATIENCE_S


@dataclass(frozen=True, slots=True)
class Timing:
    """How patient a supervisor is; seconds, and counts in a row."""

    interval_s: float = 5.0
    check_timeout_s: float = 1.5
    # Shorter while in doubt, so that three failures and a new start take less than 10 s.
    suspect_interval_s: float = 0.25
    suspect_timeout_s: float = 0.6
    patience_s: float = PATIENCE_S
    failed_checks: int = 3
    failed_starts: int = 5
    killed_starts: int = 2
    start_deadline_s: float = 300.0
    back_off_s: float = 1.0
    back_off_limit_s: float = 30.0
    healthy_s: float = 60.0
    grace_s: float = GRACE_S


class BackOff:
    """Doubles its delay with each call, up to a limit, until it is reset."""

    def __init__(self, first_s: float, limit_s: float) -> None:
        self._first_s = first_s
        self._limit_s = limit_s
        self.reset()

    def reset(self) -> None:
        """Begin again with the first delay."""
        self._next_s = self._first_s

    def next_s(self) -> float:
        """The delay before the next start, in seconds."""
        delay = self._next_s
        self._next_s = min(delay * 2, self._limit_s)
        return delay
