"""Writes a growing file through to the disk beside the work, so that its end need not wait."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from types import TracebackType

STEP_BYTES = 16 * 1024 * 1024


class Flush:
    """Writes through after every STEP_BYTES it is told of; use it as a context.

    What a power cut leaves of a download is then all but the last of it. The caller owns the file
    and writes it through once more at its end, where an error is raised.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting = 0
        self._due = threading.Event()
        self._over = False
        self._thread = threading.Thread(target=self._work, name="flush", daemon=True)

    def __enter__(self) -> Flush:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over = True
        self._due.set()
        self._thread.join()

    def wrote(self, count: int) -> None:
        """Count bytes that were written."""
        self._waiting += count
        if self._waiting >= STEP_BYTES:
            self._waiting = 0
            self._due.set()

    def _work(self) -> None:
        while self._due.wait() and not self._over:
            self._due.clear()
            with suppress(OSError):
                os.fsync(self._descriptor)
