"""Measures and tunes the model in use, whose engine makes room for it meanwhile."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rony_desktop.contract.error import BenchmarkError
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.speed import Measured, Speed, Tuning

if TYPE_CHECKING:
    from rony_desktop.app.experience import Experience
    from rony_desktop.app.launch import LaunchService
    from rony_desktop.app.runtime import Runtime
    from rony_desktop.app.workshop import Workshop
    from rony_desktop.contract.port import RecordStore
    from rony_desktop.engine.fleet import Fleet
    from rony_desktop.model.autotune import TellTrial

# Words of the prompts, tokens of the answers, and how often each is measured.
LENGTHS, WRITTEN, REPEATS = (128, 512), 48, 3


@dataclass(frozen=True, slots=True)
class Benchmarked:
    """What was predicted for the longest prompt, and what was measured for each."""

    predicted: Speed
    runs: tuple[Measured, ...]


@dataclass(frozen=True, slots=True)
class BenchService:
    """Runs an engine of its own for it; the model in use is loaded again in the end.

    A cancellation ends the engine and loads the model again as well.
    """

    runtime: Runtime
    launches: LaunchService
    records: RecordStore
    experience: Experience
    fleet: Fleet

    async def benchmark(self, tell: Tell) -> Benchmarked:
        """Measure how fast it reads and writes; tell hears how many of how many are done.

        Raises:
            BenchmarkError, EngineError, ProviderError, ModelFileError: it cannot be measured.
        """
        async with self._shop() as shop:
            predicted = await shop.predicted(max(LENGTHS))
            runs = await shop.benchmark(LENGTHS, WRITTEN, REPEATS, tell)
        return Benchmarked(predicted, runs)

    async def tune(self, tell: TellTrial) -> Tuning:
        """Look for a faster setting, and use it from now on where one is surely faster.

        Raises:
            BenchmarkError, EngineError, ProviderError, ModelFileError: it cannot be measured.
            StorageError: what was found cannot be kept.
        """
        async with self._shop() as shop:
            return await shop.tune(tell)

    @asynccontextmanager
    async def _shop(self) -> AsyncIterator[Workshop]:
        from rony_desktop.app.workshop import EngineBench, workshop_of
        from rony_desktop.engine.fleet import TUNE
        from rony_desktop.provider.llamacpp import LlamaCppClient

        path = self.runtime.model.path if self.runtime.model else None
        if path is None:
            raise BenchmarkError(detail="no model of this computer is in use")
        async with self.runtime.paused():
            planned = await self.launches.prepared(path)
            bench = EngineBench(self.fleet.engine(TUNE), LlamaCppClient)
            yield workshop_of(planned, bench, self.records, self.experience.speeds())
