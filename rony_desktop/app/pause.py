"""A load of a model that waits while its engine makes room for another."""

from __future__ import annotations

import asyncio


class Pause:
    """A load that waits, once the engine before it is gone, until it is told to go on."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()

    async def last(self) -> None:
        """Say that the engine is gone, and wait."""
        self.begun.set()
        await self.ended.wait()
