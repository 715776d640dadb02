"""Models that could be downloaded: found on the hub, or suggested, each with how it would fit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rony_desktop.app.launch import LaunchService
from rony_desktop.app.pick import USUAL, named, of_name, recommended
from rony_desktop.contract.error import (
    HubError,
    ModelFileError,
    NotAChatModel,
    QuantUnknown,
    RonyError,
)
from rony_desktop.contract.hub import (
    Candidate,
    CatalogEntry,
    HubModel,
    Quant,
    QuantOffer,
    Suggestion,
)
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import Machine, ModelMetadata
from rony_desktop.contract.port import ModelHub
from rony_desktop.model.catalog import load, suggest
from rony_desktop.model.disk import free_bytes
from rony_desktop.model.outline import file_bytes, outline
from rony_desktop.model.requant import requantised


@dataclass(frozen=True, slots=True)
class Computer:
    """What models have to fit: the machine, the engine's label, and the disk, None if unknown."""

    machine: Machine
    engine: str
    disk_free_bytes: int | None


# Models of a search that are shown; there are thousands.
FOUND = 20


class DiscoverService:
    """Asks the hub and plans what it offers; suggestions come with the program and ask nobody."""

    def __init__(self, hub: ModelHub, launches: LaunchService, folder: Path) -> None:
        self._hub = hub
        self._launches = launches
        self._folder = folder

    async def computer(self) -> Computer:
        """This computer. Raises EngineError where no engine works on it."""
        machine, engine = await self._launches.machine()
        return Computer(machine, engine.label, await asyncio.to_thread(free_bytes, self._folder))

    async def search(self, query: str) -> Sequence[HubModel]:
        """Models with GGUF files, the most downloaded first. Raises HubError."""
        return await self._hub.search(query, FOUND)

    async def quants(self, model: str) -> Sequence[Quant]:
        """What of a model can be downloaded, the smallest first. Raises HubError."""
        return await self._hub.files(model)

    async def offer(self, quant: Quant) -> QuantOffer:
        """How one would fit, by its own header, of which some megabytes may be read."""
        try:
            return await self._offer(quant, await self._hub.header(quant), exact=True)
        except (HubError, ModelFileError) as error:
            return QuantOffer(quant, Fit.UNUSABLE, failure=error.failure())

    async def offers(self, quants: Sequence[Quant]) -> AsyncIterator[QuantOffer]:
        """How each of one model's quants would fit; the header of the smallest tells of all.

        Projectors are passed over: alone they are of no use.
        """
        models = [quant for quant in quants if not quant.projector]
        if not models:
            return
        first = min(models, key=lambda quant: quant.size_bytes)
        try:
            header = await self._hub.header(first)
        except (HubError, ModelFileError) as error:
            for quant in models:
                yield QuantOffer(quant, Fit.UNUSABLE, failure=error.failure())
            return
        for quant in models:
            exact = quant is first
            model = header if exact else requantised(header, quant.name, quant.size_bytes)
            yield await self._offer(quant, model, exact=exact)

    async def pick(self, model: str, name: str = "") -> Quant:
        """The quant of that name, else the catalog's, the recommended, the usual, the smallest.

        A name may also be that of a file.

        Raises:
            HubError: it cannot be had; QuantUnknown where there is none, or none of that name.
        """
        quants = await self.quants(model)
        if name:
            return named(quants, model, name)
        models = [quant for quant in quants if not quant.projector]
        if not models:
            raise QuantUnknown(model=model, quant="GGUF", known="nothing")
        entries = await asyncio.to_thread(load)
        listed = next((entry.quant for entry in entries if entry.model == model), "")
        if found := of_name(models, listed):
            return found
        if len(models) == 1:
            return models[0]
        best = recommended([offer async for offer in self.offers(models)])
        return best or of_name(models, USUAL) or models[0]

    async def suggestions(self) -> Suggestion:
        """Three models for this computer, by the number of their weights; asks nobody."""
        entries = await asyncio.to_thread(load)
        return suggest([await self._candidate(entry) for entry in entries])

    async def suggested(self, entry: CatalogEntry) -> Quant:
        """What to download of a model of the catalog.

        Raises:
            HubError: it cannot be had; QuantUnknown where it is not there any more.
        """
        return named(await self.quants(entry.model), entry.model, entry.quant)

    async def _candidate(self, entry: CatalogEntry) -> Candidate:
        model = outline(entry.parameters_b, entry.quant, entry.active_b)
        size = file_bytes(entry.parameters_b, entry.quant)
        try:
            planned = await self._launches.foreseen(model)
        except RonyError:  # without an engine nothing runs, and the doctor says so
            return Candidate(entry, fits=False, size_bytes=size)
        speed = planned.speed.decode.value if planned.speed else None
        return Candidate(entry, planned.plan.fits, speed, size)

    async def _offer(self, quant: Quant, model: ModelMetadata, *, exact: bool) -> QuantOffer:
        found = QuantOffer(quant, Fit.UNUSABLE, exact=exact)
        if not model.chat_template:
            return replace(found, failure=NotAChatModel(path=quant.files[0].name).failure())
        try:
            planned = await self._launches.foreseen(model)
        except RonyError as error:
            return replace(found, failure=error.failure())
        decode = planned.speed.decode if planned.speed else None
        fit = self._launches.fit(planned.plan)
        return replace(found, fit=fit, n_ctx=planned.launch.n_ctx, decode=decode)
