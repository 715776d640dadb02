"""The limits of one turn, and the stop reason each of them names."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from rony_desktop.contract.config import AppConfig, LimitConfig
from rony_desktop.contract.llm import StopReason


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use. Steps are model requests; the smaller of the two counts wins."""

    max_iterations: int
    max_steps: int
    max_tokens_per_session: int
    turn_timeout_s: float

    @classmethod
    def of(cls, limits: LimitConfig, app: AppConfig) -> Limits:
        """The limits a configuration sets."""
        return cls(
            limits.max_iterations,
            app.max_steps,
            limits.max_tokens_per_session,
            limits.turn_timeout_s,
        )


class Limit:
    """Counts one turn."""

    def __init__(
        self, limits: Limits, used_tokens: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits
        self._tokens = used_tokens
        self._clock = clock
        self._started = clock()
        self.iterations = 0

    @property
    def elapsed_s(self) -> float:
        """Seconds this turn has worked."""
        return self._clock() - self._started

    @property
    def remaining_s(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self._limits.turn_timeout_s - self.elapsed_s)

    def add_tokens(self, tokens: int) -> None:
        """Count what a request consumed."""
        self._tokens += tokens

    def next_step(self) -> StopReason | None:
        """Count one more request, or name the limit that forbids it."""
        limits = self._limits
        if self.iterations >= min(limits.max_iterations, limits.max_steps):
            hard = limits.max_iterations <= limits.max_steps
            return StopReason.MAX_ITERATIONS if hard else StopReason.MAX_STEPS
        if self._tokens >= limits.max_tokens_per_session:
            return StopReason.TOKEN_CAP
        if not self.remaining_s:
            return StopReason.TIMEOUT
        self.iterations += 1
        return None
