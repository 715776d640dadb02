from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from rony_desktop.model.flush import STEP_BYTES, Flush


def test_it_writes_through_after_every_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Semaphore(0)
    monkeypatch.setattr(os, "fsync", lambda _: done.release())
    with (tmp_path / "x").open("wb") as file, Flush(file.fileno()) as flush:
        flush.wrote(STEP_BYTES - 1)
        assert not done.acquire(timeout=0.05)
        flush.wrote(1)
        assert done.acquire(timeout=5)
        flush.wrote(STEP_BYTES)
        assert done.acquire(timeout=5)
    assert "flush" not in [thread.name for thread in threading.enumerate()]
