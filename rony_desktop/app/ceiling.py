"""Ends an engine that takes more memory than its model can need."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rony_desktop.contract.error import EngineStopped, ModelTemplate
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.port import Engine
from rony_desktop.contract.size import gb
from rony_desktop.engine.monitor import held_bytes

STEP_S = 0.2
# What an engine may take beyond its plan: drivers, and templates that are well meant.
SPARE_BYTES = 2 << 30


class Ceiling:
    """How much an engine may hold, in bytes; broken once it held more and was ended for it."""

    def __init__(self, engine: Engine, limit_bytes: int, file: str = "") -> None:
        self.limit_bytes = limit_bytes
        self.broken = False
        self._engine = engine
        self._file = file

    @classmethod
    def of(cls, engine: Engine, planned: PlannedLaunch) -> Ceiling:
        """That of a launch: what was planned for it, and something beyond."""
        estimate = planned.plan.estimate
        most = max(estimate.peak_bytes, estimate.held_bytes) + SPARE_BYTES
        return cls(engine, most, planned.model.path.name)

    def error(self) -> ModelTemplate:
        """Why it was ended: nothing else of a file can make a start take what it likes."""
        detail = f"with it the engine takes more than {gb(self.limit_bytes)} of memory"
        return ModelTemplate(path=self._file, detail=detail)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Look after the engine while the block lasts."""
        watching = asyncio.create_task(self._watch(), name="watch memory")
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.wait({watching})

    async def _watch(self) -> None:
        while not self.broken:
            pid = self._engine.status().pid
            if pid is not None and await asyncio.to_thread(held_bytes, pid) > self.limit_bytes:
                self.broken = True
                await self._engine.stop()
            await asyncio.sleep(STEP_S)


async def start_below(engine: Engine, planned: PlannedLaunch) -> None:
    """Start a launch and watch what it takes until it is ready.

    Raises:
        ModelTemplate: it took far more memory than the model can need.
        EngineError, ModelFileError: as the engine's start() does.
    """
    ceiling = Ceiling.of(engine, planned)
    async with ceiling.watched():
        try:
            await engine.start(planned.launch)
        except EngineStopped:
            if ceiling.broken:
                raise ceiling.error() from None
            raise
