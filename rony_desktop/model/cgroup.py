"""What a container or a service manager lets this process use: limits of Linux control groups.

Both versions are read; a limit of any group above counts (Linux, Documentation/admin-guide/
cgroup-v1/memory.rst, cgroup-v2.rst and scheduler/sched-bwc.rst).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rony_desktop.model.sysfs import read_number, read_text


@dataclass(frozen=True, slots=True)
class Limits:
    """The tightest limits found; None where there is none."""

    memory_bytes: int | None = None
    memory_free_bytes: int | None = None
    cpus: float | None = None


def read_limits(root: Path = Path("/")) -> Limits:
    """Read the limits of this process; none on a system without control groups."""
    groups = parse_groups(read_text(root / "proc/self/cgroup"))
    mount = root / "sys/fs/cgroup"
    memory = [*_memory(mount, groups.get("", "")), *_memory_v1(mount, groups.get("memory", ""))]
    cpus = [*_cpus(mount, groups.get("", "")), *_cpus_v1(mount, groups.get("cpu", ""))]
    return Limits(
        min((limit for limit, _ in memory), default=None),
        min((free for _, free in memory), default=None),
        min(cpus, default=None),
    )


def parse_groups(text: str) -> Mapping[str, str]:
    """Groups of a process by controller, from /proc/self/cgroup; "" is version 2."""
    groups = {}
    for line in text.splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        for controller in controllers.split(","):
            groups[controller] = path
    return groups


def _memory(mount: Path, group: str) -> Iterator[tuple[int, int]]:
    """Limit and what is free below it, of each group upwards."""
    for folder in _upwards(mount, group):
        limit = read_number(folder / "memory.max")
        used = read_number(folder / "memory.current")
        if limit is not None and used is not None:
            yield limit, _free(limit, used, _cache(folder, "active_file", "inactive_file"))


def _memory_v1(mount: Path, group: str) -> Iterator[tuple[int, int]]:
    # No limit is written as a huge one; it then is above the computer's memory and binds nothing.
    for folder in _upwards(mount / "memory", group):
        limit = read_number(folder / "memory.limit_in_bytes")
        used = read_number(folder / "memory.usage_in_bytes")
        if limit is not None and used is not None:
            cache = _cache(folder, "total_active_file", "total_inactive_file")
            yield limit, _free(limit, used, cache)


def _free(limit: int, used: int, cache: int) -> int:
    """File pages are given back before anything is killed, as in the kernel's MemAvailable."""
    return min(limit, max(0, limit - used + cache))


def _cache(folder: Path, *names: str) -> int:
    lines = (line.split() for line in read_text(folder / "memory.stat").splitlines())
    return sum(int(words[1]) for words in lines if len(words) > 1 and words[0] in names)


def _cpus(mount: Path, group: str) -> Iterator[float]:
    for folder in _upwards(mount, group):
        quota, _, period = read_text(folder / "cpu.max").partition(" ")
        if quota.isdecimal() and period.isdecimal() and int(period):
            yield int(quota) / int(period)


def _cpus_v1(mount: Path, group: str) -> Iterator[float]:
    for folder in _upwards(mount / "cpu", group):
        quota = read_number(folder / "cpu.cfs_quota_us")
        period = read_number(folder / "cpu.cfs_period_us")
        if quota and period:
            yield quota / period


def _upwards(mount: Path, group: str) -> Iterator[Path]:
    """Folders of a group and of all above it.

    Inside a container the group's own path may be unknown: then only the mount's top is there.
    """
    path = PurePosixPath(group.lstrip("/"))
    for part in (path, *path.parents):
        yield mount / part
