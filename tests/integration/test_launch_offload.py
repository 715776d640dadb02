"""A planned split of a model lands where the plan says, on a software device of Vulkan."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import Launch, Loaded
from rony_desktop.contract.model import Setting, Share
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.command import devices, features
from rony_desktop.engine.forecast import forecast
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.model.estimate import estimate
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.twin import MIB, write_twin

pytestmark = pytest.mark.engine
DEVICE_WEIGHT_BYTES = 128 * MIB  # the most that Mesa's software device takes in one piece
ALL = 99
CASES = [
    ("starter", Setting(n_ctx=2048, gpu_layers=8)),
    ("starter", Setting(n_ctx=2048, gpu_layers=ALL)),
    ("llama-3.2-1b", Setting(n_ctx=4096, gpu_layers=8)),
    ("lfm2-1.2b", Setting(n_ctx=4096, gpu_layers=8)),
    ("gemma-3-1b", Setting(n_ctx=4096, gpu_layers=10, n_ubatch=256)),
    ("lfm2-1.2b", Setting(n_ctx=8192, gpu_layers=ALL)),
]


@pytest.fixture
async def software(
    monkeypatch: pytest.MonkeyPatch, engine_binary: Path, tmp_path: Path
) -> Candidate:
    """The engine with the device made visible; skips where this machine has none."""
    monkeypatch.setenv("GGML_VK_VISIBLE_DEVICES", "0")
    found = next(each for each in candidates(None) if each.source is Source.WHEEL)
    found = replace(found, flags=await features(found, tmp_path, None))
    listed = await devices(found, tmp_path)
    if not re.search(r"^ +Vulkan0: ", listed, re.M):
        pytest.skip("no Vulkan device: scripts/bootstrap.sh --tests installs a software one")
    return found


def launch_of(model: Path, setting: Setting) -> Launch:
    return Launch(
        model=model,
        alias="m",
        n_ctx=setting.n_ctx,
        n_batch=512,
        n_ubatch=setting.n_ubatch,
        threads=2,
        threads_batch=2,
        cache_ram_mb=0,
        gpu_layers=setting.gpu_layers,
        flash_attn="on",
        n_cpu_moe=setting.n_cpu_moe,
        # An output too large for this device would be held in a layout of the processor's.
        repack=False,
    )


def planned(model: Path, setting: Setting) -> tuple[Share, Share]:
    split = replace(setting, device_weight_bytes=DEVICE_WEIGHT_BYTES)
    found = estimate(GgufMetadataReader().read(model), split)
    return found.host, found.device


def in_place(
    loaded: Loaded, plan: tuple[Share, Share], *, grain: float, with_compute: bool = True
) -> None:
    """Each memory holds what the plan gives it; grain is what sizes are rounded to, in MiB."""
    for on_host, share in zip((True, False), plan, strict=True):
        buffers = [buffer for buffer in loaded.buffers if buffer.on_host is on_host]
        weights = sum(buffer.model_bytes for buffer in buffers) / MIB
        kept = sum(buffer.context_bytes for buffer in buffers) / MIB
        compute = sum(buffer.compute_bytes for buffer in buffers) / MIB
        place = f"{'host' if on_host else 'device'}: {buffers} {share}"
        ours = share.kv_bytes + share.recurrent_bytes
        assert weights == pytest.approx(share.weights_bytes / MIB, rel=0.01, abs=grain), place
        assert kept == pytest.approx(ours / MIB, rel=0.01, abs=grain), place
        if with_compute:
            assert compute == pytest.approx(share.compute_bytes / MIB, rel=0.1, abs=8), place


@pytest.mark.parametrize(("name", "setting"), CASES)
async def test_a_split_lands_where_it_was_planned(
    name: str, setting: Setting, software: Candidate, starter_model: Path, tmp_path: Path
) -> None:
    model = starter_model
    if name != "starter":
        model = write_twin(name, tmp_path / "model.gguf", vocabulary=False)
    told = await forecast(software, launch_of(model, setting), tmp_path)
    assert told is not None
    assert told.all_layers is not None
    assert told.gpu_layers == min(setting.gpu_layers, told.all_layers)
    in_place(told, planned(model, setting), grain=1)


async def test_experts_stay_where_they_were_planned(software: Candidate, tmp_path: Path) -> None:
    model = write_twin("qwen3-30b-a3b", tmp_path / "model.gguf", vocabulary=False)
    setting = Setting(n_ctx=4096, gpu_layers=20, n_cpu_moe=40)
    told = await forecast(software, launch_of(model, setting), tmp_path)
    assert told is not None
    assert told.gpu_layers == setting.gpu_layers
    in_place(told, planned(model, setting), grain=1, with_compute=False)


@pytest.fixture
async def supervisor(software: Candidate) -> AsyncIterator[ProcessSupervisor]:
    async def find() -> Candidate:
        return software

    made = ProcessSupervisor(find, Path(os.environ["XDG_RUNTIME_DIR"]) / "run", wrap=unwarmed)
    yield made
    await made.stop()


def unwarmed(argv: list[str]) -> list[str]:
    """Without a first run: its shaders take a minute to compile here."""
    return [*argv, "--no-warmup", "-lm", "none"]


async def test_a_launch_has_the_layers_that_were_asked_for(
    supervisor: ProcessSupervisor, starter_model: Path
) -> None:
    setting = Setting(n_ctx=2048, gpu_layers=8)
    await supervisor.start(launch_of(starter_model, setting))
    loaded = supervisor.status().loaded
    assert loaded is not None
    assert (loaded.n_ctx, loaded.gpu_layers, loaded.all_layers) == (2048, 8, 31)
    in_place(loaded, planned(starter_model, setting), grain=0.2)
