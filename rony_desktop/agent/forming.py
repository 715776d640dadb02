"""A call that is being written, told often enough to be seen and no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from rony_desktop.contract.event import CallForming

EVERY_S = 0.1
EVERY_CHARACTERS = 2_000


@dataclass(slots=True)
class Forming:
    """Thins out the progress of one reply's calls."""

    clock: Callable[[], float] = time.monotonic
    _told: tuple[int, float] | None = field(default=None, init=False)

    def event(self, name: str, characters: int) -> CallForming | None:
        """The event, where enough time or enough characters lie behind the last one."""
        now = self.clock()
        if self._told:
            count, at = self._told
            if abs(characters - count) < EVERY_CHARACTERS and now - at < EVERY_S:
                return None
        self._told = characters, now
        return CallForming(name, characters)
