"""What engines take of the computer while they run."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import psutil

from rony_desktop.contract.model import Sample


class EngineMonitor:
    """Implements Monitor. It keeps no time: what is asked for is looked up then. Blocking.

    pids are the engines that run, memory gives total and free bytes of what this process may use,
    signs the stall in percent and the count of kills.
    """

    def __init__(
        self,
        pids: Callable[[], Iterable[int]],
        memory: Callable[[], tuple[int, int]],
        signs: Callable[[], tuple[float | None, int | None]],
    ) -> None:
        self._pids = pids
        self._memory = memory
        self._signs = signs

    def sample(self) -> Sample:
        """How much memory is left now."""
        total, free = self._memory()
        stall, kills = self._signs()
        return Sample(total, free, stall, kills)

    def held_bytes(self) -> int:
        """Memory that comes free when the engines end."""
        return sum(map(held_bytes, self._pids()))


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
