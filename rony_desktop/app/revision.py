"""Newer revisions of models that were downloaded, by the hashes of their files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from pathlib import Path

from rony_desktop.contract.error import (
    HubForeign,
    HubGated,
    HubMissing,
    HubUnauthorised,
    HubWithheld,
)
from rony_desktop.contract.hub import Quant
from rony_desktop.contract.port import ModelHub, RecordStore
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.revision import Revision
from rony_desktop.model.part import from_json, length, place, to_json

ORIGINS = "origin"


class RevisionService:
    """Remembers where models came from, and asks there whether they are still the newest.

    Dates and commits change with every word of a model's page; only other bytes are another model.
    """

    def __init__(self, hub: ModelHub, records: RecordStore, folder: Path) -> None:
        self._hub = hub
        self._records = records
        self._folder = folder

    async def origins(self) -> dict[Path, Quant]:
        """What was downloaded and is still there, by its first file."""
        found = {}
        for record in (await self._records.list(ORIGINS)).values():
            quant = _quant(record)
            if quant and (path := self._path(quant)):
                found[path] = quant
        return found

    async def newer(self, tell: Tell | None = None) -> AsyncIterator[Revision]:
        """Ask the hub of one model after the other, and tell how many were asked.

        Raises:
            HubWithheld: of some it says nothing; all others were asked before.
            HubError: it does not answer.
        """
        by_model: dict[str, list[tuple[Path, Quant]]] = {}
        for path, quant in (await self.origins()).items():
            by_model.setdefault(quant.model, []).append((path, quant))
        withheld: list[str] = []
        for done, (model, here) in enumerate(by_model.items()):
            if tell:
                tell(done, len(by_model))
            try:
                quants = await self._hub.files(model)
            except (HubMissing, HubUnauthorised, HubGated):
                withheld.append(model)
                continue
            for revision in _newer(here, quants):
                yield revision
        if withheld:
            raise HubWithheld(models=", ".join(withheld))

    def _path(self, quant: Quant) -> Path | None:
        """Where a model is, None where it was removed, or was never of this program."""
        try:
            path = place(self._folder, quant.files[0])
        except HubForeign:
            return None
        return path if length(path) == quant.files[0].size_bytes else None


def _newer(here: Iterable[tuple[Path, Quant]], quants: Iterable[Quant]) -> Iterator[Revision]:
    there = {quant.files[0].name: quant for quant in quants}
    for path, had in here:
        offered = there.get(had.files[0].name)
        if offered and (revision := Revision(path, had, offered)).changed:
            yield revision


async def remember(records: RecordStore, quant: Quant) -> None:
    """Note where a model came from. Raises StorageError."""
    key = f"{quant.model}/{quant.files[0].name}"
    await records.put(ORIGINS, key, {"quant": to_json(quant)})


def _quant(record: Mapping[str, object]) -> Quant | None:
    try:
        return from_json(record["quant"])
    except (KeyError, ValueError):  # not written by this version
        return None
