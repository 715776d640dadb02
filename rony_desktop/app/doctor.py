"""Examines this computer: what works and what does not, as codes for the shells to word."""

from __future__ import annotations

import asyncio
import platform
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial

from rony_desktop import __version__
from rony_desktop.app.budget import monitor_of
from rony_desktop.app.check import Check, Found
from rony_desktop.app.context import AppContext
from rony_desktop.contract.build import Source
from rony_desktop.contract.error import EngineError, NotAChatModel, RonyError
from rony_desktop.contract.model import Gpu, Machine
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import devices
from rony_desktop.engine.probe import probe
from rony_desktop.engine.release import FLOOR_BUILD, is_below_floor
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.gpu import HEADING
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.model.quant import quant_of
from rony_desktop.tool.sandbox.root import Root

MIB = 1 << 20
# What builds of the engine are made for, and the flag that tells it.
_EXTENSIONS = {"AVX2": "avx2", "AVX-512": "avx512f"}
_X86 = ("x86_64", "amd64")

Look = Callable[[AppContext], Iterator[Check]]


async def examine(app: AppContext, model: str = "") -> AsyncIterator[Check]:
    """Look at one thing after another; a part that cannot be looked at is a failed check.

    Nothing is left running; an engine in use goes on, and chats are not touched.
    """
    parts: dict[str, Look] = {
        "system": _system,
        "folders": _folders,
        "disk": _disk,
        "settings": _settings,
        "sandbox": _sandbox,
        "memory": _machine,
    }
    for name, look in parts.items():
        for check in await _looked(name, partial(look, app)):
            yield check
    working: list[Candidate] = []
    async for check in _engines(app, working):
        yield check
    engine = working[0] if working else None
    listed = await _listed(app, engine) if engine else ""
    for check in await _looked("gpu", partial(_gpus, engine, listed)):
        yield check
    for check in await _looked("model", partial(_model, app, model)):
        yield check


async def _looked(name: str, look: Callable[[], Iterator[Check]]) -> list[Check]:
    """What look found, or the error it raised, as checks."""
    try:
        return await asyncio.to_thread(lambda: list(look()))
    except (RonyError, OSError) as error:
        return [Check.of(name, _known(error).failure())]


def _known(error: RonyError | OSError) -> RonyError:
    return error if isinstance(error, RonyError) else RonyError(detail=error)


def _check(name: str, found: Found, **params: object) -> Check:
    """A check that found nothing wrong."""
    return Check(name, "ok", found, _words(params))


def _warning(name: str, found: Found, **params: object) -> Check:
    return Check(name, "warning", found, _words(params))


def _words(params: dict[str, object]) -> dict[str, str]:
    return {key: str(value) for key, value in params.items()}


def _system(_app: AppContext) -> Iterator[Check]:
    python, system = platform.python_version(), platform.platform()
    yield _check("system", Found.SYSTEM, version=__version__, python=python, system=system)


def _folders(app: AppContext) -> Iterator[Check]:
    app.place.prepare()
    data, config = app.place.data_dir, app.place.config_dir
    yield _check("folders", Found.FOLDERS, data=data, config=config)


def _disk(app: AppContext) -> Iterator[Check]:
    folder = next(p for p in (app.place.data_dir, *app.place.data_dir.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    short = free < app.config.llama.disk_reserve_mb * MIB
    found, make = (Found.DISK_SHORT, _warning) if short else (Found.DISK, _check)
    yield make("disk", found, free_bytes=free, folder=app.place.data_dir)


def _settings(app: AppContext) -> Iterator[Check]:
    if not app.notices and app.place.config_file.exists():
        yield _check("settings", Found.SETTINGS, path=app.place.config_file)
    elif not app.notices:
        yield _check("settings", Found.SETTINGS_DEFAULT)
    for failure in app.notices:
        yield Check.of("settings", failure, "warning")


def _sandbox(app: AppContext) -> Iterator[Check]:
    """What would hold tools inside a folder here, tried on the program's own."""
    try:
        with Root(app.place.config_dir) as root:
            yield _check("sandbox", Found.SANDBOX, mode=root.mode)
    except (OSError, RonyError) as error:
        cause = _known(error).failure()
        yield Check("sandbox", "failed", Found.SANDBOX_BROKEN, cause=cause)


def _machine(app: AppContext) -> Iterator[Check]:
    machine, monitor = HardwareProbe().detect(), monitor_of(app.fleet)
    sample = monitor.sample()
    sizes = {
        "free_bytes": sample.ram_free_bytes,
        "total_bytes": sample.ram_bytes,
        "cores": machine.physical_cores,
    }
    if held := monitor.held_bytes():
        yield _check("memory", Found.MEMORY_HELD, **sizes, held_bytes=held)
    else:
        yield _check("memory", Found.MEMORY, **sizes)
    yield _processor(machine)
    if machine.on_battery is not None:
        yield _check("power", Found.BATTERY if machine.on_battery else Found.MAINS)


def _processor(machine: Machine) -> Check:
    name = machine.cpu_name or machine.architecture or platform.machine()
    if machine.architecture.lower() not in _X86 or not machine.cpu_flags:
        return _check("processor", Found.PROCESSOR, processor=name)
    lacking = [word for word, flag in _EXTENSIONS.items() if flag not in machine.cpu_flags]
    if not lacking:
        return _check("processor", Found.PROCESSOR_FULL, processor=name)
    old = "avx2" not in machine.cpu_flags
    found, make = (Found.PROCESSOR_OLD, _warning) if old else (Found.PROCESSOR_LACKS, _check)
    return make("processor", found, processor=name, missing=", ".join(lacking))


async def _engines(app: AppContext, working: list[Candidate]) -> AsyncIterator[Check]:
    """Test-run every engine; one that works is enough, the one the user set must."""
    configured = app.config.llama.binary_path
    try:
        chosen = await app.base.engines.chosen()
    except RonyError as error:
        yield Check.of("engine", error.failure())
        return
    for candidate in await asyncio.to_thread(candidates, configured, chosen):
        yield await _engine(app, candidate, working)
    if not working and configured is None:
        yield Check("engine", "failed", Found.ENGINE_NONE)


async def _engine(app: AppContext, candidate: Candidate, working: list[Candidate]) -> Check:
    try:
        tried = await probe(candidate, app.place.cache_dir)
    except (RonyError, OSError) as error:
        params, cause = {"engine": candidate.label}, _known(error).failure()
        if candidate.source is Source.CONFIGURED:
            return Check("engine", "failed", Found.ENGINE_BROKEN, params, cause)
        return Check("engine", "warning", Found.ENGINE_SPARE, params, cause)
    working.append(tried)
    if is_below_floor(tried.build):
        words = {"engine": tried.label, "build": tried.build, "floor": FLOOR_BUILD}
        return _warning("engine", Found.ENGINE_OLD, **words)
    return _check("engine", Found.ENGINE, engine=tried.label, build=tried.build)


async def _listed(app: AppContext, engine: Candidate) -> str:
    """What the engine says of the devices it can use; empty where it cannot be asked."""
    try:
        return await devices(engine, app.place.cache_dir)
    except (EngineError, OSError):
        return ""


def _gpus(engine: Candidate | None, listed: str) -> Iterator[Check]:
    """Every graphics card, and whether the engine that is used first lists it."""
    gpus = HardwareProbe(list_devices=lambda: listed).detect().gpus
    for gpu in gpus:
        if gpu.device:
            yield _usable(gpu)
        elif engine and HEADING in listed:
            yield _warning("gpu", Found.GPU_UNLISTED, gpu=gpu.name, engine=engine.label)
        else:
            yield _warning("gpu", Found.GPU_UNASKED, gpu=gpu.name)
    if not gpus:
        yield _check("gpu", Found.GPU_NONE)


def _usable(gpu: Gpu) -> Check:
    if gpu.free_bytes is None or gpu.total_bytes is None:
        return _check("gpu", Found.GPU_PLAIN, device=gpu.device, gpu=gpu.name)
    free, total = gpu.free_bytes, gpu.total_bytes
    sizes = {"free_bytes": free, "total_bytes": total}
    return _check("gpu", Found.GPU, device=gpu.device, gpu=gpu.name, **sizes)


def _model(app: AppContext, name: str) -> Iterator[Check]:
    model = app.models.chosen(name)
    if model.path is None:
        found = f"{model.provider}:{model.id}"
        yield _check("model", Found.MODEL_ELSEWHERE, model=found)
        return
    metadata = GgufMetadataReader().read(model.path)
    if not metadata.chat_template:
        raise NotAChatModel(path=model.path.name)
    yield _check(
        "model",
        Found.MODEL,
        model=model.id,
        architecture=metadata.architecture,
        size_bytes=metadata.size_bytes,
        context=metadata.context_length,
        quant=quant_of(metadata),
    )
