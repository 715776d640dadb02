"""Layers go to the device whole, else without experts, else in part; what is given stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.model import Gpu, Machine, ModelMetadata
from rony_desktop.contract.plan import ALL_LAYERS, Wanted
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.placement import Placement, Placer
from rony_desktop.model.room import room_of
from tests.fixture.twin import FLAGS, write_twin

GIB = 1 << 30
EXACT = ("f16", "f16")


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> ModelMetadata:
    return twin("qwen3-8b", tmp_path_factory.mktemp("dense"))


@pytest.fixture(scope="module")
def mixture(tmp_path_factory: pytest.TempPathFactory) -> ModelMetadata:
    return twin("qwen3-30b-a3b", tmp_path_factory.mktemp("mixture"))


def twin(name: str, folder: Path) -> ModelMetadata:
    return GgufMetadataReader().read(write_twin(name, folder / "m.gguf", vocabulary=True))


def machine(vram_gib: float) -> Machine:
    size = int(vram_gib * GIB)
    gpu = Gpu("g", "GPU0", total_bytes=size, free_bytes=size)
    return Machine(64 * GIB, 64 * GIB, 8, 16, cpu_flags=FLAGS, gpus=(gpu,) if vram_gib else ())


def place(model: ModelMetadata, vram_gib: float, wanted: Wanted | None = None) -> Placement:
    here = machine(vram_gib)
    placer = Placer(model, here, room_of(here, LlamaConfig()), wanted or Wanted(parallel=1), 512)
    return placer.place(8192, EXACT)


def test_without_a_device_everything_is_on_the_host(dense: ModelMetadata) -> None:
    placed = place(dense, 0)
    assert (placed.gpu_layers, placed.estimate.device.total_bytes) == (0, 0)
    assert placed.estimate.repack_bytes > 0


def test_a_large_device_takes_all_and_nothing_is_repacked(dense: ModelMetadata) -> None:
    placed = place(dense, 24)
    assert (placed.gpu_layers, placed.n_ubatch) == (37, 512)
    assert placed.estimate.repack_bytes == 0


def test_a_small_device_takes_as_many_layers_as_fit(dense: ModelMetadata) -> None:
    placed = place(dense, 4)
    assert 0 < placed.gpu_layers < 37
    assert placed.estimate.device.total_bytes <= 3 * GIB
    more = place(dense, 4, Wanted(parallel=1, gpu_layers=placed.gpu_layers + 1))
    assert more.estimate.device.total_bytes > 3 * GIB


def test_a_full_device_takes_none(dense: ModelMetadata) -> None:
    assert place(dense, 1).gpu_layers == 0


def test_layers_that_are_given_are_never_fewer(dense: ModelMetadata) -> None:
    assert place(dense, 4, Wanted(gpu_layers=30)).gpu_layers == 30
    assert place(dense, 24, Wanted(gpu_layers=5)).gpu_layers == 5
    assert place(dense, 0, Wanted(gpu_layers=5)).gpu_layers == 5
    assert place(dense, 2, Wanted(gpu_layers=ALL_LAYERS)).gpu_layers == 37


def test_experts_stay_back_so_that_all_layers_fit(mixture: ModelMetadata) -> None:
    placed = place(mixture, 8)
    assert placed.gpu_layers == 49
    assert 0 < placed.n_cpu_moe < 48
    assert placed.estimate.device.total_bytes <= 7 * GIB
    assert place(mixture, 24).n_cpu_moe == 0


def test_experts_stay_back_for_layers_that_are_given(mixture: ModelMetadata) -> None:
    placed = place(mixture, 8, Wanted(gpu_layers=40))
    assert placed.gpu_layers == 40
    assert placed.n_cpu_moe > 9
    assert placed.estimate.device.total_bytes <= 7 * GIB


def test_where_even_that_is_too_much_some_layers_go(mixture: ModelMetadata) -> None:
    placed = place(mixture, 2)
    assert placed.gpu_layers < 49
    assert placed.n_cpu_moe == 0


def test_a_batch_grows_with_what_the_device_takes(dense: ModelMetadata) -> None:
    sizes = [place(dense, vram).n_ubatch for vram in (0, 4, 24)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    assert place(dense, 0, Wanted(n_ubatch=2048)).n_ubatch == 2048


def test_an_encoder_reads_a_text_at_once(tmp_path: Path) -> None:
    encoder = twin("bge-small", tmp_path)
    assert place(encoder, 0).n_ubatch == 8192
    assert place(encoder, 0, Wanted(n_ubatch=64)).n_ubatch == 64


def test_a_device_in_sight_or_a_wish_ends_repacking(dense: ModelMetadata) -> None:
    assert place(dense, 24, Wanted(gpu_layers=0)).estimate.repack_bytes == 0
    assert place(dense, 0, Wanted(repack=False)).estimate.repack_bytes == 0


def test_experts_that_are_wanted_on_the_host_stay_there(mixture: ModelMetadata) -> None:
    planned = place(mixture, 12)
    more = place(mixture, 12, Wanted(parallel=1, gpu_layers=49, n_cpu_moe=planned.n_cpu_moe + 1))
    assert more.n_cpu_moe == planned.n_cpu_moe + 1
    assert more.estimate.device.total_bytes < planned.estimate.device.total_bytes
    fewer = place(mixture, 12, Wanted(parallel=1, gpu_layers=49, n_cpu_moe=1))
    assert fewer.n_cpu_moe == planned.n_cpu_moe
