"""Small typed records on disk: one JSON file for each kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rony_desktop.contract.error import Failure, OutsideFolder, StorageError, StorageUnreadable
from rony_desktop.store.atomic import move_aside, write_atomic
from rony_desktop.store.guard import DirectoryGuard
from rony_desktop.store.lock import Locks, alone
from rony_desktop.store.place import make_folder

FORMAT = "rony-records"
VERSION = 1
SUFFIX = ".json"


class FileRecordStore:
    """The RecordStore on disk; one change at a time per kind, in this process and between them.

    A kind is a plain name; a key may be any text. A damaged file is moved aside and its kind
    begins anew. What a newer version wrote is read as far as it can be, and otherwise left alone.
    notices tell of both, each once.
    """

    def __init__(self, folder: Path) -> None:
        self.notices: list[Failure] = []
        self._folder = folder
        self._guard = DirectoryGuard(folder)
        self._locks = Locks()

    async def get(self, kind: str, key: str) -> Mapping[str, Any] | None:
        """One record; None where there is none."""
        return (await self.list(kind)).get(key)

    async def put(self, kind: str, key: str, record: Mapping[str, Any]) -> None:
        """Keep a record of JSON values durably, in the place of an older one of its key.

        Raises:
            OutsideFolder: kind is no plain name.
            StorageError: it could not be kept; what was there is there.
        """
        await self._locks.run(kind, partial(self._change, kind, key, dict(record)))

    async def list(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """Every record of a kind by its key."""
        return await asyncio.to_thread(self._list, kind)

    async def delete(self, kind: str, key: str) -> None:
        """Forget a record durably; what is not there needs nothing."""
        await self._locks.run(kind, partial(self._change, kind, key, None))

    def _list(self, kind: str) -> dict[str, Mapping[str, Any]]:
        path = self._path(kind)
        try:
            records = self._readable(path)["records"]
        except StorageError as error:
            self._tell(error)
            return {}
        return {key: record for key, record in records.items() if isinstance(record, dict)}

    def _change(self, kind: str, key: str, record: dict[str, Any] | None) -> None:
        path = self._path(kind)
        make_folder(self._folder)
        with alone(*_lock(path)):
            whole = self._repaired(path)
            records = whole["records"]
            if record is not None:
                records[key] = record
            elif records.pop(key, None) is None:
                return
            write_atomic(path, json.dumps(whole, indent=1))

    def _readable(self, path: Path) -> dict[str, Any]:
        try:
            return _read(path)
        except ValueError:
            # It may be whole by now; nobody writes it while we look again.
            with alone(*_lock(path)):
                return self._repaired(path)

    def _repaired(self, path: Path) -> dict[str, Any]:
        """The file as it is, or a new one where it is damaged."""
        try:
            return _read(path)
        except ValueError:
            aside = move_aside(path).name
        self._tell(StorageUnreadable(path=path, detail=f"it was set aside as {aside}"))
        return _new()

    def _tell(self, error: StorageError) -> None:
        failure = error.failure()
        if failure not in self.notices:
            self.notices.append(failure)

    def _path(self, kind: str) -> Path:
        path = self._guard.resolve(f"{kind}{SUFFIX}")
        if not kind or path.name != f"{kind}{SUFFIX}":
            raise OutsideFolder(path=kind, folder=self._folder)
        return path


def _lock(path: Path) -> tuple[Path, StorageError]:
    busy = StorageError(path=path, detail="another program is writing it")
    return path.parent / "lock" / f"{path.name}.lock", busy


def _new() -> dict[str, Any]:
    return {"format": FORMAT, "version": VERSION, "records": {}}


def _read(path: Path) -> dict[str, Any]:
    """What a file holds, always with a mapping of records; ValueError where it is damaged."""
    try:
        whole = json.loads(path.read_bytes())
    except FileNotFoundError:
        return _new()
    except OSError as error:
        raise StorageUnreadable(path=path, detail=error.strerror or str(error)) from error
    except RecursionError as error:
        raise ValueError(path) from error
    if not isinstance(whole, dict):
        raise ValueError(path)  # noqa: TRY004 - damaged like any other
    if isinstance(whole.get("records"), dict):
        return whole
    if whole.get("format") == FORMAT and whole.get("version") != VERSION:
        raise StorageUnreadable(path=path, detail="a newer version wrote it; it is left as it is")
    raise ValueError(path)
