"""Measures and tunes a model on an engine of its own, beside whatever else runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rony_desktop.app.device import Devices
from rony_desktop.app.engine import Engines
from rony_desktop.app.factory import create_app
from rony_desktop.app.speed import SpeedService
from rony_desktop.contract.engine import Endpoint, Launch
from rony_desktop.contract.error import BenchmarkError, Failure, NotAChatModel
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.plan import Wanted
from rony_desktop.contract.port import Engine, LLMClient, RecordStore
from rony_desktop.contract.speed import Measured, Speed, Tuning
from rony_desktop.engine.record import reap
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.log import start_logging, stop_logging
from rony_desktop.model.autotune import Bench, Tell, autotune
from rony_desktop.model.benchmark import Tell as TellCount, benchmark
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.model.planner import ModelPlanner
from rony_desktop.model.tuning import remember, tuned
from rony_desktop.model.variant import variants
from rony_desktop.provider.llamacpp import LlamaCppClient


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
        self, lengths: tuple[int, ...], written: int, repeats: int, tell: TellCount
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

    async def tune(self, tell: Tell) -> Tuning:
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


@asynccontextmanager
async def workshop(name: str = "", *, trust: bool = False) -> AsyncIterator[Workshop]:
    """Set up a model by name, else the chosen one; no engine is left when the context is.

    Raises:
        ModelFileError: there is no such model, or its file cannot be used.
        EngineError: no engine works here.
        BenchmarkError: the model is not in a file.
    """
    app = await asyncio.to_thread(create_app, trust=trust)
    place, config = app.place, app.config

    binary = Engines(config.llama, place, app.records).find
    await asyncio.to_thread(place.prepare)
    await asyncio.to_thread(start_logging, place.log_dir, config.logging.level)
    engine = ProcessSupervisor(binary, place.run_dir, role="tune")
    try:
        await asyncio.to_thread(reap, place.run_dir)
        ref = await asyncio.to_thread(app.models.chosen, name)
        if ref.path is None:
            raise BenchmarkError(detail="the model is not in a file of this computer")
        devices = Devices(binary, place.cache_dir)
        await devices.look()
        reader, probe = GgufMetadataReader(), HardwareProbe(list_devices=devices.text)
        model = await asyncio.to_thread(reader.read, ref.path)
        if not model.chat_template:
            raise NotAChatModel(path=ref.path.name)
        machine = await asyncio.to_thread(probe.detect)
        plan = ModelPlanner(config.llama).plan
        planned = await asyncio.to_thread(plan, model, machine, Wanted(parallel=1))
        yield Workshop(
            model=model,
            machine=machine,
            planned=planned.launch,
            build=(await binary()).label,
            bench=EngineBench(engine, LlamaCppClient),
            records=app.records,
            speeds=SpeedService(app.records, reader, probe),
            notices=app.notices,
        )
    finally:
        await engine.stop()
        await app.store.aclose()
        await asyncio.to_thread(app.workspaces.close)
        await asyncio.to_thread(stop_logging)
