"""Scripted engines and a short private folder for their sockets."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import Launch
from rony_desktop.engine.candidate import Candidate

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"


@pytest.fixture
def run_dir() -> Path:
    return Path(os.environ["XDG_RUNTIME_DIR"]) / "run"


@pytest.fixture
def scripted() -> Callable[[str], Candidate]:
    def make(behaviour: str) -> Candidate:
        argv = (sys.executable, "-S", "-E", str(SCRIPT), behaviour)
        flags = frozenset({"--offline", "--no-ui"})
        return Candidate(Source.PATH, argv, SCRIPT, f"scripted {behaviour}", flags=flags)

    return make


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    return Launch(
        model=tmp_path / "m.gguf",
        alias="m",
        n_ctx=512,
        n_batch=64,
        n_ubatch=64,
        threads=1,
        threads_batch=1,
        cache_ram_mb=64,
    )
