"""An engine that may not have the memory it asks for ends with that as its cause, at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import EngineState, Launch
from rony_desktop.contract.error import EngineOutOfMemory
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import features
from rony_desktop.engine.supervisor import ProcessSupervisor
from tests.fixture.twin import write_twin

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(shutil.which("prlimit") is None, reason="limits a child with prlimit"),
]
LIMIT_BYTES = 1400 << 20  # of addresses: the starter model loads with 900 MiB


class World:
    """A supervisor of the real engine within the limit, and how often it was started."""

    def __init__(self, tested: Candidate) -> None:
        self.starts = 0
        self._tested = tested
        run_dir = Path(os.environ["XDG_RUNTIME_DIR"]) / "run"
        self.supervisor = ProcessSupervisor(self._find, run_dir, wrap=self._limited)

    async def _find(self) -> Candidate:
        self.starts += 1
        return self._tested

    def _limited(self, argv: list[str]) -> list[str]:
        return ["prlimit", f"--as={LIMIT_BYTES}", *argv]


@pytest.fixture
async def world(engine_binary: Path, tmp_path: Path) -> AsyncIterator[World]:
    found = next(each for each in candidates(None) if each.source is Source.WHEEL)
    made = World(replace(found, flags=await features(found, tmp_path, None)))
    yield made
    await made.supervisor.stop()


@pytest.fixture
def launch(starter_model: Path) -> Launch:
    return Launch(
        model=starter_model,
        alias="smol",
        n_ctx=1024,
        n_batch=512,
        n_ubatch=512,
        threads=2,
        threads_batch=2,
        cache_ram_mb=0,
        gpu_layers=0,
    )


async def out_of_memory(world: World, launch: Launch) -> str:
    with pytest.raises(EngineOutOfMemory) as caught:
        await world.supervisor.start(launch)
    assert world.supervisor.status().state is EngineState.FAILED
    assert world.starts == 1
    return caught.value.params["detail"]


async def test_within_the_limit_it_loads(world: World, launch: Launch) -> None:
    await world.supervisor.start(launch)
    assert world.supervisor.status().state is EngineState.READY


async def test_the_context_does_not_fit(world: World, launch: Launch) -> None:
    assert "allocate" in await out_of_memory(world, replace(launch, n_ctx=131_072))


async def test_a_batch_does_not_fit(world: World, launch: Launch) -> None:
    large = replace(launch, n_ctx=8192, n_batch=8192, n_ubatch=8192, flash_attn="off")
    assert "allocate" in await out_of_memory(world, large)


async def test_the_weights_do_not_fit(world: World, launch: Launch, tmp_path: Path) -> None:
    twin = write_twin("qwen3-4b", tmp_path / "large.gguf", vocabulary=False)
    assert "allocate memory" in await out_of_memory(world, replace(launch, model=twin))
