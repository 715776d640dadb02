"""Open and read through the file sandbox over the plain call."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rony_desktop.tool.sandbox.root import Root
from scripts.bench.figure import Figure

ROUNDS = 30
CALLS = 200
NAME = "a/b/f"
BOUNDS = {"openat2": 5.0, "the walk": 10.0}


def measure() -> list[Figure]:
    """Interleaved rounds, medians."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x" * 1000)
        with Root(folder, kernel=True) as kernel, Root(folder, kernel=False) as walk:
            ways: dict[str, Callable[[], bytes]] = {
                "plain": path.read_bytes,
                "openat2": lambda: kernel.read_bytes(NAME),
                "the walk": lambda: walk.read_bytes(NAME),
            }
            times: dict[str, list[float]] = {name: [] for name in ways}
            for _ in range(ROUNDS):
                for name, way in ways.items():
                    times[name].append(microseconds(way))
    median = {name: statistics.median(found) for name, found in times.items()}
    return [
        Figure(
            f"open and read by {name} over the plain call", median[name] / median["plain"], bound,
            detail=f"{median[name]:.0f} and {median['plain']:.0f} us",
        )
        for name, bound in BOUNDS.items()
    ]  # fmt: skip


def microseconds(way: Callable[[], bytes]) -> float:
    """The mean time of one call."""
    begun = time.perf_counter()
    for _ in range(CALLS):
        way()
    return (time.perf_counter() - begun) / CALLS * 1e6
