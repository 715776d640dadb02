"""What this machine can do, measured in well under a second: how fast it reads, how fast it counts.

Standard library only: copies and hashes release the interpreter's lock, so threads show what all
cores do together.
"""

from __future__ import annotations

import asyncio
import ctypes
import hashlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from rony_desktop.contract.model import Machine
from rony_desktop.contract.port import RecordStore

KIND = "machine"
MIB = 1 << 20
# Larger than the caches of desktop processors, so that memory is what is measured.
COPY_BYTES = 32 * MIB
HASH_BYTES = MIB
# The best of short slices: what else runs comes in bursts.
SLICES, SLICE_S = 4, 0.05
# So many fill the memory of a desktop, and more would take much of it for the copies.
MOST_THREADS = 4
# MD5 is one chain of dependent steps: about five cycles a byte on every processor since 2006, so
# it tells the clock a core really has.
CYCLES_OF_A_BYTE = 5.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Bytes a second read from memory by one thread and by all, and cycles a second of one core."""

    thread_bytes_per_s: float
    read_bytes_per_s: float
    cycles_per_s: float


def probe(threads: int) -> Calibration:
    """Measure this machine with so many threads. Blocking, two thirds of a second."""
    threads = max(1, min(threads, MOST_THREADS))
    # A copy reads what it writes elsewhere.
    one = 2 * _rate(1, COPY_BYTES, _copier)
    every = 2 * _rate(threads, COPY_BYTES, _copier) if threads > 1 else one
    cycles = CYCLES_OF_A_BYTE * _rate(1, HASH_BYTES, _hasher)
    return Calibration(one, max(one, every), cycles)


async def calibration(records: RecordStore, machine: Machine) -> Calibration:
    """What was measured on this machine once, else what is measured now and kept."""
    key = machine_key(machine)
    found = _read(await records.get(KIND, key))
    if found is None:
        found = await asyncio.to_thread(probe, machine.physical_cores)
        await records.put(KIND, key, asdict(found))
    return found


def machine_key(machine: Machine) -> str:
    """A machine by what decides its speed: a home folder may move to another computer."""
    gpus = "+".join(sorted(gpu.name for gpu in machine.gpus if gpu.device))
    name = machine.cpu_name or machine.architecture or "unknown"
    return f"{name} x{machine.physical_cores} {gpus}".strip()


def _read(record: Mapping[str, Any] | None) -> Calibration | None:
    """A record's numbers; None where it has none that can be used."""
    if record is None:
        return None
    rates = [record.get(each.name) for each in fields(Calibration)]
    usable = [float(rate) for rate in rates if isinstance(rate, int | float) and rate > 0]
    return Calibration(*usable) if len(usable) == len(rates) else None


def _rate(threads: int, size: int, prepare: Callable[[int], Callable[[], object]]) -> float:
    """Bytes a second of all threads together, each doing work on so many bytes at a time."""
    works = [prepare(size) for _ in range(threads)]
    for work in works:
        work()  # the first time, the system hands out the pages
    return max(_slice(works, size) for _ in range(SLICES))


def _slice(works: Sequence[Callable[[], object]], size: int) -> float:
    done = [0] * len(works)
    start = time.perf_counter()

    def run(index: int) -> None:
        while time.perf_counter() - start < SLICE_S:
            works[index]()
            done[index] += size

    running = [threading.Thread(target=run, args=(index,)) for index in range(len(works))]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return sum(done) / (time.perf_counter() - start)


def _copier(size: int) -> Callable[[], object]:
    kind = ctypes.c_char * size
    source, target = kind(), kind()
    return lambda: ctypes.memmove(target, source, size)


def _hasher(size: int) -> Callable[[], object]:
    content = bytes(size)
    return lambda: hashlib.md5(content, usedforsecurity=False).digest()
