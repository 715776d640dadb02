"""Waiting for something that must come true, with a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
STEP_S = 0.01


def until(condition: Callable[[], T | None], limit_s: float, what: str) -> T:
    """The first true value of condition; fails the test after limit_s seconds."""
    end = time.monotonic() + limit_s
    while not (found := condition()):
        assert time.monotonic() < end, f"not within {limit_s:g} s: {what}"
        time.sleep(STEP_S)
    return found
