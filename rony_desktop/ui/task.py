"""The one door from widgets to asynchronous work."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Coroutine
from typing import Any

from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.log import EventTag, log_event


class Tasks:
    """Keeps what was started alive, and hands what fails to one place.

    The broad except is one of the four borders: nothing a task raises may end the window.
    """

    def __init__(self, failed: Callable[[Failure], None]) -> None:
        self._failed = failed
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, object], name: str) -> asyncio.Task[None]:
        """Start work on the loop; its errors become a Failure."""
        task = asyncio.create_task(self._guard(work), name=name)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        # Work that is cancelled before its first step would complain that nobody awaited it.
        task.add_done_callback(lambda _: work.close())
        return task

    async def close(self) -> None:
        """Cancel what still runs and wait for its end."""
        running = tuple(self._running)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    async def _guard(self, work: Coroutine[Any, Any, object]) -> None:
        try:
            await work
        except RonyError as error:
            log_event(EventTag.ERROR_STACKTRACE, logging.INFO, detail=str(error))
            self._failed(error.failure())
        except Exception as error:
            log_event(EventTag.ERROR_STACKTRACE, logging.ERROR, detail=traceback.format_exc())
            self._failed(RonyError(detail=repr(error)).failure())
