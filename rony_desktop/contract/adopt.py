"""Models that other programs keep, and files that are there twice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Program(StrEnum):
    """Whose store a model is in; NONE where the user named the file."""

    OLLAMA = "Ollama"
    LM_STUDIO = "LM Studio"
    JAN = "Jan"
    GPT4ALL = "GPT4All"
    HUGGING_FACE = "Hugging Face"
    NONE = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A model in the store of another program.

    path is its file, the first where there are several; size_bytes is of all of them. sha256 is
    what the store says, which was not checked, "" where it says nothing.
    """

    program: Program
    name: str
    path: Path
    size_bytes: int
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One content that is on the disk more than once.

    kept is the file the others can share their bytes with; copies are ours and would be replaced
    by links to it.
    """

    sha256: str
    size_bytes: int
    kept: Path
    copies: tuple[Path, ...]

    @property
    def saved_bytes(self) -> int:
        """What becomes free when the copies are links."""
        return self.size_bytes * len(self.copies)
