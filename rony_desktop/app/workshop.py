"""What a model is measured and tuned with: its planned launch, and an engine to try it on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rony_desktop.app.speed import SpeedService
from rony_desktop.contract.engine import Endpoint, Launch
from rony_desktop.contract.error import Failure
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.port import Engine, LLMClient, RecordStore
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.speed import Measured, Speed, Tuning
from rony_desktop.model.autotune import Bench, TellTrial, autotune
from rony_desktop.model.benchmark import benchmark
from rony_desktop.model.tuning import remember, tuned
from rony_desktop.model.variant import variants


class EngineBench:
    """Runs one engine for one launch at a time, and ends it when the launch is done with."""

    def __init__(
        self, engine: Engine, client: Callable[[Callable[[], Endpoint]], LLMClient]
    ) -> None:
        self._engine = engine
        self._client = client

    @asynccontextmanager
    async def running(self, launch: Launch) -> AsyncIterator[LLMClient]:
        """The client of an engine started so. Raises EngineError, ModelFileError."""
        try:
            await self._engine.start(launch)
            yield self._client(self._engine.endpoint)
        finally:
            await self._engine.stop()


@dataclass(frozen=True, slots=True)
class Workshop:
    """One model with its plan, and the engine to try it on; build is the engine's label."""

    model: ModelMetadata
    machine: Machine
    planned: Launch
    build: str
    bench: Bench
    records: RecordStore
    speeds: SpeedService
    notices: tuple[Failure, ...] = ()

    async def launch(self) -> Launch:
        """How the model is launched: as planned, or as tuning found to be faster."""
        return await tuned(self.records, (self.model, self.machine, self.build), self.planned)

    async def predicted(self, prompt_tokens: int) -> Speed:
        """How fast it should be, before it runs."""
        return await self.speeds.predicted(await self.launch(), self.build, prompt_tokens)

    async def benchmark(
        self, lengths: tuple[int, ...], written: int, repeats: int, tell: Tell
    ) -> tuple[Measured, ...]:
        """Measure it, and learn from what was measured.

        Raises:
            EngineError, ProviderError, BenchmarkError: it cannot be measured.
        """
        launch = await self.launch()
        async with self.bench.running(launch) as client:
            found = await benchmark(
                client, lengths=lengths, written=written, repeats=repeats, tell=tell
            )
        for measured in found:
            for sample in measured.samples:
                await self.speeds.learned(launch, self.build, sample.timings)
        return found

    async def tune(self, tell: TellTrial) -> Tuning:
        """Look for a faster setting and remember what was found.

        Raises:
            EngineError, ProviderError, BenchmarkError: the planned launch cannot be measured.
            StorageError: what was found cannot be kept.
        """
        others = variants(self.model, self.machine, self.planned)
        found = await autotune(self.bench, self.planned, others, tell=tell)
        run = self.model, self.machine, self.build
        await remember(self.records, run, self.planned, found)
        return found


def workshop_of(
    planned: PlannedLaunch,
    bench: Bench,
    records: RecordStore,
    speeds: SpeedService,
    notices: tuple[Failure, ...] = (),
) -> Workshop:
    """The workshop of a launch as it was planned, before tuning changed it."""
    return Workshop(
        model=planned.model,
        machine=planned.machine,
        planned=planned.plan.launch,
        build=planned.build,
        bench=bench,
        records=records,
        speeds=speeds,
        notices=notices,
    )
