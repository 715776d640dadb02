"""Limits: what counts, and which of them ends a turn."""

from __future__ import annotations

from rony_desktop.agent.limit import Limit, Limits
from rony_desktop.contract.config import Config
from rony_desktop.contract.llm import StopReason

LIMITS = Limits(max_iterations=2, max_steps=5, max_tokens_per_session=100, turn_timeout_s=10)


def test_a_turn_that_takes_too_long_ends() -> None:
    now = [0.0]
    limit = Limit(LIMITS, clock=lambda: now[0])
    now[0] = 4.0
    assert (limit.elapsed_s, limit.remaining_s) == (4.0, 6.0)
    assert limit.next_step() is None
    now[0] = 11.0
    assert limit.remaining_s == 0.0
    assert limit.next_step() is StopReason.TIMEOUT


def test_each_limit_has_its_own_reason() -> None:
    limit = Limit(LIMITS)
    assert limit.next_step() is None
    assert limit.next_step() is None
    assert limit.next_step() is StopReason.MAX_ITERATIONS
    assert Limit(LIMITS, used_tokens=100).next_step() is StopReason.TOKEN_CAP


def test_defaults_are_the_seeds() -> None:
    limits = Limits.of(Config().limits, Config().app)
    assert limits == Limits(50, 20, 1_000_000, 600.0)
