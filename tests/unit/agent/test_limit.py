"""Limits: what counts, and which of them ends a turn."""

from __future__ import annotations

import pytest

from rony_desktop.agent.limit import Limit, Limits
from rony_desktop.contract.config import Config
from rony_desktop.contract.llm import StopReason

LIMITS = Limits(
    max_iterations=2,
    max_steps=5,
    max_tokens_per_session=100,
    turn_timeout_s=10,
    max_parse_errors=2,
)


def test_a_turn_that_takes_too_long_ends() -> None:
    now = [0.0]
    limit = Limit(LIMITS, clock=lambda: now[0])
    now[0] = 4.0
    assert (limit.elapsed_s, limit.remaining_s) == (4.0, 6.0)
    assert limit.next_step() is None
    now[0] = 11.0
    assert limit.remaining_s == 0.0
    assert limit.next_step() is StopReason.TIMEOUT


def test_waiting_counts_to_no_limit_but_the_tools_own_time_does() -> None:
    now = [0.0]
    limit = Limit(LIMITS, clock=lambda: now[0])
    now[0] = 2.0
    with limit.paused():
        now[0] = 3600.0
        assert limit.elapsed_s == 2.0
    now[0] += 1.0
    assert limit.elapsed_s == 3.0
    limit.add_time(6.5)
    assert limit.remaining_s == 0.5
    with pytest.raises(KeyError), limit.paused():
        raise KeyError
    now[0] += 0.5
    assert limit.next_step() is StopReason.TIMEOUT


def test_each_limit_has_its_own_reason() -> None:
    limit = Limit(LIMITS)
    assert limit.next_step() is None
    assert limit.next_step() is None
    assert limit.next_step() is StopReason.MAX_ITERATIONS
    assert Limit(LIMITS, used_tokens=100).next_step() is StopReason.TOKEN_CAP


def test_parse_errors_count_only_in_a_row() -> None:
    limit = Limit(LIMITS)
    assert limit.read(well=False) is None
    assert limit.read(well=True) is None
    assert limit.parse_errors == 0
    assert limit.read(well=False) is None
    assert limit.read(well=False) is StopReason.PARSE_ERRORS


def test_defaults_are_the_seeds() -> None:
    limits = Limits.of(Config().limits, Config().app)
    assert limits == Limits(50, 20, 1_000_000, 600.0, 5)
