"""Ends an engine that takes more memory than its model can need."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rony_desktop.contract.port import Engine
from rony_desktop.engine.monitor import held_bytes

STEP_S = 0.2


class Ceiling:
    """How much an engine may hold, in bytes; broken once it held more and was ended for it."""

    def __init__(self, engine: Engine, limit_bytes: int) -> None:
        self.limit_bytes = limit_bytes
        self.broken = False
        self._engine = engine

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
