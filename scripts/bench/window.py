"""The window over a bare PySide6 window, and what the program uses when nothing happens."""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time

import psutil

from rony_desktop.app.neighbour import meeting_place, shared_engine
from scripts.bench.figure import Figure

STARTS = 5
IDLE_S = 20
LOAD_S = 60
CALM_S = 5
OURS = (sys.executable, "-m", "rony_desktop")
BARE = (sys.executable, "-m", "scripts.bench.bare_window")


def started(command: tuple[str, ...]) -> dict[str, float]:
    """The JSON one start prints."""
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def measure() -> list[Figure]:
    """Interleaved starts, medians; then the idle program."""
    ours, bare = [], []
    for _ in range(STARTS):
        bare.append(started(BARE))
        ours.append(started((*OURS, "--smoke")))
    times = [statistics.median(s["window_ms"] for s in found) for found in (ours, bare)]
    sizes = [statistics.median(s["rss_mb"] for s in found) for found in (ours, bare)]
    return [
        Figure(
            "time to window over a bare window's", times[0] / times[1], 3.0,
            detail=f"{times[0]:.0f} and {times[1]:.0f} ms",
        ),
        Figure(
            "memory over a bare window's", sizes[0] / sizes[1], 2.0,
            detail=f"{sizes[0]:.0f} and {sizes[1]:.0f} MB",
        ),
        Figure("CPU when idle", idle_percent(), 0.5, "%", detail=f"over {IDLE_S} s"),
    ]  # fmt: skip


def idle_percent() -> float:
    """CPU of the program and its engine over IDLE_S seconds, the model loaded and nothing asked."""
    program = subprocess.Popen(OURS, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_loaded()
        me = psutil.Process(program.pid)
        family = [me, *me.children(recursive=True)]
        before = cpu_s(family)
        time.sleep(IDLE_S)
        return (cpu_s(family) - before) / IDLE_S * 100
    finally:
        program.terminate()
        program.wait(30)


def wait_until_loaded() -> None:
    """Return a moment after the window lends its engine, which it does when it is ready."""
    deadline = time.monotonic() + LOAD_S
    while asyncio.run(shared_engine(meeting_place())) is None:
        if time.monotonic() > deadline:
            raise TimeoutError("the window's engine did not become ready")
        time.sleep(0.2)
    time.sleep(CALM_S)


def cpu_s(family: list[psutil.Process]) -> float:
    """CPU seconds used so far by these processes."""
    return float(sum(sum(process.cpu_times()[:2]) for process in family))
