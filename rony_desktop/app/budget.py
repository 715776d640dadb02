"""What is sampled of this computer's memory, and what a role's engine is planned against."""

from __future__ import annotations

from collections.abc import Callable

from rony_desktop.engine.fleet import Fleet
from rony_desktop.engine.monitor import EngineMonitor
from rony_desktop.model.hardware import usable_memory
from rony_desktop.model.stall import read_signs


def monitor_of(fleet: Fleet) -> EngineMonitor:
    """What samples the engines of a fleet and the memory this process may use."""
    return EngineMonitor(fleet.pids, usable_memory, read_signs)


def budget(
    fleet: Fleet, role: str, held: Callable[[], tuple[int, int]]
) -> Callable[[], tuple[int, int]]:
    """What a role may count on beside what is free, in bytes of the computer and of its devices.

    That is what its own engine holds, less the pages of files that others compute with: the system
    calls them free, and taking them makes those engines read their disk for every token.
    """

    def left() -> tuple[int, int]:
        ram, vram = held()
        return ram - fleet.mapped_beside(role), vram

    return left
