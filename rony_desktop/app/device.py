"""Which devices the engine can use, asked before a launch is planned."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from rony_desktop.contract.error import EngineError
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import devices


class Devices:
    """Asks the engine on the loop, for the probe that reads the answer in a thread."""

    def __init__(self, binary: Callable[[], Awaitable[Candidate]], folder: Path) -> None:
        self._binary = binary
        self._folder = folder
        self._text = ""

    async def look(self) -> str:
        """Ask now and return the engine's label; what it cannot say stays unknown.

        Raises:
            EngineError: there is no engine that works here.
        """
        self._text = ""
        engine = await self._binary()
        with contextlib.suppress(EngineError):
            self._text = await devices(engine, self._folder)
        return engine.label

    def text(self) -> str:
        """What the engine said last."""
        return self._text
