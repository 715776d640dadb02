"""Models that are on this computer already: those of other programs, and those that are twice."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rony_desktop.app.errand import errand
from rony_desktop.app.model import Models, local
from rony_desktop.contract.adopt import Duplicate, Found, Program
from rony_desktop.contract.error import ModelMissing
from rony_desktop.contract.halt import Halt
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.port import MetadataReader, RecordStore
from rony_desktop.contract.progress import Tell
from rony_desktop.model import root
from rony_desktop.model.adopt import adopt
from rony_desktop.model.duplicate import Hashes, find_duplicates, merge
from rony_desktop.model.root import identity
from rony_desktop.model.shelf import Surroundings, find_models
from rony_desktop.model.split import whole_name

HASHES = "hash"


def surroundings() -> Surroundings:
    """Those of this process."""
    return Surroundings(Path.home(), os.environ, sys.platform)


class AdoptService:
    """Finds what other programs have and links it into folder, which is ours.

    Nothing is ever written into the stores of others, and none of their files is replaced.
    """

    def __init__(
        self,
        models: Models,
        reader: MetadataReader,
        records: RecordStore,
        folder: Path,
        around: Callable[[], Surroundings] = surroundings,
    ) -> None:
        self._models = models
        self._reader = reader
        self._records = records
        self._folder = folder
        self._around = around

    async def find(self) -> tuple[Found, ...]:
        """Models of other programs that are not among ours yet."""
        return await asyncio.to_thread(self._find)

    async def adopt(self, found: Found) -> ModelRef:
        """Make one of them ours, by a link. Raises ModelFileError."""
        return local(await asyncio.to_thread(adopt, found, self._folder, self._reader))

    async def take(self, path: Path) -> tuple[ModelRef, ...]:
        """Make a model the user names ours, or all in a folder; what is among ours stays so.

        Raises:
            ModelFileError: there is none, it is not whole, or it cannot be linked.
        """
        return await asyncio.to_thread(self._take, path)

    async def duplicates(self, tell: Tell) -> tuple[Duplicate, ...]:
        """What is on the disk more than once and need not be; what was hashed is remembered.

        Reads whole files the first time; cancel the task to stop.

        Raises:
            StorageError: what was learned cannot be kept.
        """
        hashes = await self._hashes()

        def look(halt: Halt) -> tuple[Duplicate, ...]:
            ours, others = self._files()
            return find_duplicates(ours, others, hashes, halt, tell)

        try:
            return await errand(look)
        finally:
            for mark, sha256 in hashes.learned.items():
                await self._records.put(HASHES, mark, {"sha256": sha256})

    async def merge(self, duplicate: Duplicate) -> int:
        """Let our copies share the bytes of what is kept; returns the bytes that became free.

        Raises:
            ModelNotMerged: a file was changed since it was looked at, or cannot be linked.
        """
        return await asyncio.to_thread(merge, duplicate, await self._hashes())

    async def _hashes(self) -> Hashes:
        records = await self._records.list(HASHES)
        return Hashes({mark: str(record.get("sha256", "")) for mark, record in records.items()})

    def _find(self) -> tuple[Found, ...]:
        ours, found = self._ours(), find_models(self._around())
        return tuple(model for model in found if identity(model.path) not in ours)

    def _ours(self) -> dict[tuple[int, int], Path]:
        """Every model of ours, by what its file is, whatever it is called."""
        ours: dict[tuple[int, int], Path] = {}
        for each in self._models.scan():
            for file in each.models:
                with suppress(OSError):
                    ours.setdefault(identity(file.path), file.path)
        return ours

    def _take(self, path: Path) -> tuple[ModelRef, ...]:
        files = [file.path for file in root.scan(path).models] if path.is_dir() else [path]
        if not files:
            raise ModelMissing(path=path, detail="there is no model in it")
        known, taken = self._ours(), []
        for file in files:
            self._reader.read(file)
            ours = known.get(identity(file))
            found = Found(Program.NONE, whole_name(file.name).removesuffix(".gguf"), file, 0)
            taken.append(local(ours or adopt(found, self._folder, self._reader)))
        return tuple(taken)

    def _files(self) -> tuple[list[Path], list[Path]]:
        """Files that are really in our folder, and every other one that is known."""
        inside = self._folder.resolve()
        ours: list[Path] = []
        others = [model.path for model in find_models(self._around())]
        for scan in self._models.scan():
            for file in scan.models:
                own = file.path.resolve().is_relative_to(inside)
                (ours if own else others).append(file.path)
        return ours, others
