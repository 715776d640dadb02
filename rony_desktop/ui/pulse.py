"""Lets what changes all the time be shown a few times a second."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PAUSE_S = 0.25


class Pulse:
    """Calls show at once where it did not lately, else once the pause is over."""

    def __init__(self, show: Callable[[], None], pause_s: float = PAUSE_S) -> None:
        self._show = show
        self._pause_s = pause_s
        self._last = float("-inf")
        self._due: asyncio.TimerHandle | None = None

    def ask(self) -> None:
        """There is something new. Call it on the loop's thread."""
        if self._due is not None:
            return
        loop = asyncio.get_running_loop()
        wait = self._last + self._pause_s - loop.time()
        if wait <= 0:
            self._beat()
        else:
            self._due = loop.call_later(wait, self._beat)

    def stop(self) -> None:
        """Show nothing that was asked for."""
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _beat(self) -> None:
        self._due = None
        self._last = asyncio.get_running_loop().time()
        self._show()
