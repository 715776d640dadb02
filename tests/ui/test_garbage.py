"""The collector runs where it is told, and nowhere else."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from collections.abc import Iterator

import pytest

from rony_desktop.ui.garbage import collect, keep_to_this_thread


class Knot:
    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collector() -> Iterator[None]:
    yield
    gc.enable()
    gc.unfreeze()


def test_threads_share_one_heap() -> None:
    """In a process of its own: the choice is for good."""
    script = (
        "import ctypes, threading\n"
        "from rony_desktop.ui.garbage import use_one_heap\n"
        "use_one_heap()\n"
        "threads = [threading.Thread(target=bytearray, args=(100_000,)) for _ in range(8)]\n"
        "[t.start() for t in threads], [t.join() for t in threads]\n"
        "ctypes.CDLL(None).malloc_stats()\n"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "Arena 0:" in said.stderr
    assert "Arena 1:" not in said.stderr


def test_cycles_wait_for_collect(collector: None) -> None:
    keep_to_this_thread()
    knot = weakref.ref(Knot())
    made = [[] for _ in range(100_000)]  # far above the collector's own thresholds
    assert len(made) == 100_000
    assert knot() is not None
    collect()
    assert knot() is None
