"""Blobs on disk: one file each, whose name tells its id and the digest of its bytes."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
import stat
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from rony_desktop.contract.error import ResultMissing, StorageUnreadable
from rony_desktop.contract.message import Artifact
from rony_desktop.store.atomic import storage_error, write_atomic
from rony_desktop.store.guard import DirectoryGuard
from rony_desktop.store.place import make_folder

KEPT = timedelta(days=7)
LIMIT_BYTES = 500_000_000
# A ULID, a SHA-256, and what a killed write leaves.
_FILE = re.compile(r"\.?([0-9A-Z]{26})\.([0-9a-f]{64})(\.[0-9a-f]{8}\.tmp)?")


class FileArtifactStore:
    """The ArtifactStore on disk. An artefact is written once and never changed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = DirectoryGuard(folder)

    async def put(self, data: bytes, name: str, media_type: str) -> Artifact:
        """Keep data durably under a new id.

        Raises:
            StorageError: it could not be kept.
        """
        id = await asyncio.to_thread(self._put, data)
        return Artifact(id, name, media_type, len(data))

    async def load(self, id: str) -> bytes:
        """The bytes that were put.

        Raises:
            ResultMissing: there is none of this id (any more).
            StorageUnreadable: they are not what was put.
        """
        return await asyncio.to_thread(self._load, id)

    async def delete(self, id: str) -> None:
        """Delete an artefact for good; what is not there needs nothing."""
        await asyncio.to_thread(self._delete, id)

    async def purge(self, now: datetime) -> None:
        """Delete what is older than 7 days, then the oldest until 500 MB are left."""
        await asyncio.to_thread(self._purge, now.timestamp() - KEPT.total_seconds())

    def _put(self, data: bytes) -> str:
        from ulid import ULID

        id = str(ULID())
        make_folder(self._folder)
        write_atomic(self._guard.resolve(f"{id}.{hashlib.sha256(data).hexdigest()}"), data)
        return id

    def _load(self, id: str) -> bytes:
        for path, digest in self._named(id):
            try:
                data = path.read_bytes()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise StorageUnreadable(path=path, detail=error.strerror or str(error)) from error
            if hashlib.sha256(data).hexdigest() != digest:
                raise StorageUnreadable(path=path, detail="its bytes were changed")
            return data
        raise ResultMissing(id=id)

    def _delete(self, id: str) -> None:
        for path, _ in self._named(id):
            _remove(path)

    def _named(self, id: str) -> Iterator[tuple[Path, str]]:
        """The file of an id with its digest; ids are no case's own, as ULIDs are."""
        for path, found in self._files():
            if found[1] == id.upper() and not found[3]:
                yield self._guard.resolve(path.name), found[2]

    def _files(self) -> Iterator[tuple[Path, re.Match[str]]]:
        with contextlib.suppress(FileNotFoundError):
            for path in self._folder.iterdir():
                if found := _FILE.fullmatch(path.name):
                    yield path, found

    def _purge(self, oldest: float) -> None:
        known: list[tuple[float, int, Path]] = []
        for path, _ in self._files():
            with contextlib.suppress(FileNotFoundError):
                state = path.lstat()
                if stat.S_ISREG(state.st_mode):
                    known.append((state.st_mtime, state.st_size, path))
        left = LIMIT_BYTES
        for time, size, path in sorted(known, reverse=True):
            left -= size
            if time < oldest or left < 0:
                _remove(path)


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise storage_error(path, error) from error
