"""Installed builds of the engine: a folder each, with a page that says what it is."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from rony_desktop.contract.build import Build, Source, Variant
from rony_desktop.engine.candidate import Candidate

PAGE = "build.json"
PAGE_LIMIT_BYTES = 64 * 1024


def installed(folder: Path) -> tuple[Build, ...]:
    """The builds in a folder, the newest first; what is not whole is none. Blocking."""
    try:
        pages = sorted(folder.glob(f"[!.]*/{PAGE}"))
    except OSError:
        return ()
    found = (build for page in pages if (build := _read(page)))
    return tuple(sorted(found, key=lambda build: (-build.build, build.variant)))


def candidate(build: Build) -> Candidate:
    """An installed build as an engine that may be used."""
    label = f"llama.cpp b{build.build} ({build.variant})"
    # Some archives do not say where their libraries are.
    env = {"LD_LIBRARY_PATH": str(build.program.parent)} if sys.platform == "linux" else {}
    argv = (str(build.program),)
    return Candidate(Source.INSTALLED, argv, build.program, label, f"b{build.build}", env)


def write_page(folder: Path, build: Build, program: str) -> None:
    """Say what the build in a folder is; program is its place there. Raises OSError."""
    page = {
        "build": build.build,
        "variant": build.variant.value,
        "program": program,
        "pinned": build.pinned,
    }
    (folder / PAGE).write_text(json.dumps(page, indent=1), "utf-8")


def _read(page: Path) -> Build | None:
    """The build a page is of; None where it cannot be read, or its program is not there."""
    try:
        if page.stat().st_size > PAGE_LIMIT_BYTES:
            return None
        found = json.loads(page.read_bytes())
        program = page.parent / found["program"]
        build = Build(
            int(found["build"]), Variant(found["variant"]), program, bool(found["pinned"])
        )
        inside = program.resolve().is_relative_to(page.parent.resolve())
    except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return None
    return build if inside and program.is_file() and page.parent.name == build.id else None
