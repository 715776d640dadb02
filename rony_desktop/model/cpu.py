"""The processor: its name, what it can, and how many cores of which kind."""

from __future__ import annotations

import functools
import math
import os
import platform
import re
import sys
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

import psutil

from rony_desktop.model import efficiency, sysctl
from rony_desktop.model.sysfs import read_text

# Others make py-cpuinfo raise when it is imported.
DESCRIBED = re.compile(r"x86_64|amd64|arm64|aarch64|ppc64(le)?|riscv64|s390x")
# What llama.cpp chooses kernels by, as macOS and as Linux calls it.
ARM_FLAGS = {"DotProd": "asimddp", "I8MM": "i8mm", "BF16": "bf16", "FP16": "asimdhp", "SME": "sme"}


@dataclass(frozen=True, slots=True)
class Cores:
    """Cores this process may use; performance is None where fast and slow cannot be told apart."""

    logical: int
    physical: int
    performance: int | None


def read_cpu(cpuinfo: Path = Path("/proc/cpuinfo")) -> tuple[str, frozenset[str]]:
    """Name and flags, each empty where it is not known.

    Where Linux's file is missing or silent this may start a program, once.
    """
    name, flags = parse_cpuinfo(read_text(cpuinfo))
    if flags:
        return name, flags
    described, more = _described()
    return name or described, more | _arm_flags()


def parse_cpuinfo(text: str) -> tuple[str, frozenset[str]]:
    """Name and flags from Linux's /proc/cpuinfo, whose words differ by architecture."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        key, colon, value = line.partition(":")
        if colon:
            values.setdefault(key.strip().lower(), value.strip())
    names = (values.get(key) for key in ("model name", "cpu model", "hardware", "model", "cpu"))
    name = next((name for name in names if name and not name.isdigit()), "")
    flags = values.get("flags") or values.get("features") or ""
    return name, frozenset(flags.lower().split())


@functools.cache
def _described() -> tuple[str, frozenset[str]]:
    """What py-cpuinfo finds: it asks the registry, sysctl, lscpu and CPUID (0.2 to 1.5 s)."""
    if not DESCRIBED.fullmatch(platform.machine().lower()):
        return "", frozenset()
    import cpuinfo

    try:
        found = cpuinfo.get_cpu_info()
    except (OSError, ValueError):
        return "", frozenset()
    return str(found.get("brand_raw", "")), frozenset(map(str, found.get("flags", ())))


def _arm_flags() -> frozenset[str]:
    features = {f"hw.optional.arm.FEAT_{name}": flag for name, flag in ARM_FLAGS.items()}
    return frozenset(flag for name, flag in features.items() if sysctl.read_number(name))


def read_cores(quota: float | None = None, devices: Path = Path("/sys/devices")) -> Cores:
    """Count the cores of this process's affinity; a quota in processors caps them."""
    allowed = allowed_cpus()
    most = len(allowed) if quota is None else max(1, min(len(allowed), math.ceil(quota)))
    physical = min(most, physical_cores(allowed, devices) or psutil.cpu_count(False) or most)
    fast = performance_cores(allowed, devices)
    if fast is None:
        fast = sysctl.read_number("hw.perflevel0.physicalcpu") or efficiency.performance_cores()
    return Cores(most, physical, None if fast is None else min(fast, physical))


def allowed_cpus() -> frozenset[int]:
    """Numbers of the logical processors this process may run on."""
    bound: list[int] = []
    if sys.platform != "darwin":
        bound = psutil.Process().cpu_affinity()
    return frozenset(bound or range(os.cpu_count() or 1))


def physical_cores(allowed: Set[int], devices: Path = Path("/sys/devices")) -> int | None:
    """Physical cores behind logical processors on Linux; siblings of one core share a list."""
    folder = devices / "system/cpu"
    lists = {read_text(folder / f"cpu{cpu}/topology/thread_siblings_list") for cpu in allowed}
    return None if "" in lists else len(lists)


def performance_cores(allowed: Set[int], devices: Path = Path("/sys/devices")) -> int | None:
    """Physical cores of the fast kind among these on Linux; all of them where kinds are equal.

    Intel's hybrids list their fast processors under cpu_core; others are of one kind and have one
    list named cpu. Arm gives each processor a capacity, of which the least marks the slow kind.
    """
    listed = read_text(devices / "cpu_core/cpus")
    if listed:
        return physical_cores((allowed & parse_list(listed)) or allowed, devices)
    folder = devices / "system/cpu"
    found = {number: read_text(folder / f"cpu{number}/cpu_capacity") for number in allowed}
    if all(text.isdigit() for text in found.values()):
        least = min(map(int, found.values()))
        fast = {number for number in allowed if int(found[number]) > least}
        return physical_cores(fast or allowed, devices)
    return physical_cores(allowed, devices) if (devices / "cpu").is_dir() else None


def parse_list(text: str) -> frozenset[int]:
    """Numbers of a Linux list such as 0-3,8; empty where it is none."""
    numbers: set[int] = set()
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        if first.isdigit() and (last or first).isdigit():
            numbers.update(range(int(first), int(last or first) + 1))
    return frozenset(numbers)
