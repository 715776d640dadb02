"""Looks for models in folders that may be deep, forbidden, unplugged, or hang with a network."""

from __future__ import annotations

import os
import stat
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.root import Root, RootState
from rony_desktop.model.split import is_later_part, parts

WAIT_S = 3.0
FOLDERS_LIMIT = 20_000
SKIPPED_SHOWN = 50
_HEAD_BYTES = 4096
_PROJECTOR = "mmproj"
# A string of the key that stands first in every file llama.cpp's converters write.
_ARCHITECTURE = b"general.architecture" + struct.pack("<I", 8)
_CLIP = struct.pack("<Q", 4) + b"clip"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A model as a folder shows it: its file, the first of several, and the size of all."""

    path: Path
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Scan:
    """A folder and the models in it."""

    root: Root
    models: tuple[ModelFile, ...] = ()


class Roots:
    """Folders of models, all looked at together and none waited for longer than wait_s.

    A folder that hangs keeps one thread until it answers; the program can end meanwhile.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        wait_s: float = WAIT_S,
        look: Callable[[Path], Scan] | None = None,
    ) -> None:
        self.folders = tuple(dict.fromkeys(folders))
        self._wait_s = wait_s
        self._look = look or scan
        self._running: dict[Path, _Look] = {}
        self._lock = threading.Lock()

    def scan(self) -> tuple[Scan, ...]:
        """Look into every folder. Blocking, for wait_s at most."""
        end = time.monotonic() + self._wait_s
        looks = [self._started(folder) for folder in self.folders]
        for look in looks:
            look.join(max(0.0, end - time.monotonic()))
        return tuple(look.found or _gone(look.folder, RootState.SILENT) for look in looks)

    def _started(self, folder: Path) -> _Look:
        with self._lock:
            look = self._running.get(folder)
            if look is None or not look.is_alive():
                look = self._running[folder] = _Look(folder, self._look)
                look.start()
            return look


class _Look(threading.Thread):
    """One look into one folder; found is None until it is over."""

    def __init__(self, folder: Path, look: Callable[[Path], Scan]) -> None:
        super().__init__(name=f"look into {folder}", daemon=True)
        self.folder = folder
        self.found: Scan | None = None
        self._look = look

    def run(self) -> None:
        self.found = self._look(self.folder)


def scan(folder: Path) -> Scan:
    """Find the models in a folder at any depth, each folder once whatever links lead to it.

    Blocking; a folder on a dead network may hold it for ever.
    """
    walk = _Walk(folder)
    try:
        models = tuple(sorted(walk.models(), key=lambda model: model.path))
        writable = os.access(folder, os.W_OK)
    except PermissionError:
        return _gone(folder, RootState.UNREADABLE)
    except (OSError, ValueError):  # ValueError: no system has such a path
        return _gone(folder, RootState.MISSING)
    skipped = tuple(sorted(walk.skipped)[:SKIPPED_SHOWN])
    return Scan(Root(folder, RootState.READY, len(models), writable, skipped), models)


def is_projector(path: Path) -> bool:
    """Whether a file is what lets a model see or hear, and no model. Blocking. Raises OSError."""
    if _PROJECTOR in path.name.lower():
        return True
    with path.open("rb") as file:
        _, key, rest = file.read(_HEAD_BYTES).partition(_ARCHITECTURE)
    return bool(key) and rest.startswith(_CLIP)


def identity(path: Path) -> tuple[int, int]:
    """What tells a file or folder from every other, whatever it is called. Raises OSError."""
    there = path.stat()
    return there.st_dev, there.st_ino


def _gone(folder: Path, state: RootState) -> Scan:
    return Scan(Root(folder, state))


class _Walk:
    """A walk through a folder; what cannot be looked at is noted and passed over."""

    def __init__(self, folder: Path) -> None:
        self.skipped: list[Path] = []
        self._folder = folder
        self._pending = [folder]
        self._seen: set[tuple[int, int]] = set()

    def models(self) -> Iterator[ModelFile]:
        """Every model. Raises OSError where the folder itself cannot be looked into."""
        self._seen.add(identity(self._folder))
        while self._pending:
            for entry in self._entries(self._pending.pop()):
                path = Path(entry.path)
                try:
                    if entry.is_dir():
                        self._enter(path)
                    elif entry.name.lower().endswith(".gguf") and (model := _model(path)):
                        yield model
                except OSError:
                    self.skipped.append(path)

    def _entries(self, folder: Path) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return list(entries)
        except OSError:
            if folder == self._folder:
                raise
            self.skipped.append(folder)
            return []

    def _enter(self, folder: Path) -> None:
        """Walk into a folder later, but for one that a link led to before."""
        mark = identity(folder)
        if mark in self._seen:
            return
        if len(self._seen) >= FOLDERS_LIMIT:
            self.skipped.append(folder)
            return
        self._seen.add(mark)
        self._pending.append(folder)


def _model(path: Path) -> ModelFile | None:
    """The model a file is, or the first part of; None for a projector or no ordinary file."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode) or is_later_part(path.name) or is_projector(path):
        return None
    return ModelFile(path, found.st_size + sum(map(_size, parts(path)[1:])))


def _size(part: Path) -> int:
    """Bytes of a part, 0 where it is not there: reading the model will name it."""
    try:
        return part.stat().st_size
    except OSError:
        return 0
