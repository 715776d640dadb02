"""A runtime over a fake engine with one model, for what works with a runtime."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.app.runtime import Parts, Runtime
from rony_desktop.contract.config import Config
from rony_desktop.contract.engine import Endpoint
from rony_desktop.provider.llamacpp import LlamaCppClient
from rony_desktop.provider.scripted import ScriptedClient
from tests.fake.engine import FakeEngine
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf
from tests.fixture.launch import launches_of


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def feed() -> Feed:
    return Feed()


@pytest.fixture
async def runtime(tmp_path: Path, engine: FakeEngine, feed: Feed) -> Runtime:
    """Not started; its one model is called tiny."""
    (tmp_path / "tiny.gguf").write_bytes(gguf())

    async def idle(_: Endpoint) -> bool:
        return True

    parts = Parts(
        models=Models(Config(), [tmp_path]),
        launches=launches_of(FakeRecordStore()),
        client=LlamaCppClient,
        scripted=lambda name: ScriptedClient.from_file(Path(name)),
        slot_idle=idle,
    )
    runtime = Runtime(parts, engine, feed)
    engine.told = runtime.engine_changed
    return runtime
