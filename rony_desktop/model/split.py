"""Names of the files of a model in several files, as llama-gguf-split gives them."""

from __future__ import annotations

import re
from pathlib import Path

_PART = re.compile(r"-(\d{5})-of-(\d{5})(?=\.gguf$)", re.IGNORECASE)


def is_later_part(name: str) -> bool:
    """Whether a file name is of a part that is not the first."""
    return numbered(name)[0] > 1


def numbered(name: str) -> tuple[int, int]:
    """Which part a file is by its name, and of how many; (1, 1) where it is alone."""
    found = _PART.search(name)
    return (int(found[1]), int(found[2])) if found else (1, 1)


def parts(first: Path) -> tuple[Path, ...]:
    """Every file of a model from its first on; of one in a single file that file."""
    _, count = numbered(first.name)
    if count == 1:
        return (first,)
    names = (part_name(whole_name(first.name), n, count) for n in range(1, count + 1))
    return (first, *(first.with_name(name) for name in names if name != first.name))


def part_name(whole: str, number: int, count: int) -> str:
    """The name of a part of what would be called so in one file; numbers begin at 1."""
    stem, dot, suffix = whole.rpartition(".")
    return f"{stem}-{number:05}-of-{count:05}{dot}{suffix}" if count > 1 else whole


def whole_name(name: str) -> str:
    """What a model would be called in one file."""
    return _PART.sub("", name)
