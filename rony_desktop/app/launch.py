"""Plans the launch of a file as it will be: for this machine now, tuned, checked, lowered."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from rony_desktop.app.device import Devices
from rony_desktop.app.experience import Experience
from rony_desktop.app.explain import explained, reasons_of
from rony_desktop.app.forecast import Forecasts
from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.error import NotAChatModel, RonyError
from rony_desktop.contract.launch import Fit, Offer, PlannedLaunch, Rung
from rony_desktop.contract.model import Machine, ModelMetadata, ModelRef
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.contract.port import MetadataReader, RecordStore, SystemProbe
from rony_desktop.model.planner import ModelPlanner

if TYPE_CHECKING:
    from rony_desktop.engine.candidate import Candidate

# The engine's own count replaces ours where it is larger by more: a part of it, and bytes.
MORE, MORE_BYTES = 0.015, 32 << 20

_Planning = tuple[Wanted, Wanted, PlanResult, PlanResult, tuple[Rung, ...]]
"""What is kept, what is wanted, the plan of the first, the plan of the second, rungs between."""


@dataclass(frozen=True, slots=True)
class LaunchParts:
    """What LaunchService works with; the factory makes them.

    models lists the files of this computer; it blocks.
    """

    reader: MetadataReader
    probe: SystemProbe
    devices: Devices
    config: LlamaConfig
    records: RecordStore
    experience: Experience
    models: Callable[[], Sequence[ModelRef]] = list


class LaunchService:
    """Makes launches of files. Nothing is started but the engine's own forecast, and none runs on.

    held tells how much of the computer's memory and of its devices' comes free when the engine that
    runs now ends, in bytes; it is asked in a thread.
    """

    def __init__(self, parts: LaunchParts) -> None:
        self._parts = parts
        self._planner = ModelPlanner(parts.config)
        self._forecasts = Forecasts(parts.records, parts.devices)
        self.held: Callable[[], tuple[int, int]] = lambda: (0, 0)

    async def planned(self, path: Path, wanted: Wanted | None = None) -> PlannedLaunch:
        """The launch of a file with its predicted speed; wanted None: what is kept for the model.

        Raises:
            ModelFileError: the file cannot be used, or is no model to chat with.
            PlanError: what is wanted contradicts itself.
            EngineError: no engine works here.
        """
        engine = await self._parts.devices.engine()
        planned = await self._prepared(path, wanted, engine)
        speeds = self._parts.experience.speeds()
        return replace(planned, speed=await speeds.predicted(planned.launch, engine.label))

    async def prepared(self, path: Path) -> PlannedLaunch:
        """The launch of a file to be started now, checked by the engine's own count of it.

        Raises:
            ModelFileError, PlanError, EngineError: as planned() does.
        """
        engine = await self._parts.devices.look()
        return await self._checked(await self._prepared(path, None, engine))

    async def machine(self) -> tuple[Machine, Candidate]:
        """This computer as launches are planned for it, and the engine they are for.

        Raises:
            EngineError: no engine works here.
        """
        engine = await self._parts.devices.engine()
        return await asyncio.to_thread(self._parts.probe.detect), engine

    async def foreseen(self, model: ModelMetadata) -> PlannedLaunch:
        """How a model that is not here would be launched, and how fast it should be.

        Raises:
            EngineError: no engine works here.
            StorageError: what was measured of this machine cannot be kept.
        """
        machine, engine = await self.machine()
        wanted = Wanted()
        plan = await self._plan(model, machine, wanted)
        planned = await self._made(model, machine, engine, (wanted, wanted, plan, plan, ()))
        speeds = self._parts.experience.speeds()
        return replace(planned, speed=await speeds.foretold(model, planned.launch, engine.label))

    async def again(self, planned: PlannedLaunch) -> PlannedLaunch:
        """A launch as it was planned, on the machine as free as it is now."""
        return replace(planned, machine=await asyncio.to_thread(self._parts.probe.detect))

    async def lost(self, planned: PlannedLaunch) -> tuple[str, ...]:
        """Names of the devices a launch uses that its engine does not list any more; asks it now.

        Raises:
            EngineError: no engine works here any more.
        """
        from rony_desktop.model.gpu import parse_devices
        from rony_desktop.model.room import devices_of

        used = Counter(gpu.name for gpu in devices_of(planned.machine))
        if planned.launch.gpu_layers == 0 or not used:
            return ()
        await self._parts.devices.look()
        listed = parse_devices(self._parts.devices.text())
        if listed is None:  # what cannot be asked is not known to be gone
            return ()
        return tuple((used - Counter(gpu.name for gpu in listed)).elements())

    async def lowered(self, tried: PlannedLaunch) -> PlannedLaunch | None:
        """The next step down from a launch that ran out of memory; None where there is none."""
        from rony_desktop.model.ladder import lower

        engine = await self._parts.devices.engine()
        step = lower(tried.plan, tried.model, tried.wanted)
        if step:
            rung, wanted = step
            return await self._below(tried, rung, wanted, engine)
        smaller = await self._smaller(tried.model)
        if smaller is None:
            return None
        rungs = (*tried.rungs, Rung.SMALLER_FILE)
        return replace(await self._prepared(smaller.path, Wanted(), engine), rungs=rungs)

    async def remember(self, asked: Path, found: PlannedLaunch) -> None:
        """Keep how far a launch of the file that was asked for had to step down.

        Raises:
            StorageError: it cannot be kept.
        """
        from rony_desktop.model.ladder import remember

        model = await self._model(asked)
        room = found.plan.ram.room_bytes
        records = self._parts.records
        await remember(records, (found.machine, model), found.rungs, found.wanted, room)

    async def kept(self, path: Path) -> Wanted:
        """What the user keeps for a model. Raises ModelFileError."""
        from rony_desktop.model.kept import kept

        return await kept(self._parts.records, await self._model(path))

    async def keep(self, path: Path, wanted: Wanted) -> None:
        """Keep what is wanted of every later launch of a model.

        Raises:
            ModelFileError, StorageError: the file cannot be read, or nothing be kept.
        """
        from rony_desktop.model.kept import keep

        await keep(self._parts.records, await self._model(path), wanted)

    def quant(self, model: ModelMetadata) -> str:
        """The name of a model's quantization, "" where it is not known."""
        from rony_desktop.model.quant import quant_of

        return quant_of(model)

    def fit(self, plan: PlanResult) -> Fit:
        """How well a plan fits."""
        from rony_desktop.model.fit import fit_of

        return fit_of(plan)

    async def offers(self, models: Sequence[ModelRef]) -> AsyncIterator[Offer]:
        """How well each model fits and how fast it should be, one after the other."""
        for model in models:
            if model.path:
                yield await self._offer(model, model.path)

    async def _offer(self, ref: ModelRef, path: Path) -> Offer:
        try:
            planned = await self.planned(path)
        except RonyError as error:
            return Offer(ref, Fit.UNUSABLE, failure=error.failure())
        speed = planned.speed.decode if planned.speed else None
        quant = self.quant(planned.model)
        return Offer(ref, self.fit(planned.plan), quant, planned.launch.n_ctx, speed)

    async def _prepared(
        self, path: Path, wanted: Wanted | None, engine: Candidate
    ) -> PlannedLaunch:
        """Planned for what is wanted, else for what is kept and as low as it went the last time."""
        model = await self._model(path)
        machine = await asyncio.to_thread(self._parts.probe.detect)
        kept = await self.kept(path) if wanted is None else wanted
        base = await self._plan(model, machine, kept)
        if wanted is None and (found := await self._recalled(machine, model, base)):
            rungs, lowered = found
            if Rung.SMALLER_FILE in rungs and (smaller := await self._smaller(model)):
                return replace(await self._prepared(smaller.path, Wanted(), engine), rungs=rungs)
            plan = await self._plan(model, machine, lowered)
            return await self._made(model, machine, engine, (kept, lowered, base, plan, rungs))
        return await self._made(model, machine, engine, (kept, kept, base, base, ()))

    async def _made(
        self, model: ModelMetadata, machine: Machine, engine: Candidate, planning: _Planning
    ) -> PlannedLaunch:
        """Put a launch together with what explains it."""
        kept, wanted, base, plan, rungs = planning
        launch = await self._parts.experience.tuned(model, machine, engine.label, plan.launch)
        reasons = reasons_of(base, plan, launch, kept)
        return PlannedLaunch(
            model=model,
            machine=machine,
            build=engine.label,
            wanted=wanted,
            plan=plan,
            launch=launch,
            flags=explained(launch, reasons, engine.flags),
            reasons=reasons,
            rungs=rungs,
        )

    async def _recalled(
        self, machine: Machine, model: ModelMetadata, base: PlanResult
    ) -> tuple[tuple[Rung, ...], Wanted] | None:
        from rony_desktop.model.ladder import recalled

        return await recalled(self._parts.records, (machine, model), base.ram.room_bytes)

    async def _below(
        self, tried: PlannedLaunch, rung: Rung, wanted: Wanted, engine: Candidate
    ) -> PlannedLaunch:
        """The same file one rung below what was tried."""
        plan = await self._plan(tried.model, tried.machine, wanted)
        kept, rungs = await self.kept(tried.model.path), (*tried.rungs, rung)
        base = replace(tried.plan, reasons=tried.reasons)
        return await self._made(
            tried.model, tried.machine, engine, (kept, wanted, base, plan, rungs)
        )

    async def _plan(self, model: ModelMetadata, machine: Machine, wanted: Wanted) -> PlanResult:
        # One chat at a time: more slots would only take memory from it.
        wanted = replace(wanted, parallel=1)

        def planned() -> PlanResult:
            return self._planner.plan(model, machine, wanted, *self.held())

        return await asyncio.to_thread(planned)

    async def _checked(self, planned: PlannedLaunch) -> PlannedLaunch:
        """With the engine's own count, where ours is a guess or too small."""
        from rony_desktop.model.count import counted

        loaded = await self._forecasts.of(planned)
        if loaded is None:
            return planned
        plan = counted(planned.plan, loaded)
        ours, theirs = planned.plan.estimate.held_bytes, plan.estimate.held_bytes
        if planned.plan.estimate.known and theirs <= ours + max(MORE_BYTES, MORE * ours):
            return planned
        reasons = {**planned.reasons, "estimate": plan.reasons["estimate"]}
        return replace(planned, plan=plan, reasons=reasons)

    async def _smaller(self, model: ModelMetadata) -> ModelMetadata | None:
        """The same model in a smaller file of this computer."""
        from rony_desktop.model.family import smaller

        return smaller(model, await asyncio.to_thread(self._all))

    def _all(self) -> list[ModelMetadata]:
        """Headers of every model here that can be read. Blocking."""
        found = []
        for ref in self._parts.models():
            with contextlib.suppress(RonyError):
                found.append(self._read(ref.path or Path()))
        return found

    async def _model(self, path: Path) -> ModelMetadata:
        return await asyncio.to_thread(self._read, path)

    def _read(self, path: Path) -> ModelMetadata:
        """Read a header. Blocking."""
        model = self._parts.reader.read(path)
        if not model.chat_template:
            raise NotAChatModel(path=path.name)
        return model
