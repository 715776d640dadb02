"""The host does what llama-server does with the same words, and with the same left out."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import Launch
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import arguments, features
from rony_desktop.engine.forecast import forecast
from rony_desktop.engine.process import environment, spawn
from rony_desktop.engine.reading import COUNTED
from tests.fixture.twin import write_twin

pytestmark = pytest.mark.engine
LAYERS = 11  # two digits: layer 1 must not be taken for layer 10
LIMIT_S = 30
KEPT = re.compile(r"tensor (\S+) \(.*buffer type overridden to CPU")


@pytest.fixture
def launch(tmp_path: Path) -> Launch:
    return Launch(
        model=write_twin("qwen3-30b-a3b", tmp_path / "model.gguf", vocabulary=False),
        alias="m",
        n_ctx=512,
        n_batch=512,
        n_ubatch=512,
        threads=2,
        threads_batch=2,
        cache_ram_mb=0,
        n_cpu_moe=LAYERS,
    )


async def kept(source: Source, launch: Launch, folder: Path) -> set[str]:
    """The weights an engine says it keeps, while it counts without allocating."""
    engine: Candidate = next(each for each in candidates(None) if each.source is source)
    known = await features(engine, folder, None)
    assert "--n-cpu-moe" in known
    said: list[str] = []
    counted = asyncio.Event()

    def hear(line: str) -> None:
        said.append(line)
        if COUNTED in line:
            counted.set()

    place = ["--host", str(folder / "x.sock")]
    argv = [*engine.argv, *place, *arguments(launch, known - {"-lv"}), "-lv", "5"]
    process = await spawn(argv, environment(engine.env), folder, hear)
    try:
        async with asyncio.timeout(LIMIT_S):
            await counted.wait()
    finally:
        await process.end(grace_s=0)
    return {found[1] for line in said if (found := KEPT.search(line))}


async def test_both_engines_keep_the_same_experts(
    engine_binary: Path, launch: Launch, tmp_path: Path
) -> None:
    server = await kept(Source.WHEEL, launch, tmp_path)
    assert len(server) == 3 * LAYERS
    assert await kept(Source.HOST, launch, tmp_path) == server


async def test_both_engines_open_the_same_slots_where_none_are_given(
    engine_binary: Path, launch: Launch, tmp_path: Path
) -> None:
    # Each slot of a window of attention has cells of its own: one slot would take half of this.
    twin = write_twin("gemma-3-1b", tmp_path / "window.gguf", vocabulary=False)
    open_slots = replace(launch, model=twin, n_ctx=4096, parallel=None, n_cpu_moe=0)
    context = {}
    for source in (Source.WHEEL, Source.HOST):
        engine: Candidate = next(each for each in candidates(None) if each.source is source)
        engine = replace(engine, flags=await features(engine, tmp_path, None))
        told = await forecast(engine, open_slots, tmp_path)
        assert told is not None
        context[source] = sum(buffer.context_bytes for buffer in told.buffers)
    assert context[Source.HOST] == context[Source.WHEEL] > 0
