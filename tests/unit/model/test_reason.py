"""Every value of a launch has its reason: given, or the rule that chose it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.config import LlamaConfig, OptimizationMode
from rony_desktop.contract.model import Gpu, Machine, ModelMetadata
from rony_desktop.contract.plan import Reason, Source, Wanted, Why
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.planner import ModelPlanner
from tests.fixture.twin import write_twin

GIB = 1 << 30
NAMES = {
    *("n_ctx", "gpu_layers", "n_batch", "n_ubatch", "threads", "threads_batch", "flash_attn"),
    *("cache_type_k", "cache_type_v", "cache_ram_mb", "parallel", "repack", "estimate"),
}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> ModelMetadata:
    path = write_twin("qwen3-30b-a3b", tmp_path_factory.mktemp("twin") / "m.gguf")
    return GgufMetadataReader().read(path)


def reasons(model: ModelMetadata, vram_gib: float = 0, **wanted: Any) -> dict[str, Reason]:
    size = int(vram_gib * GIB)
    gpus = (Gpu("card", "GPU0", total_bytes=size, free_bytes=size),) if vram_gib else ()
    here = Machine(64 * GIB, 64 * GIB, 8, 16, gpus=gpus)
    return dict(ModelPlanner(LlamaConfig()).plan(model, here, Wanted(**wanted)).reasons)


def test_every_value_has_one(model: ModelMetadata) -> None:
    assert set(reasons(model)) == NAMES
    assert set(reasons(model, 8)) == NAMES | {"n_cpu_moe"}


def test_what_is_given_says_so(model: ModelMetadata) -> None:
    found = reasons(
        model, n_ctx=512, gpu_layers=0, n_ubatch=64, cache_type_k="q8_0", cache_type_v="q8_0",
        flash_attn="on", parallel=2, repack=False,
    )  # fmt: skip
    given = {name for name, reason in found.items() if reason.source is Source.GIVEN}
    assert given == {
        *("n_ctx", "gpu_layers", "n_ubatch", "cache_type_k", "cache_type_v", "flash_attn"),
        *("parallel", "repack"),
    }


@pytest.mark.parametrize(
    ("vram", "why"),
    [(0, Why.NO_GPU), (1, Why.GPU_FULL), (2, Why.GPU_PART), (8, Why.GPU_ALL), (24, Why.GPU_ALL)],
)
def test_why_so_many_layers(model: ModelMetadata, vram: int, why: Why) -> None:
    found = reasons(model, vram)["gpu_layers"]
    assert found.why is why
    assert found.params.get("devices", "") == ("card" if vram else "")


def test_why_experts_stay_back(model: ModelMetadata) -> None:
    found = reasons(model, 8)["n_cpu_moe"]
    assert found.why is Why.EXPERTS
    assert int(found.params["layers"]) > 0


def test_why_a_batch_is_so_large(model: ModelMetadata) -> None:
    assert reasons(model)["n_batch"].why is Why.BATCH_TIME
    assert reasons(model, 24)["n_batch"].why is Why.BATCH_GPU
    small = reasons(model, 24, mode=OptimizationMode.SMALL)["n_ubatch"]
    assert (small.why, small.params) == (Why.MODE, {"mode": "small"})


def test_why_an_encoder_reads_at_once(tmp_path: Path) -> None:
    path = write_twin("bge-small", tmp_path / "m.gguf")
    assert reasons(GgufMetadataReader().read(path))["n_batch"].why is Why.BATCH_WHOLE


def test_why_weights_are_repacked(model: ModelMetadata) -> None:
    assert reasons(model)["repack"].why is Why.REPACK
    assert reasons(model, 24)["repack"].why is Why.REPACK_GPU
