"""Checks a model on an engine of its own, keeps what was found, and tells the agent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rony_desktop.contract.check import ModelCheck, ToolMode
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import EngineNotReady, ModelTemplate, RonyError
from rony_desktop.contract.progress import Tell

if TYPE_CHECKING:
    from rony_desktop.app.ceiling import Ceiling
    from rony_desktop.app.device import Devices
    from rony_desktop.app.launch import LaunchService
    from rony_desktop.app.runtime import Runtime
    from rony_desktop.contract.launch import PlannedLaunch
    from rony_desktop.contract.port import Engine, MetadataReader, RecordStore

# Tools, a question and its reply are far shorter; a small context loads fast and fits anywhere.
N_CTX = 4096
CACHE_RAM_MB = 64
# A template is rendered before the engine is ready, and one that never ends keeps it from there.
START_S, READ_BYTES_PER_S = 60.0, 50_000_000


@dataclass(frozen=True, slots=True)
class ModelCheckService:
    """Runs an engine of its own for it; the model in use makes room and is loaded again.

    A cancellation ends the engine and loads the model again as well.
    """

    runtime: Runtime
    launches: LaunchService
    devices: Devices
    reader: MetadataReader
    records: RecordStore
    engine: Callable[[], Engine]

    async def check(self, path: Path, tell: Tell) -> ModelCheck:
        """Check a file; tell hears how many of how many steps are done.

        A template that fails is a result, and so is an engine that never gets ready with it; the
        latter is not kept, for it may pass.

        Raises:
            EngineBusy: an answer is being written.
            ModelFileError, PlanError, EngineError, ProviderError: the model does not run here.
            StorageError: what was found cannot be kept.
        """
        from rony_desktop.model.checked import remember

        if self.runtime.status().state is EngineState.LOADING:
            with suppress(RonyError):
                await self.runtime.ready()
        async with self.runtime.paused():
            planned = await self._planned(path)
            found = await self._found(planned, tell)
        if found.failure is None or found.failure.code == ModelTemplate.code:
            await remember(self.records, planned.model, found)
        return found

    async def known(self, path: Path) -> ModelCheck | None:
        """What was found with the engine in use; None where the file was not checked with it.

        Raises:
            ModelFileError, EngineError: the file cannot be read, or no engine works here.
        """
        from rony_desktop.model.checked import known

        model = await asyncio.to_thread(self.reader.read, path)
        return await known(self.records, model, (await self.devices.engine()).label)

    async def mode(self) -> ToolMode | None:
        """How the model in use is offered tools; None where no check has told."""
        from rony_desktop.model.checked import known

        if (planned := self.runtime.planned) is None:
            return None
        found = await known(self.records, planned.model, planned.build)
        return found.mode if found else None

    async def _planned(self, path: Path) -> PlannedLaunch:
        from rony_desktop.app.refusal import too_large

        await self.devices.look()
        wanted = replace(await self.launches.kept(path), n_ctx=N_CTX)
        planned = await self.launches.planned(path, wanted)
        if not planned.plan.fits:
            raise too_large(planned)
        return planned

    async def _found(self, planned: PlannedLaunch, tell: Tell) -> ModelCheck:
        from rony_desktop.app.ceiling import Ceiling

        engine = self.engine()
        ceiling, failure = Ceiling.of(engine, planned), None
        try:
            return await self._examined(engine, ceiling, planned, tell)
        except (ModelTemplate, EngineNotReady) as error:
            failure = error.failure()
        except RonyError:
            if not ceiling.broken:
                raise
        if ceiling.broken:
            failure = ceiling.error().failure()
        return ModelCheck(build=planned.build, mode=ToolMode.NONE, failure=failure)

    async def _examined(
        self, engine: Engine, ceiling: Ceiling, planned: PlannedLaunch, tell: Tell
    ) -> ModelCheck:
        from rony_desktop.app.examiner import Examiner
        from rony_desktop.provider.llamacpp import LlamaCppClient

        launch = replace(planned.launch, cache_ram_mb=CACHE_RAM_MB, port=None)
        limit_s = START_S + planned.model.size_bytes / READ_BYTES_PER_S
        async with ceiling.watched():
            try:
                async with asyncio.timeout(limit_s):
                    await engine.start(launch)
                client = LlamaCppClient(engine.endpoint)
                return await Examiner(client, launch.model.name, tell).examined(planned.build)
            except TimeoutError as error:
                raise EngineNotReady(seconds=f"{limit_s:.0f}") from error
            finally:
                await engine.stop()
