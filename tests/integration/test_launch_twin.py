"""Launches of real models and of twins take what was estimated, and the engine foretells it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import Launch, Loaded
from rony_desktop.contract.error import ModelArchitecture, ModelForeign
from rony_desktop.contract.model import Estimate, Setting
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import features
from rony_desktop.engine.forecast import forecast
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.model.estimate import estimate
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.twin import MIB, rows, twins, write_twin

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(sys.platform != "linux", reason="reads the processor's flags of Linux"),
]
EMBEDDINGS = "qwen3-embed-0.6b"  # its rows are of a server of embeddings, which we do not launch
NO_FORECAST = "deepseek-v2-lite"  # this build counts it only where the processor has no AMX
HEADROOM = 1.3


def cpu_flags() -> frozenset[str]:
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)
    return frozenset(found[1].split()) if found else frozenset()


def launch_of(model: Path, setting: Setting) -> Launch:
    return Launch(
        model=model,
        alias="m",
        n_ctx=setting.n_ctx,
        n_batch=max(512, setting.n_ubatch),
        n_ubatch=setting.n_ubatch,
        threads=2,
        threads_batch=2,
        cache_ram_mb=0,
        gpu_layers=0,
        flash_attn="on" if setting.flash_attn else "off",
        cache_type_k=setting.cache_type_k,
        cache_type_v=setting.cache_type_v,
        parallel=setting.parallel,
        repack=setting.repack,
        swa_full=setting.swa_full,
    )


def estimated(model: Path, setting: Setting) -> Estimate:
    return estimate(GgufMetadataReader().read(model), replace(setting, cpu_flags=cpu_flags()))


def mib(loaded: Loaded, part: str) -> float:
    size: int = sum(getattr(buffer, part) for buffer in loaded.buffers)
    return size / MIB


async def engine(source: Source, folder: Path) -> Candidate:
    found = next(each for each in candidates(None) if each.source is source)
    return replace(found, flags=await features(found, folder, None))


class World:
    """The real engine under its supervisor; it reads files instead of mapping them.

    A mapped file is counted from its first to its last weight that stays as it is, which says
    nothing of what is taken.
    """

    def __init__(self, candidate: Candidate) -> None:
        self.mapped = False
        self._candidate = candidate
        run_dir = Path(os.environ["XDG_RUNTIME_DIR"]) / "run"
        self.supervisor = ProcessSupervisor(self._find, run_dir, wrap=self._wrap)

    async def loaded(self, launch: Launch) -> Loaded:
        await self.supervisor.start(launch)
        found = self.supervisor.status().loaded
        assert found is not None
        return found

    async def _find(self) -> Candidate:
        return self._candidate

    def _wrap(self, argv: list[str]) -> list[str]:
        return argv if self.mapped else [*argv, "-lm", "none"]


@pytest.fixture
async def world(engine_binary: Path, tmp_path: Path) -> AsyncIterator[World]:
    made = World(await engine(Source.WHEEL, tmp_path))
    yield made
    await made.supervisor.stop()


async def compared(world: World, model: Path, setting: Setting) -> None:
    """Load it for real and hold each size against the estimate."""
    expected = estimated(model, setting)
    if psutil.virtual_memory().available < HEADROOM * expected.held_bytes:
        pytest.skip(f"{expected.held_bytes / MIB:.0f} MiB are not free")
    loaded = await world.loaded(launch_of(model, setting))
    assert (loaded.n_ctx, loaded.gpu_layers) == (setting.n_ctx, 0)
    kept = (expected.kv_bytes + expected.recurrent_bytes) / MIB
    assert mib(loaded, "context_bytes") == pytest.approx(kept, rel=0.001)
    compute = (expected.compute_bytes + expected.output_bytes) / MIB
    assert mib(loaded, "compute_bytes") == pytest.approx(compute, rel=0.03)
    assert -0.015 <= expected.held_bytes / loaded.total_bytes - 1 <= 0.03


async def test_the_starter_takes_what_was_estimated(world: World, starter_model: Path) -> None:
    await compared(world, starter_model, Setting(n_ctx=2048))


@pytest.mark.parametrize("name", ["llama-3.2-1b", "mamba2-2.7b", "falcon-h1-1.5b"])
async def test_a_twin_takes_what_was_estimated(name: str, world: World, tmp_path: Path) -> None:
    model = write_twin(name, tmp_path / "model.gguf", vocabulary=False)
    await compared(world, model, Setting(n_ctx=4096))


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", ["qwen3-8b", "gpt-oss-20b"])
async def test_a_large_twin_takes_what_was_estimated(
    name: str, world: World, tmp_path: Path
) -> None:
    model = write_twin(name, tmp_path / "model.gguf", vocabulary=False)
    await compared(world, model, Setting(n_ctx=8192))


async def test_a_launch_as_it_is_made_stays_below_its_peak(
    world: World, starter_model: Path
) -> None:
    world.mapped = True
    setting = Setting(n_ctx=2048)
    loaded = await world.loaded(launch_of(starter_model, setting))
    assert loaded.total_bytes <= estimated(starter_model, setting).peak_bytes * 1.015


@pytest.mark.parametrize("name", sorted({*twins()} - {EMBEDDINGS}))
async def test_the_forecast_is_the_allocators_truth(
    name: str, engine_binary: Path, tmp_path: Path
) -> None:
    model = write_twin(name, tmp_path / "model.gguf", vocabulary=False)
    found = await engine(Source.WHEEL, tmp_path)
    for row in (row for row in rows() if row.twin == name):
        told = await forecast(found, launch_of(model, row.setting), tmp_path)
        if told is None:
            assert name == NO_FORECAST
            continue
        # The engine's table is in whole MiB, rounded down.
        kept = row.kv + row.recurrent
        assert mib(told, "context_bytes") == pytest.approx(kept, rel=0.001, abs=1)
        assert mib(told, "compute_bytes") == pytest.approx(row.compute, rel=0.03, abs=2)
        ours = estimated(model, row.setting)
        held = (ours.held_bytes - ours.output_bytes) / MIB
        assert -0.015 <= held / (told.total_bytes / MIB) - 1 <= 0.03 + 3 / held
        assert (told.n_ctx, told.gpu_layers) == (row.setting.n_ctx, 0)


@pytest.mark.parametrize("source", [Source.WHEEL, Source.HOST])
async def test_both_engines_foretell_what_they_take(
    source: Source, starter_model: Path, tmp_path: Path
) -> None:
    setting = Setting(n_ctx=2048)
    told = await forecast(
        await engine(source, tmp_path), launch_of(starter_model, setting), tmp_path
    )
    assert told is not None
    kept = estimated(starter_model, setting).kv_bytes / MIB
    assert mib(told, "context_bytes") == pytest.approx(kept, abs=1)
    assert mib(told, "model_bytes") > 90


async def test_a_file_that_would_not_load_is_a_typed_cause(
    engine_binary: Path, starter_model: Path, tmp_path: Path
) -> None:
    found = await engine(Source.WHEEL, tmp_path)
    file = tmp_path / "model.gguf"
    file.write_text("<!DOCTYPE html>")
    with pytest.raises(ModelForeign):
        await forecast(found, launch_of(file, Setting(n_ctx=512)), tmp_path)
    with starter_model.open("rb") as source:
        head = source.read(3_000_000)
    file.write_bytes(head.replace(b"\x05" + bytes(7) + b"llama", b"\x05" + bytes(7) + b"lloma"))
    os.truncate(file, starter_model.stat().st_size)
    with pytest.raises(ModelArchitecture):
        await forecast(found, launch_of(file, Setting(n_ctx=512)), tmp_path)
