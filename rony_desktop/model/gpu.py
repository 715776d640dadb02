"""Devices a model can be offloaded to: what the engine lists, and what the system knows of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rony_desktop.contract.model import Gpu

MIB = 1 << 20
HEADING = "Available devices:"
# common/arg.cpp of llama.cpp: "  %s: %s (%zu MiB, %zu MiB free)".
_LINE = re.compile(r"\s+(\S+?): (.*) \((\d{1,9}) MiB, (\d{1,9}) MiB free\)\s*")
_BACKENDS = {"mtl": "metal", "gpuopencl": "opencl"}
# Accelerate, OpenBLAS: the processor's own memory under another name.
_HOST_BACKENDS = frozenset({"cpu", "blas"})
_VENDORS = {
    "nvidia": re.compile(r"nvidia|geforce|quadro|tesla|\b[rg]tx\b", re.IGNORECASE),
    "amd": re.compile(r"\bamd\b|radeon|instinct|\bgfx\d", re.IGNORECASE),
    "intel": re.compile(r"intel|\barc\b", re.IGNORECASE),
    "apple": re.compile(r"\bapple\b", re.IGNORECASE),
}
# Graphics of a processor, by the names their drivers give them; Iris Xe MAX was a card.
_SHARING = re.compile(
    r"\b(HD|UHD|Arc(\(TM\))?|Vega \d+|Radeon(\(TM\))?) Graphics|Radeon(\(TM\))? \d{3,4}[MS]\b"
    r"|\bIris\b(?!.* MAX)|Adreno|\bMali\b|llvmpipe|^Apple|\b(Orin|Xavier|Tegra|Thor|GB10)\b",
    re.IGNORECASE,
)


def parse_devices(text: str) -> tuple[Gpu, ...] | None:
    """Devices of the engine's --list-devices; None where the text is no such list.

    An engine that does not know a device's memory says 0.
    """
    _, heading, listed = text.partition(HEADING)
    if not heading:
        return None
    lines = (_LINE.fullmatch(line) for line in listed.splitlines())
    found = (_device(*line.groups()) for line in lines if line)
    return tuple(gpu for gpu in found if gpu.backend not in _HOST_BACKENDS)


def _device(device: str, name: str, total: str, free: str) -> Gpu:
    kind = re.split(r"[^a-z]", device.lower())[0]
    total_bytes = int(total) * MIB or None
    return Gpu(
        name=name,
        device=device,
        backend=_BACKENDS.get(kind, kind),
        total_bytes=total_bytes,
        free_bytes=int(free) * MIB if total_bytes else None,
        integrated=True if _SHARING.search(name) else None,
    )


def merge(listed: Sequence[Gpu], found: Sequence[Gpu]) -> tuple[Gpu, ...]:
    """The engine's devices with what the system knows of each, then those it does not list.

    One device may be listed by two backends of an engine; both are then told the same.
    """
    merged: list[Gpu] = []
    taken: set[tuple[str, int]] = set()
    for gpu in listed:
        left = {n: other for n, other in enumerate(found) if (gpu.backend, n) not in taken}
        index = _same(gpu, left)
        if index is None:
            merged.append(gpu)
            continue
        taken.add((gpu.backend, index))
        merged.append(_joined(gpu, found[index]))
    seen = {index for _, index in taken}
    return (*merged, *(gpu for index, gpu in enumerate(found) if index not in seen))


def _same(gpu: Gpu, found: dict[int, Gpu]) -> int | None:
    """The device of the same maker that is nearest in name, then in memory."""
    vendor = vendor_of(gpu.name)
    if not vendor or gpu.backend == "rpc":
        return None
    alike = [index for index, other in found.items() if vendor_of(other.name) == vendor]

    def distance(index: int) -> tuple[bool, int]:
        other = found[index]
        return other.name != gpu.name, abs((other.total_bytes or 0) - (gpu.total_bytes or 0))

    return min(alike, key=distance, default=None)


def _joined(gpu: Gpu, other: Gpu) -> Gpu:
    # A name only suggests it: drivers call some cards "AMD Radeon Graphics" too.
    integrated = gpu.integrated if other.integrated is None else other.integrated
    free = [size for size in (gpu.free_bytes, other.free_bytes) if size is not None]
    if integrated and gpu.free_bytes is not None:
        # The system counts a part set aside at start-up, the engine what it can really have.
        free = [gpu.free_bytes]
    return replace(
        gpu,
        integrated=integrated,
        total_bytes=gpu.total_bytes or other.total_bytes,
        free_bytes=min(free, default=None),
        estimated=other.estimated and gpu.total_bytes is None,
    )


def vendor_of(name: str) -> str:
    """Maker of a device by its name; empty where the name does not tell."""
    return next((vendor for vendor, words in _VENDORS.items() if words.search(name)), "")


def without_repeats(driver: Iterable[Gpu], cards: Iterable[Gpu]) -> tuple[Gpu, ...]:
    """What a maker's driver told, and of the system's cards those of other makers."""
    told = tuple(driver)
    makers = {vendor_of(gpu.name) for gpu in told}
    return (*told, *(card for card in cards if vendor_of(card.name) not in makers))
