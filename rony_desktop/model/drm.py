"""Graphics devices as the Linux kernel shows them in sysfs.

AMD: Linux, Documentation/gpu/amdgpu/driver-misc.rst. Intel's driver gives the memory of discrete
cards in some versions only.
"""

from __future__ import annotations

import re
from pathlib import Path

from rony_desktop.contract.model import Gpu
from rony_desktop.model.sysfs import read_number, read_text

VENDORS = {"0x1002": "AMD", "0x8086": "Intel", "0x10de": "NVIDIA"}
_CARD = re.compile(r"card\d+")


def read_cards(drm: Path = Path("/sys/class/drm")) -> tuple[Gpu, ...]:
    """Every card of a known maker; none where there is no sysfs."""
    try:
        cards = sorted(path for path in drm.iterdir() if _CARD.fullmatch(path.name))
    except OSError:
        return ()
    return tuple(gpu for gpu in map(read_card, cards) if gpu)


def read_card(card: Path) -> Gpu | None:
    """One card; None for one of another maker, such as a server's or a virtual display."""
    device = card / "device"
    vendor = VENDORS.get(read_text(device / "vendor"))
    if vendor is None:
        return None
    name = read_text(device / "product_name") or f"GPU {read_text(device / 'device')}".strip()
    name = name if name.startswith(vendor) else f"{vendor} {name}"
    if vendor == "AMD":
        total = read_number(device / "mem_info_vram_total")
        used = read_number(device / "mem_info_vram_used")
        free = None if total is None or used is None else max(0, total - used)
        return Gpu(name, total_bytes=total, free_bytes=free, integrated=_amd_integrated(device))
    if vendor == "Intel":
        total, free = read_number(card / "lmem_total_bytes"), read_number(card / "lmem_avail_bytes")
        # The part of the processor sits on the root bus; every card is behind a bridge.
        slot = re.search(r"^PCI_SLOT_NAME=\w+:(\w+):", read_text(device / "uevent"), re.MULTILINE)
        integrated = int(slot[1], 16) == 0 if slot else None
        return Gpu(name, total_bytes=total, free_bytes=free, integrated=integrated)
    return Gpu(name)


def _amd_integrated(device: Path) -> bool | None:
    """The kernel hides these two counters on processors with graphics (amdgpu_pm.c)."""
    if any((device / counter).exists() for counter in ("mem_busy_percent", "pcie_bw")):
        return False
    return True if (device / "gpu_busy_percent").exists() else None
