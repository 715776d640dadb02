"""Which engine runs here and which devices it can use, asked before a launch is planned."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from rony_desktop.contract.engine import Launch, Loaded
from rony_desktop.contract.error import EngineError
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import devices


class Devices:
    """Asks the engine on the loop, for the probe that reads the answer in a thread."""

    def __init__(self, binary: Callable[[], Awaitable[Candidate]], folder: Path) -> None:
        self._binary = binary
        self._folder = folder
        self._text = ""
        self._engine: Candidate | None = None

    async def look(self) -> Candidate:
        """Ask now and return the engine; what it cannot say stays unknown.

        Raises:
            EngineError: there is no engine that works here.
        """
        self._text = ""
        self._engine = engine = await self._binary()
        with contextlib.suppress(EngineError):
            self._text = await devices(engine, self._folder)
        return engine

    async def engine(self) -> Candidate:
        """The engine that was asked last; one is asked where none was.

        Raises:
            EngineError: there is no engine that works here.
        """
        return self._engine or await self.look()

    async def forecast(self, launch: Launch) -> Loaded | None:
        """What the engine would take for a launch, counted without taking it; None: it cannot say.

        Raises:
            EngineError, ModelFileError: the launch would not load at all.
        """
        from rony_desktop.engine.forecast import forecast

        return await forecast(await self.engine(), launch, self._folder)

    def text(self) -> str:
        """What the engine said last."""
        return self._text
