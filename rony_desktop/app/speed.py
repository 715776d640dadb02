"""How fast a launch will be, and what every answer teaches about it."""

from __future__ import annotations

import asyncio
import contextlib

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import ModelFileError, StorageError
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.port import MetadataReader, RecordStore, SystemProbe
from rony_desktop.contract.speed import Speed
from rony_desktop.model.calibration import Calibration, calibration
from rony_desktop.model.correction import corrections, learn
from rony_desktop.model.speed import factors, predict


class SpeedService:
    """Predicts from a short probe of this machine, made once, and learns from real runs.

    build is the engine's label, as EngineStatus.binary has it.
    """

    def __init__(self, records: RecordStore, reader: MetadataReader, probe: SystemProbe) -> None:
        self._records = records
        self._reader = reader
        self._probe = probe
        self._machine: Machine | None = None
        self._calibration: Calibration | None = None
        self._learning = asyncio.Lock()

    async def predicted(self, launch: Launch, build: str, prompt_tokens: int = 512) -> Speed:
        """How fast a launch will read a prompt of so many tokens, and answer.

        The first call on a machine measures it, which takes half a second.

        Raises:
            ModelFileError: the file cannot be read.
            StorageError: what was measured cannot be kept.
        """
        model = await asyncio.to_thread(self._reader.read, launch.model)
        return await self.foretold(model, launch, build, prompt_tokens)

    async def foretold(
        self, model: ModelMetadata, launch: Launch, build: str, prompt_tokens: int = 512
    ) -> Speed:
        """The same of a model whose file need not be here. Raises StorageError."""
        machine, able = await self._able()
        known = await corrections(self._records, build)
        return predict(model, machine, launch, able, known, prompt_tokens=prompt_tokens)

    async def learned(self, launch: Launch, build: str, timings: Timings) -> None:
        """Take a real run in; what cannot be kept is not learned, and nothing else is lost."""
        with contextlib.suppress(ModelFileError, StorageError):
            async with self._learning:
                model = await asyncio.to_thread(self._reader.read, launch.model)
                machine, able = await self._able()
                run = model, machine, launch
                await learn(self._records, run, build, factors(run, able, timings))

    async def _able(self) -> tuple[Machine, Calibration]:
        """This machine, and what it was measured to do."""
        if self._machine is None:
            self._machine = await asyncio.to_thread(self._probe.detect)
        if self._calibration is None:
            self._calibration = await calibration(self._records, self._machine)
        return self._machine, self._calibration
