"""An Engine that starts nothing; for tests of the runtime."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus, Launch
from rony_desktop.contract.error import EngineError, EngineStopped

ENDPOINT = Endpoint("http://engine", key="secret-of-the-engine")
PID = 4711


class FakeEngine:
    """Becomes ready at once, unless told otherwise; told hears of every status, as on_change does.

    failures are raised by the next starts. hold, where set, is awaited by a start. launches are the
    starts so far, suspects and stops count calls.
    """

    def __init__(self) -> None:
        self.told: Callable[[EngineStatus], None] = lambda _: None
        self.failures: list[EngineError] = []
        self.hold: asyncio.Event | None = None
        self.launches: list[Launch] = []
        self.suspects = 0
        self.stops = 0
        self._status = EngineStatus()

    async def start(self, launch: Launch) -> None:
        self.launches.append(launch)
        self.report(EngineState.LOADING)
        if self.hold:
            await self.hold.wait()
        if self.failures:
            error = self.failures.pop(0)
            self.report(EngineState.FAILED, error)
            raise error
        self.report(EngineState.READY)

    async def stop(self) -> None:
        self.stops += 1
        if self._status.state is not EngineState.STOPPED:
            self.report(EngineState.STOPPED)

    def suspect(self) -> None:
        self.suspects += 1

    def status(self) -> EngineStatus:
        return self._status

    def endpoint(self) -> Endpoint:
        if self._status.state is not EngineState.READY:
            raise EngineStopped()
        return ENDPOINT

    def report(self, state: EngineState, error: EngineError | None = None) -> None:
        """Change the status, as a real engine does by itself."""
        alive = state in (EngineState.LOADING, EngineState.READY, EngineState.SUSPECT)
        self._status = EngineStatus(
            state,
            model=self.launches[-1].alias if self.launches else "",
            pid=PID if alive else None,
            failure=error.failure() if error else None,
        )
        self.told(self._status)
