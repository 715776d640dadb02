"""The limits of one turn, and the stop reason each of them names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rony_desktop.contract.config import AppConfig, LimitConfig
from rony_desktop.contract.llm import StopReason


@dataclass(frozen=True, slots=True)
class Limits:
    """What a turn may use. Steps are model requests; the smaller of the two counts wins.

    max_parse_errors are replies in a row that cannot be read.
    """

    max_iterations: int
    max_steps: int
    max_tokens_per_session: int
    turn_timeout_s: float
    max_parse_errors: int

    @classmethod
    def of(cls, limits: LimitConfig, app: AppConfig) -> Limits:
        """The limits a configuration sets."""
        return cls(
            limits.max_iterations,
            app.max_steps,
            limits.max_tokens_per_session,
            limits.turn_timeout_s,
            app.max_parse_errors,
        )


class Limit:
    """Counts one turn. Waiting for the user counts to nothing: pause it, and add tools' own time.

    parse_errors are the replies that could not be read since the last one that could.
    """

    def __init__(
        self, limits: Limits, used_tokens: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits
        self._tokens = used_tokens
        self._clock = clock
        self._worked = 0.0
        self._since: float | None = clock()
        self.iterations = 0
        self.parse_errors = 0

    @property
    def elapsed_s(self) -> float:
        """Seconds this turn has worked."""
        running = 0.0 if self._since is None else self._clock() - self._since
        return self._worked + running

    @property
    def remaining_s(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self._limits.turn_timeout_s - self.elapsed_s)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Let time pass that does not count; not nested."""
        self._worked, self._since = self.elapsed_s, None
        try:
            yield
        finally:
            self._since = self._clock()

    def add_time(self, seconds: float) -> None:
        """Count time that passed while the limit was paused."""
        self._worked += seconds

    def add_tokens(self, tokens: int) -> None:
        """Count what a request consumed."""
        self._tokens += tokens

    def read(self, *, well: bool) -> StopReason | None:
        """Count a reply with calls that could be read, or could not; name the limit it reaches."""
        self.parse_errors = 0 if well else self.parse_errors + 1
        over = self.parse_errors >= self._limits.max_parse_errors
        return StopReason.PARSE_ERRORS if over else None

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
