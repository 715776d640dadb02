"""What earlier runs taught: a setting that was found to be faster, and the speed of answers."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import StorageError
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.port import MetadataReader, RecordStore, SystemProbe

if TYPE_CHECKING:
    from rony_desktop.app.speed import SpeedService


class Experience:
    """Keeps it in records; learning goes on in the background and fails in silence.

    build is the engine's label. What it takes to learn is imported with the first answer.
    """

    def __init__(self, records: RecordStore, reader: MetadataReader, probe: SystemProbe) -> None:
        self._records = records
        self._reader = reader
        self._probe = probe
        self._speeds: SpeedService | None = None
        self._learning: set[asyncio.Task[None]] = set()

    async def tuned(
        self, model: ModelMetadata, machine: Machine, build: str, planned: Launch
    ) -> Launch:
        """The planned launch, with what tuning found for it where it was tuned."""
        from rony_desktop.model.tuning import tuned

        with contextlib.suppress(StorageError):
            return await tuned(self._records, (model, machine, build), planned)
        return planned

    def speeds(self) -> SpeedService:
        """What predicts speed and learns it."""
        from rony_desktop.app.speed import SpeedService

        if self._speeds is None:
            self._speeds = SpeedService(self._records, self._reader, self._probe)
        return self._speeds

    def learned(self, launch: Launch, build: str, timings: Timings) -> None:
        """Take in what the engine measured of one answer; too short a one tells nothing."""
        task = asyncio.create_task(self._learn(launch, build, timings), name="learn speed")
        self._learning.add(task)
        task.add_done_callback(self._learning.discard)

    async def close(self) -> None:
        """Let what is being learned be kept."""
        if self._learning:
            await asyncio.wait(self._learning)

    async def _learn(self, launch: Launch, build: str, timings: Timings) -> None:
        await self.speeds().learned(launch, build, timings)
