"""What deleting a model would do, known before it is done."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Removal:
    """The files of a model and the bytes that become free without them.

    ours is False where they lie outside of the program's folder and stay; linked says that bytes
    stay, because another name leads to them. An unfinished one is a download of which a part is
    here. path is where the model is, or would be.
    """

    files: tuple[Path, ...]
    freed_bytes: int
    ours: bool = True
    linked: bool = False
    name: str = ""
    path: Path = Path()
    unfinished: bool = False
