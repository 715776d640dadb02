"""Ends work that blocks in a thread from another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Halted(Exception):
    """Work ended because its Halt said so."""


class Halt:
    """A request to stop: asked between steps, waited on, and told to what waits elsewhere."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._calls: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Ask the work to stop; returns at once, and may be called again."""
        with self._lock:
            self._asked.set()
            calls = tuple(self._calls)
        for call in calls:
            call()

    def check(self) -> None:
        """Go on, or raise Halted where stop() was called."""
        if self._asked.is_set():
            raise Halted

    def wait(self, seconds: float) -> None:
        """Wait this long, or raise Halted as soon as stop() is called."""
        self._asked.wait(seconds)
        self.check()

    @contextmanager
    def telling(self, call: Callable[[], None]) -> Iterator[None]:
        """Have stop() call this from its own thread while the block runs.

        Raises:
            Halted: stop() was called before.
        """
        with self._lock:
            self.check()
            self._calls.append(call)
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(call)
