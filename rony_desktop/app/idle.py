"""Stops an engine nobody asked anything for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Idle:
    """One timer, which runs only while an engine is ready and nobody uses it.

    over is called on the loop when after_s seconds have passed; 0 is never.
    """

    def __init__(self, after_s: float, over: Callable[[], None]) -> None:
        self._after_s = after_s
        self._over = over
        self._users = 0
        self._ready = False
        self._timer: asyncio.TimerHandle | None = None

    @property
    def in_use(self) -> bool:
        """Whether an answer is being made, the wait for the user's word within it included."""
        return self._users > 0

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Keep the engine while the block lasts; time counts anew from its end."""
        self._users += 1
        self._disarm()
        try:
            yield
        finally:
            self._users -= 1
            self._arm()

    def set_ready(self, ready: bool) -> None:
        """Say whether there is an engine that could be stopped; that it is begins the time."""
        if ready != self._ready:
            self._ready = ready
            self._disarm()
            self._arm()

    def again(self) -> None:
        """Count the time anew."""
        self._disarm()
        self._arm()

    def _arm(self) -> None:
        if self._after_s and self._ready and not self._users:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._after_s, self._over)

    def _disarm(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
