"""Which of llama.cpp's release archives fit a computer, by their names, the best first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rony_desktop.contract.build import Archive, Host, Release, Variant

# Below it a model file can write out of bounds: CVE-2026-27940, after CVE-2026-33298.
FLOOR_BUILD = 8146
# The archives for Linux are built on Ubuntu 22.04.
GLIBC = (2, 35)
_NAME = re.compile(r"llama-b(\d{1,9})-bin-(ubuntu|macos|win)(?:-(.+))?-(x64|arm64)\.(tar\.gz|zip)")
_SYSTEMS = {"Linux": "ubuntu", "Darwin": "macos", "Windows": "win"}
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_KINDS = (
    (re.compile(r"cuda-[\d.]+"), Variant.CUDA),
    (re.compile(r"vulkan"), Variant.VULKAN),
    (re.compile(r"(rocm-[\d.]+|hip(-radeon)?)"), Variant.ROCM),
    (re.compile(r"(cpu)?"), Variant.CPU),
)
_BUILD = re.compile(r"b(\d{1,9})")


@dataclass(frozen=True, slots=True)
class _Named:
    archive: Archive
    build: int
    variant: Variant
    kind: str


def variants(host: Host) -> tuple[Variant, ...]:
    """The variants that suit a computer, the fastest first; none where no archive runs there.

    Vulkan stands before ROCm, which needs a runtime of its own on the computer.
    """
    if _place(host) is None:
        return ()
    if host.system == "Darwin":
        arm = _MACHINES[host.machine.lower()] == "arm64"
        return (Variant.METAL,) if arm else (Variant.CPU,)
    found = []
    if "nvidia" in host.makers:
        found.append(Variant.CUDA)
    if host.makers:
        found.append(Variant.VULKAN)
    if "amd" in host.makers:
        found.append(Variant.ROCM)
    return (*found, Variant.CPU)


def offers(
    host: Host, builds: Mapping[int, Iterable[Archive]], *, pinned: bool
) -> tuple[Release, ...]:
    """What of some builds fits a computer: the newest build first, in it the best variant."""
    wanted, place = variants(host), _place(host)
    found = []
    for build in sorted(builds, reverse=True):
        archives = tuple(builds[build])
        named = [each for each in _named(archives, place) if each.build == build]
        for variant in wanted:
            fitting = [each for each in named if each.variant is variant]
            whole = _whole(min(fitting, key=_version, default=None), archives)
            if whole:
                found.append(Release(build, variant, whole, pinned))
    return tuple(found)


def is_below_floor(build: str) -> bool:
    """Whether a build such as b8000 has known holes; one that is not known has none."""
    number = _BUILD.fullmatch(build)
    return number is not None and int(number[1]) < FLOOR_BUILD


def _place(host: Host) -> tuple[str, str] | None:
    """System and machine as archives name them; None where there is no archive for them."""
    system, machine = _SYSTEMS.get(host.system), _MACHINES.get(host.machine.lower())
    if system is None or machine is None:
        return None
    if system == "ubuntu" and (host.libc[0] != "glibc" or _numbers(host.libc[1]) < GLIBC):
        return None
    return system, machine


def _named(archives: Iterable[Archive], place: tuple[str, str] | None) -> Iterator[_Named]:
    for archive in archives:
        found = _NAME.fullmatch(archive.name)
        if found is None or (found[2], found[4]) != place:
            continue
        kind = found[3] or ""
        for pattern, variant in _KINDS:
            if pattern.fullmatch(kind):
                metal = place == ("macos", "arm64") and variant is Variant.CPU
                chosen = Variant.METAL if metal else variant
                yield _Named(archive, int(found[1]), chosen, kind)


def _whole(named: _Named | None, archives: Iterable[Archive]) -> tuple[Archive, ...]:
    """An archive with what it cannot run without; empty where that is not there."""
    if named is None:
        return ()
    if "-win-cuda-" not in named.archive.name:
        return (named.archive,)
    runtime = f"cudart-{re.sub(r'-b[0-9]+', '', named.archive.name, count=1)}"
    found = next((each for each in archives if each.name == runtime), None)
    return (named.archive, found) if found else ()


def _version(named: _Named) -> tuple[int, ...]:
    """The lowest version of CUDA or ROCm runs with the most drivers."""
    return _numbers(named.kind)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text))
