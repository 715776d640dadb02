from __future__ import annotations

import pytest

from rony_desktop.model.work import first_on_device, work_of
from tests.fixture.speed import card, launch, machine, model, tensor

ATTENTION = 2 * 3 * 256 * 256
FEED = 2 * 256 * 512
OUTPUT = 256 * 1000


def test_every_weight_in_use_is_read_once_and_the_output_is_no_part_of_prefill() -> None:
    sample = model()
    host = work_of(sample, machine(), launch()).host
    assert host.weight_bytes == sample.size_bytes
    assert (host.repacked, host.plain, host.last) == (ATTENTION, FEED, OUTPUT)


def test_without_repacking_every_product_is_plain() -> None:
    host = work_of(model(), machine(), launch(repack=False)).host
    assert (host.repacked, host.plain) == (0, ATTENTION + FEED)


def test_an_embedding_that_is_not_the_output_is_only_looked_up() -> None:
    sample = model()
    output = tensor("output.weight", (256, 1000), "Q6_K")
    untied = model(tensors=(*sample.tensors, output))
    host = work_of(untied, machine(), launch()).host
    embedding = sample.tensors[0].size_bytes or 0
    assert host.weight_bytes == sample.size_bytes - embedding + (output.size_bytes or 0)
    assert host.last == OUTPUT


def test_of_experts_only_those_that_are_used_count() -> None:
    host = work_of(model(experts=True), machine(), launch()).host
    assert host.repacked == ATTENTION + 2 * 2 * 256 * 512


def test_experts_kept_back_stay_on_the_host() -> None:
    kept = launch(gpu_layers=3, n_cpu_moe=1)
    work = work_of(model(experts=True), machine(gpus=(card(),)), kept)
    assert work.host.plain == 2 * 256 * 512
    assert work.device.plain == ATTENTION + 2 * 256 * 512
    assert work.host.last == 0
    assert work.device.last == OUTPUT


def test_a_window_bounds_what_of_the_cache_is_read() -> None:
    full = work_of(model(), machine(), launch()).host
    row = 2 * 256 * 2
    assert full.cache_bytes(1000) == 2 * row * 1000
    assert full.attention_products(1000) == 2 * 2 * 256 * 1000
    windowed = work_of(model(window=128), machine(), launch()).host
    assert windowed.cache_bytes(100) == full.cache_bytes(100)
    assert windowed.cache_bytes(1000) == row * (1000 + 128)


def test_a_quantised_cache_is_smaller() -> None:
    small = launch(cache_type_k="q8_0", cache_type_v="q8_0")
    host = work_of(model(), machine(), small).host
    assert host.cache_bytes(1) == 2 * 2 * 256 * 34 / 32


def test_a_file_without_a_table_of_tensors_is_read_whole() -> None:
    host = work_of(model(tensors=(), size_bytes=600), machine(), launch()).host
    assert host.weight_bytes == 600
    assert host.plain == pytest.approx(1000)


@pytest.mark.parametrize(
    ("layers", "gpus", "first"),
    [(0, (), 3), (1, (card(),), 2), (3, (card(),), 0), (99, (card(),), 0), (None, (), 3),
     (None, (card(),), 0), (None, (card(""),), 3)],
)  # fmt: skip
def test_the_last_layers_go_first_and_what_is_left_to_the_engine_goes_all(
    layers: int | None, gpus: tuple[object, ...], first: int
) -> None:
    assert first_on_device(2, machine(gpus=gpus), launch(gpu_layers=layers)) == first
