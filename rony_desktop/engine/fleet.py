"""Every engine of the program, one for each role: chat, tune, check, and what comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.port import Engine
from rony_desktop.engine.monitor import held_and_mapped_bytes, held_bytes

CHAT, TUNE, CHECK = "chat", "tune", "check"


class Fleet:
    """Owns the engines; none is left after stop(). make gives a role its engine, once."""

    def __init__(self, make: Callable[[str], Engine]) -> None:
        self._make = make
        self._engines: dict[str, Engine] = {}

    def engine(self, role: str) -> Engine:
        """The engine of a role; it runs nothing until it is started."""
        if role not in self._engines:
            self._engines[role] = self._make(role)
        return self._engines[role]

    def statuses(self) -> Mapping[str, EngineStatus]:
        """What each engine is doing now, by role."""
        return {role: engine.status() for role, engine in tuple(self._engines.items())}

    def pids(self) -> tuple[int, ...]:
        """The processes that run now; may be called in any thread."""
        return tuple(status.pid for status in self.statuses().values() if status.pid is not None)

    def mapped_beside(self, role: str) -> int:
        """Bytes of files that engines of other roles compute with, which the system calls free.

        What they hold beside these is missing in what is free already.
        """
        others = (status.pid for name, status in self.statuses().items() if name != role)
        return sum(held_and_mapped_bytes(pid) - held_bytes(pid) for pid in others if pid)

    async def stop(self) -> None:
        """End every engine; returns when all are gone."""
        await asyncio.gather(*(engine.stop() for engine in tuple(self._engines.values())))
