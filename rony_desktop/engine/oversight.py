"""What is asked and told while an engine runs: whoever plans it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rony_desktop.contract.error import RonyError


def _nothing() -> None:
    pass


def _same_again(_cause: RonyError) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Oversight:
    """beat is called at each health check, in its thread; it must not touch the loop.

    again is called on the loop when an engine that was ready ended of itself: whether the same
    launch is to be started again. awake is called on the loop when the computer slept.
    """

    beat: Callable[[], None] = _nothing
    again: Callable[[RonyError], bool] = _same_again
    awake: Callable[[], None] = _nothing
