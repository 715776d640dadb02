"""Folders that models are looked for in, as they were found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class RootState(StrEnum):
    """What became of looking into a folder. SILENT: it did not answer in time."""

    READY = "ready"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Root:
    """A folder with models at any depth, or one that is not there now.

    models counts what was found; skipped are folders and files that could not be looked at, the
    first of them where there are many; writable is False where nothing can be put into it.
    """

    folder: Path
    state: RootState
    models: int = 0
    writable: bool = False
    skipped: tuple[Path, ...] = ()
