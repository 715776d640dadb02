"""The collector runs where it is told, and nowhere else."""

from __future__ import annotations

import gc
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


def test_cycles_wait_for_collect(collector: None) -> None:
    keep_to_this_thread()
    knot = weakref.ref(Knot())
    made = [[] for _ in range(100_000)]  # far above the collector's own thresholds
    assert len(made) == 100_000
    assert knot() is not None
    collect()
    assert knot() is None
