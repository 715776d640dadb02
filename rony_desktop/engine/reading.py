"""What an engine says of the memory it takes, read from its output line by line.

Buffers are named at verbosity 4, the pass that only counts has its table at 5 (llama.cpp b10434).
"""

from __future__ import annotations

import re
from dataclasses import replace

from rony_desktop.contract.engine import Buffer, Loaded

MIB = 1 << 20
# The last line of the pass that counts without allocating; what follows is the real load.
LONGEST = 400
COUNTED = "fitting params to free memory took"
_BUFFER = re.compile(r"(\S+) +(model|KV|RS|output|compute) buffer size = +([\d.]+) MiB")
_CONTEXT = re.compile(r"llama_context: n_ctx += (\d+)")
_OFFLOADED = re.compile(r"offloaded (\d+)/(\d+) layers to GPU")
# "| - Host | 113 = 77 + 34 + 2 |", and for a device "| - GPU (name) | total = free + (62 = 43 + ".
_ROW = re.compile(r"\|\s+- (\S+)[^|]*\|.*?(\d+) = +(\d+) \+ +(\d+) \+ +(\d+)\b")
_PARTS = {
    "model": "model_bytes",
    "KV": "context_bytes",
    "RS": "context_bytes",
    "output": "compute_bytes",
    "compute": "compute_bytes",
}


class Reading:
    """Collects what the lines say; counted tells that the pass without allocation is over."""

    def __init__(self) -> None:
        self.counted = False
        self._n_ctx: int | None = None
        self._layers: tuple[int, int] | None = None
        self._buffers: dict[str, Buffer] = {}
        self._rows: dict[str, Buffer] = {}

    def add(self, line: str) -> None:
        """Take one line."""
        if len(line) > LONGEST:
            return
        if COUNTED in line:
            self.counted = True
            self._buffers.clear()  # sizes of nothing
        elif found := _BUFFER.search(line):
            self._take(*found.groups())
        elif found := _CONTEXT.search(line):
            self._n_ctx = int(found[1])
        elif found := _OFFLOADED.search(line):
            self._layers = int(found[1]), int(found[2])
        elif not self.counted and (found := _ROW.search(line)):
            sizes = (int(size) * MIB for size in found.groups()[2:])
            self._rows[found[1]] = Buffer(found[1], *sizes)

    def loaded(self) -> Loaded | None:
        """What was really taken; None where the engine does not say."""
        return self._told(self._buffers)

    def forecast(self) -> Loaded | None:
        """What would be taken, by the table of the counting pass; None where there was none."""
        return self._told(self._rows)

    def _take(self, device: str, part: str, size: str) -> None:
        name = _PARTS[part]
        buffer = self._buffers.get(device) or Buffer(device)
        taken = getattr(buffer, name) + round(float(size) * MIB)
        self._buffers[device] = replace(buffer, **{name: taken})

    def _told(self, buffers: dict[str, Buffer]) -> Loaded | None:
        if not buffers:
            return None
        layers, every = self._layers or (None, None)
        # Without a device it says that all layers are offloaded, and means nothing by it.
        if layers is not None and all(buffer.on_host for buffer in buffers.values()):
            layers = 0
        return Loaded(self._n_ctx, layers, every, tuple(buffers.values()))
