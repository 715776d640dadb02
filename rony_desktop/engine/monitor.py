"""What engines take of the computer while they run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import psutil

from rony_desktop.contract.model import Sample


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a sample's parts come from; all of them block.

    memory gives total and free bytes of what this process may use, vram the free bytes of devices,
    signs the stall in percent and the count of kills; pids are the engines that run.
    """

    pids: Callable[[], Iterable[int]]
    memory: Callable[[], tuple[int, int]]
    signs: Callable[[], tuple[float | None, int | None]]
    vram: Callable[[], int | None]


class EngineMonitor:
    """Implements Monitor. It keeps no time: a sample is taken when one is asked for."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources

    def sample(self, *, devices: bool = False) -> Sample:
        """What is taken and what is left now; devices asks their drivers too. Blocking."""
        total, free = self._sources.memory()
        stall, kills = self._sources.signs()
        pids = tuple(self._sources.pids())
        sample = Sample(
            ram_bytes=total,
            ram_free_bytes=free,
            engine_rss_bytes=sum(map(held_and_mapped_bytes, pids)),
            engine_held_bytes=sum(map(held_bytes, pids)),
            stall=stall,
            kills=kills,
        )
        return replace(sample, vram_free_bytes=self._sources.vram()) if devices else sample


def held_bytes(pid: int) -> int:
    """Memory that comes free when a process ends, 0 where it is gone.

    Pages of its files are not counted: they can be had at any time.
    """
    try:
        process = psutil.Process(pid)
        if psutil.LINUX:
            memory = process.memory_info()
            return int(max(0, memory.rss - memory.shared))
        return int(process.memory_full_info().uss)
    except psutil.Error:
        return 0


def held_and_mapped_bytes(pid: int) -> int:
    """All memory a process has, the pages of its files with it; 0 where it is gone."""
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0
