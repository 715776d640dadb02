"""What there is of models here: the files, the folders, the downloads that are not finished."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.app.context import AppContext
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.root import Root
from rony_desktop.model.listing import quant_name


@dataclass(frozen=True, slots=True)
class Held:
    """A model here; quant is the kind of its weights as its name says, "" where it does not."""

    id: str
    path: Path
    quant: str
    size_bytes: int
    folder: Path


@dataclass(frozen=True, slots=True)
class Inventory:
    """Every model by name, every folder that was looked into, and what is not here whole."""

    models: tuple[Held, ...]
    roots: tuple[Root, ...]
    unfinished: tuple[Download, ...]


async def take_inventory(app: AppContext) -> Inventory:
    """Look into every folder; no download is started."""
    await app.stock.downloads.restore(go_on=False)
    models, roots = await asyncio.to_thread(_look, app)
    downloads = app.stock.downloads.list()
    unfinished = (each for each in downloads if each.state is not DownloadState.DONE)
    return Inventory(models, roots, tuple(unfinished))


def _look(app: AppContext) -> tuple[tuple[Held, ...], tuple[Root, ...]]:
    scans = app.models.scan()
    held: dict[Path, Held] = {}
    for scan in scans:
        for file in scan.models:
            path, size = file.path.absolute(), file.size_bytes
            one = Held(path.stem, path, quant_name(path.name), size, scan.root.folder)
            held.setdefault(path, one)
    # The id means the first of one name; the others are there and take room all the same.
    models = sorted(held.values(), key=lambda model: model.id.lower())
    return tuple(models), tuple(scan.root for scan in scans)
