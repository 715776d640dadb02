"""What an engine takes of the computer while it runs."""

from __future__ import annotations

import psutil


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
