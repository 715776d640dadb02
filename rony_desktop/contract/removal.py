"""What deleting a model would do, known before it is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Removal:
    """The files of a model and the bytes that become free without them.

    ours is False where they lie outside of the program's folder and stay; linked says that the
    bytes belong to another name as well, so that only a link goes.
    """

    files: tuple[Path, ...]
    freed_bytes: int
    ours: bool
    linked: bool
