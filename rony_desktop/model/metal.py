"""The memory Apple's Metal lets a program use, which is the computer's own.

The system's figure (recommendedMaxWorkingSetSize) needs Objective-C, so it is estimated: two thirds
of memory up to 32 GB and three quarters above, the low end of what engines report on such machines.
"""

from __future__ import annotations

from rony_desktop.contract.model import Gpu
from rony_desktop.model import sysctl

GIB = 1 << 30
MIB = 1 << 20
SMALL_BYTES = 32 * GIB


def read_apple(ram_bytes: int, ram_free_bytes: int) -> tuple[Gpu, ...]:
    """The graphics part of Apple silicon; none on any other machine."""
    name = sysctl.read_text("machdep.cpu.brand_string")
    if not name.startswith("Apple"):
        return ()
    wired_mb = sysctl.read_number("iogpu.wired_limit_mb") or 0
    return (unified(name, ram_bytes, ram_free_bytes, wired_mb),)


def unified(name: str, ram_bytes: int, ram_free_bytes: int, wired_limit_mb: int = 0) -> Gpu:
    """The device with the limit the user set, or 0 for the system's own, which is estimated."""
    usual = ram_bytes * 2 // 3 if ram_bytes <= SMALL_BYTES else ram_bytes * 3 // 4
    total = min(ram_bytes, wired_limit_mb * MIB) or usual
    return Gpu(
        name=name,
        total_bytes=total,
        free_bytes=min(total, ram_free_bytes),
        integrated=True,
        estimated=not wired_limit_mb,
    )
