"""Which engine runs here and which devices it can use, asked before a launch is planned."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from rony_desktop.contract.engine import Launch, Loaded
from rony_desktop.contract.error import EngineError, EngineFlagUnknown, WorkerUnreachable
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import devices


class Devices:
    """Asks the engine on the loop, for the probe that reads the answer in a thread.

    workers are the addresses of other machines whose devices it is to use.
    """

    def __init__(
        self,
        binary: Callable[[], Awaitable[Candidate]],
        folder: Path,
        workers: Sequence[str] = (),
    ) -> None:
        self._binary = binary
        self._workers = workers
        self._folder = folder
        self._text = ""
        self._engine: Candidate | None = None

    async def look(self) -> Candidate:
        """Ask now and return the engine; what it cannot say stays unknown.

        Raises:
            EngineError: there is no engine that works here, or one of the workers is not reached.
        """
        self.forget()
        engine = await self._binary()
        try:
            self._text = await devices(engine, self._folder, workers=self._workers)
        except (EngineFlagUnknown, WorkerUnreachable):
            raise
        except EngineError:
            pass
        self._engine = engine
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

    def forget(self) -> None:
        """Know nothing any more: the next to ask asks the engine."""
        self._text, self._engine = "", None

    def text(self) -> str:
        """What the engine said last."""
        return self._text
