"""Examines this computer: what works, what does not, and what to do about it."""

from __future__ import annotations

import asyncio
import platform
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rony_desktop import __version__
from rony_desktop.app.context import AppContext
from rony_desktop.app.engine import Engines
from rony_desktop.app.factory import create_app
from rony_desktop.contract.error import (
    BinaryUnusable,
    Failure,
    NotAChatModel,
    RonyError,
    error_class,
    fill,
)
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate, Source
from rony_desktop.engine.probe import probe
from rony_desktop.engine.release import FLOOR_BUILD, is_below_floor
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.tool.sandbox.root import Root

GIB = 1 << 30
MIB = 1 << 20
_BORDERS = {
    "openat2": "the kernel (openat2)",
    "walk": "a walk of handles that follows no link",
    "handle": "the system's handles",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; remedy is empty where all is well."""

    name: str
    status: Literal["ok", "warning", "failed"]
    detail: str
    remedy: str = ""


async def examine(model: str | None, *, trust: bool = False) -> AsyncIterator[Check]:
    """Look at one thing after another; nothing is left running, and chats are not touched."""
    yield _system()
    app = await asyncio.to_thread(create_app, trust=trust)
    yield await _checked("folders", lambda: _folders(app))
    yield await asyncio.to_thread(_disk, app)
    for check in _configuration(app):
        yield check
    yield await asyncio.to_thread(_sandbox, app)
    yield await _checked("memory", _memory)
    async for check in _engines(app):
        yield check
    yield await _checked("model", lambda: _model(app, model or ""))


async def _checked(name: str, look: Callable[[], str]) -> Check:
    """What look found, or the error it raised, as a check."""
    try:
        return Check(name, "ok", await asyncio.to_thread(look))
    except RonyError as error:
        return _failed(name, error.failure())


def _failed(name: str, failure: Failure, status: Literal["warning", "failed"] = "failed") -> Check:
    kind = error_class(failure.code)
    sentence = fill(kind.sentence, failure.params)
    return Check(name, status, sentence, fill(kind.remedy, failure.params))


def _system() -> Check:
    detail = f"Rony Desktop {__version__}, Python {platform.python_version()}, "
    return Check("system", "ok", f"{detail}{platform.platform()}")


def _folders(app: AppContext) -> str:
    app.place.prepare()
    return f"data {app.place.data_dir}, settings {app.place.config_dir}"


def _disk(app: AppContext) -> Check:
    folder = next(p for p in (app.place.data_dir, *app.place.data_dir.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    detail = f"{free / GIB:.1f} GB free for {app.place.data_dir}"
    if free >= app.config.llama.disk_reserve_mb * MIB:
        return Check("disk", "ok", detail)
    return Check("disk", "warning", detail, "Free some space; chats need a little, models a lot.")


def _configuration(app: AppContext) -> Iterator[Check]:
    if not app.notices:
        there = app.place.config_file.exists()
        detail = str(app.place.config_file) if there else "the defaults; there is no settings file"
        yield Check("settings", "ok", detail)
    for failure in app.notices:
        yield _failed("settings", failure, "warning")


def _sandbox(app: AppContext) -> Check:
    """What would hold tools inside a folder here, tried on the program's own."""
    try:
        with Root(app.place.config_dir) as root:
            mode = root.mode
    except (OSError, RonyError) as error:
        return Check("sandbox", "failed", str(error), "Tools cannot be used until this is solved.")
    return Check("sandbox", "ok", f"file tools are held in their folder by {_BORDERS[mode]}")


def _memory() -> str:
    machine = HardwareProbe().detect()
    free, total = machine.ram_free_bytes / GIB, machine.ram_bytes / GIB
    return f"{free:.1f} of {total:.1f} GB free, {machine.physical_cores} cores"


async def _engines(app: AppContext) -> AsyncIterator[Check]:
    """Test-run every engine; one that works is enough, the one the user set must."""
    configured = app.config.llama.binary_path
    good = False
    try:
        chosen = await Engines(app.config.llama, app.place, app.records).chosen()
    except RonyError as error:
        yield _failed("engine", error.failure())
        return
    for candidate in await asyncio.to_thread(candidates, configured, chosen):
        check, computes = await _engine(candidate, app.place.cache_dir)
        good = good or computes
        yield check
    if not good and configured is None:
        remedy = "Set llama.binary_path to a llama-server that runs here."
        yield Check("engine", "failed", "no engine works on this computer", remedy)


async def _engine(candidate: Candidate, folder: Path) -> tuple[Check, bool]:
    """Test-run an engine; also says whether it computes."""
    try:
        tried = await probe(candidate, folder)
    except RonyError as error:
        detail = f"{candidate.label}: {fill(error.sentence, error.params)}"
        if candidate.source is Source.CONFIGURED:
            return Check("engine", "failed", detail, BinaryUnusable.remedy), False
        return Check("engine", "warning", detail, "Nothing, where another engine works."), False
    detail = f"{tried.label} (build {tried.build}) computes"
    if is_below_floor(tried.build):
        detail = f"{detail}, but a model file can attack builds below b{FLOOR_BUILD}"
        return Check("engine", "warning", detail, "Install one: rony-desktop engine install."), True
    return Check("engine", "ok", detail), True


def _model(app: AppContext, name: str) -> str:
    model = app.models.chosen(name)
    if model.path is None:
        return f"{model.provider}:{model.id}"
    metadata = GgufMetadataReader().read(model.path)
    if not metadata.chat_template:
        raise NotAChatModel(path=model.path.name)
    size = f"{metadata.size_bytes / GIB:.2f} GB"
    return f"{model.id}: {metadata.architecture}, {size}, context {metadata.context_length}"
