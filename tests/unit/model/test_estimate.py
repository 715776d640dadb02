from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.model import Estimate, ModelMetadata, Setting
from rony_desktop.model.estimate import estimate
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.gguf import LLAMA, Tensor, gguf
from tests.fixture.twin import FLAGS, MIB, Row, rows, twins, write_twin

Twin = Callable[[str], ModelMetadata]


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Twin:
    """Each twin is written and read once."""
    folder, found = tmp_path_factory.mktemp("twin"), dict[str, ModelMetadata]()

    def read(name: str) -> ModelMetadata:
        if name not in found:
            path = write_twin(name, folder / f"{name}.gguf")
            found[name] = GgufMetadataReader().read(path)
            path.unlink()
        return found[name]

    return read


def near(found: int, wanted: float, share: float, rounding: float = 0.01) -> bool:
    """Whether bytes are within a share of MiB that were printed rounded."""
    return abs(found / MIB - wanted) <= wanted * share + rounding


@pytest.mark.parametrize("name", twins())
def test_what_the_engine_allocates(name: str, twin: Twin) -> None:
    wrong = [
        (row.setting, found)
        for row in rows()
        if row.twin == name and not right(row, found := estimate(twin(name), row.setting))
    ]
    assert wrong == []


def right(row: Row, found: Estimate) -> bool:
    error = found.total_bytes / MIB / row.total - 1
    # Each of the allocator's figures is whole MiB, cut off: three of them are in a sum.
    weights = near(found.repack_bytes, row.repack, 0, 1.1) and near(
        found.model_bytes, row.host, 0, 1.1
    )
    cache = near(found.kv_bytes, row.kv, 0.001) and near(
        found.recurrent_bytes, row.recurrent, 0.001
    )
    return weights and cache and -0.015 <= error <= 0.03 and found.known


def test_an_estimate_adds_up(twin: Twin) -> None:
    for setting in (Setting(n_ctx=4096, cpu_flags=FLAGS), Setting(n_ctx=4096, gpu_layers=8)):
        found = estimate(twin("llama-3.2-1b"), setting)
        parts = found.model_bytes + found.repack_bytes + found.kv_bytes + found.recurrent_bytes
        parts += found.compute_bytes + found.output_bytes
        assert parts == found.total_bytes == found.held_bytes
        assert found.held_bytes == found.host.total_bytes + found.device.total_bytes


def test_the_peak_holds_the_file_and_its_repacked_copy(twin: Twin) -> None:
    model = twin("llama-3.2-1b")
    found = estimate(model, Setting(n_ctx=4096, cpu_flags=FLAGS))
    rest = found.kv_bytes + found.compute_bytes + found.output_bytes
    assert found.layout_bytes == 0
    assert found.peak_bytes == model.size_bytes + found.repack_bytes + rest
    assert found.peak_bytes > found.total_bytes + 400 * MIB


# Software Vulkan, which takes no weight above 128 MiB; what was loaded, in MiB.
LIMIT = 128 * MIB


@pytest.mark.parametrize(
    ("name", "layers", "device", "host"),
    [
        ("llama-3.2-1b", 8, (246.02, 56, 0, 79.25), (516.79, 72, 0, 12.01)),
        ("llama-3.2-1b", 16, (520.30, 120, 0, 79.25), (242.52, 8, 0, 12.01)),
        ("llama-3.2-1b", 99, (557.32, 128, 0, 60.01), (205.49, 0, 0, 12.01)),
        ("gemma-3-1b", 10, (161.11, 15, 0, 60.47), (601.3, 23, 0, 9.52)),
        ("gemma-3-1b", 99, (456.49, 38, 0, 54.02), (306.0, 0, 0, 9.52)),
        ("lfm2-1.2b", 8, (364.10, 24, 0.06, 79.25), (435.67, 24, 0.09, 18.01)),
    ],
)
def test_where_an_offloaded_model_lies(
    name: str, layers: int, device: tuple[float, ...], host: tuple[float, ...], twin: Twin
) -> None:
    setting = Setting(n_ctx=4096, gpu_layers=layers, device_weight_bytes=LIMIT, cpu_flags=FLAGS)
    found = estimate(twin(name), setting)
    assert found.repack_bytes == 0
    for share, wanted in ((found.device, device), (found.host, host)):
        assert near(share.weights_bytes, wanted[0], 0.01)
        assert near(share.kv_bytes, wanted[1], 0)
        assert near(share.recurrent_bytes, wanted[2], 0)
        assert near(share.compute_bytes, wanted[3], 0.03, 8)


def test_a_device_without_a_limit_takes_the_output_too(twin: Twin) -> None:
    model = twin("llama-3.2-1b")
    limited = estimate(model, Setting(n_ctx=4096, gpu_layers=99, device_weight_bytes=LIMIT))
    free = estimate(model, Setting(n_ctx=4096, gpu_layers=99))
    assert near(free.device.weights_bytes - limited.device.weights_bytes, 205.49, 0.001)
    assert free.host == limited.host


@pytest.mark.parametrize(
    ("name", "host", "tiles"),
    [("llama-3.2-1b", 205, 774), ("qwen3-8b", 335, 4543), ("gpt-oss-20b", 621, 11059)],
)
def test_amx_holds_weights_and_output_in_tiles(
    name: str, host: int, tiles: int, twin: Twin
) -> None:
    """What build 10434 takes on a CPU with AMX; each tensor once is as much as without."""
    setting = Setting(n_ctx=4096, cpu_flags=FLAGS | {"amx_int8"})
    found, plain = (estimate(twin(name), replace(setting, repack=on)) for on in (True, False))
    assert found.model_bytes // MIB == host
    assert (found.repack_bytes + found.layout_bytes) // MIB == tiles
    assert found.total_bytes == plain.total_bytes == plain.held_bytes
    assert found.held_bytes == found.host.total_bytes > found.total_bytes
    assert found.peak_bytes > found.held_bytes


def test_experts_of_the_first_layers_can_stay_on_the_host(twin: Twin) -> None:
    model = twin("qwen3-30b-a3b")
    setting = Setting(n_ctx=4096, gpu_layers=99)
    found, kept = (estimate(model, replace(setting, n_cpu_moe=number)) for number in (0, 10))
    experts = sum(
        tensor.size_bytes or 0
        for tensor in model.tensors
        if "_exps." in tensor.name and int(tensor.name.split(".")[1]) < 10
    )
    assert kept.host.weights_bytes == found.host.weights_bytes + experts
    assert kept.device.weights_bytes == found.device.weights_bytes - experts


def test_a_draft_head_behind_the_model_is_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    table = [Tensor((64,), 0, 256, f"blk.{layer}.attn_norm.weight") for layer in (0, 1)]
    path.write_bytes(gguf({**LLAMA, "llama.nextn_predict_layers": 1}, table))
    found = estimate(GgufMetadataReader().read(path), Setting(n_ctx=2048))
    assert found.model_bytes == 256


def test_an_unknown_architecture_says_so_and_is_bounded(tmp_path: Path) -> None:
    values = {key.replace("llama.", "lloma."): value for key, value in LLAMA.items()}
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf({**values, "general.architecture": "lloma"}))
    found = estimate(GgufMetadataReader().read(path), Setting(n_ctx=2048))
    assert not found.known
    assert found.kv_bytes == 2 * 2048 * 2 * (16 + 16) * 2
    assert found.model_bytes == path.stat().st_size


def test_weights_of_an_unknown_type_count_as_the_file(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(gguf(LLAMA, (Tensor((32, 100), 99, 1000, "token_embd.weight"),)))
    found = estimate(GgufMetadataReader().read(path), Setting(n_ctx=2048, cpu_flags=FLAGS))
    assert not found.known
    assert (found.model_bytes, found.repack_bytes) == (path.stat().st_size, 0)
