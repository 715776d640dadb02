"""The check of a healthy engine, in a thread of its own: an idle program stays idle."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from types import TracebackType

from rony_desktop.contract.engine import Endpoint
from rony_desktop.engine.health import answers
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.suspend import Suspension


class Pulse:
    """Asks for an engine's health every interval_s; failed is done when it is not good any more.

    oversight's beat is called in that thread before each check, and once at the beginning. A
    context manager on the loop's thread. Waking a thread costs a fifth of what the loop's timers
    and callbacks do, and this is all that happens while nobody asks anything.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        interval_s: float,
        timeout_s: float,
        oversight: Oversight | None = None,
        suspension: Suspension | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._interval_s = interval_s
        self._timeout_s = timeout_s
        self._oversight = oversight or Oversight()
        self._suspension = suspension or Suspension(interval_s)
        self._loop = asyncio.get_running_loop()
        self._over = threading.Event()
        self.failed: asyncio.Future[None] = self._loop.create_future()

    def __enter__(self) -> Pulse:
        threading.Thread(target=self._run, name="engine health", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._over.set()
        self.failed.cancel()

    def _run(self) -> None:
        self._oversight.beat()
        while not self._over.wait(self._interval_s):
            self._oversight.beat()
            if self._suspension.noticed():
                self._tell(self._oversight.awake)
            if not answers(self._endpoint, self._timeout_s):
                self._tell(self._fail)
                return

    def _tell(self, what: Callable[[], None]) -> None:
        # The loop may be closed by now: then nobody waits for this any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(what)

    def _fail(self) -> None:
        if not self.failed.done():
            self.failed.set_result(None)
