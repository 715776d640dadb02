"""What is kept of a download until it is a model: its bytes, and a page that tells what they are.

Of model.gguf the bytes are in model.gguf.part; model.gguf.part.json is of the whole set.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import TypeAdapter

from rony_desktop.contract.download import PAGE
from rony_desktop.contract.error import HubForeign
from rony_desktop.contract.hub import HubFile, Quant

PART = ".part"
_UNSAFE = re.compile(
    r'[\x00-\x1f\x7f<>:"\\|?*]|^\.*$|^~|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)',
    re.IGNORECASE,
)
_QUANT = TypeAdapter(Quant)


@dataclass(slots=True)
class Page:
    """The page of a download: what it is of, the version that came, the files that are whole.

    etags and whole go by a file's name on the hub.
    """

    quant: Quant
    etags: dict[str, str] = field(default_factory=dict)
    whole: list[str] = field(default_factory=list)


_PAGE = TypeAdapter(Page)


def place(folder: Path, file: HubFile) -> Path:
    """Where a file of a hub model belongs: below its model, whose id has two parts.

    Raises:
        HubForeign: its name leads elsewhere, or no system would take it.
    """
    parts = [*file.model.split("/"), *file.name.split("/")]
    if not all(map(_is_name, parts)):
        raise HubForeign(host=f"{file.model!r:.60}", detail=f"it names a file {file.name!r:.60}")
    return folder.joinpath(*parts)


def _is_name(part: str) -> bool:
    """Whether every system takes it and every screen shows it as it is."""
    return part.isprintable() and not _UNSAFE.search(part)


def part_of(target: Path) -> Path:
    """The file that holds the bytes meanwhile."""
    return target.with_name(target.name + PART)


def page_of(target: Path) -> Path:
    """The page of the set whose first file target is."""
    return target.with_name(target.name + PAGE)


def length(path: Path) -> int:
    """Bytes of a file, 0 where there is none, or none that can be looked at."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def kept_bytes(folder: Path, quant: Quant) -> int:
    """Bytes of a download that are there. Blocking."""
    kept = 0
    for file in quant.files:
        target = place(folder, file)
        there = length(target) == file.size_bytes
        kept += length(part_of(target)) or (file.size_bytes if there else 0)
    return kept


def read_page(path: Path) -> Page | None:
    """The page of a download, None where there is none that can be read. Blocking."""
    try:
        return _PAGE.validate_json(path.read_bytes()) if path.is_file() else None
    except (OSError, ValueError):
        return None


def write_page(path: Path, page: Page) -> None:
    """Replace the page: after a kill the old or the new one is there. Blocking. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as file:
        file.write(_PAGE.dump_json(page, indent=1))
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def pages(folder: Path) -> Iterator[Quant]:
    """What of a folder was begun and is not finished. Blocking."""
    for path in sorted(folder.rglob(f"*{PAGE}")):
        page = read_page(path)
        with suppress(HubForeign):
            # A page that was moved to another place says nothing about what lies beside it.
            if page and page_of(place(folder, page.quant.files[0])) == path:
                yield page.quant


def discard(folder: Path, quant: Quant) -> None:
    """Delete what is kept of a download; models stay. Blocking. Raises OSError."""
    targets = [place(folder, file) for file in quant.files]
    for path in (*map(part_of, targets), page_of(targets[0])):
        path.unlink(missing_ok=True)
    below = PurePosixPath(quant.model, quant.files[0].name).parents
    for parent in below[:-1]:
        try:
            folder.joinpath(parent).rmdir()
        except OSError:
            return


def to_json(quant: Quant) -> Any:
    """A quant as JSON values."""
    return json.loads(_QUANT.dump_json(quant))


def from_json(value: Any) -> Quant:
    """A quant from JSON values. Raises ValueError."""
    return _QUANT.validate_python(value, strict=False)
