from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.llm import Timings
from rony_desktop.contract.speed import Basis, Speed
from rony_desktop.model.correction import Corrections, Factor, Factors, corrections, learn
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.speed import Token, factors, predict
from tests.fake.client import timings
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import CALIBRATION, card, launch, machine, model
from tests.fixture.twin import write_twin


def predicted(**more: object) -> Speed:
    return predict(model(), machine(), launch(**more), CALIBRATION)


def test_a_prediction_has_a_range_and_says_what_it_rests_on() -> None:
    speed = predicted()
    for span in (speed.prefill, speed.decode, speed.first_token_s):
        assert 0 < span.low < span.value < span.high
    assert speed.basis is Basis.PROBE


def test_time_to_the_first_token_is_the_prompt_and_one_token() -> None:
    speed = predict(model(), machine(), launch(), CALIBRATION, prompt_tokens=1000)
    expected = 1000 / speed.prefill.value + 1 / speed.decode.value
    assert speed.first_token_s.value == pytest.approx(expected)
    longer = predict(model(), machine(), launch(), CALIBRATION, prompt_tokens=4000)
    assert longer.prefill.value < speed.prefill.value
    assert longer.decode.value < speed.decode.value


def test_half_of_the_threads_read_half_as_fast() -> None:
    half = predicted(threads_batch=2).prefill.value
    assert half == pytest.approx(predicted(threads_batch=4).prefill.value / 2)


def test_threads_beyond_those_that_fill_the_memory_write_no_faster(tmp_path: Path) -> None:
    big = GgufMetadataReader().read(write_twin("llama-3.1-8b", tmp_path / "8b.gguf"))
    slow = replace(CALIBRATION, thread_bytes_per_s=5e9, read_bytes_per_s=1e10)

    def written(threads: int) -> float:
        here = launch(threads=threads)
        return predict(big, machine(), here, slow, prompt_tokens=1).decode.value

    assert written(2) > 1.5 * written(1)
    assert written(8) < 1.1 * written(2)


def test_wider_vectors_and_repacking_read_faster() -> None:
    narrow = predict(model(), machine(cpu_flags=frozenset()), launch(), CALIBRATION)
    assert narrow.prefill.value < predicted(repack=False).prefill.value < predicted().prefill.value


def test_a_card_is_faster_and_less_sure_and_an_integrated_one_shares_the_memory() -> None:
    sample = model()
    on_card, shared = (
        predict(sample, machine(gpus=(gpu,)), launch(gpu_layers=3), CALIBRATION)
        for gpu in (card(), card(integrated=True))
    )
    host = predicted()
    assert on_card.decode.value > shared.decode.value
    assert on_card.decode.high / on_card.decode.low > host.decode.high / host.decode.low


def test_of_a_mixture_only_active_experts_slow_it_down(tmp_path: Path) -> None:
    mixture, dense = (
        GgufMetadataReader().read(write_twin(name, tmp_path / f"{name}.gguf"))
        for name in ("qwen3-30b-a3b", "qwen3-8b")
    )
    assert mixture.size_bytes > 3 * dense.size_bytes
    fast, slow = (predict(each, machine(), launch(), CALIBRATION) for each in (mixture, dense))
    assert fast.decode.value > slow.decode.value


@pytest.mark.parametrize("name", ["llama-3.2-1b", "deepseek-v2-lite", "mamba2-2.7b", "lfm2-1.2b"])
def test_every_kind_of_model_has_a_speed(tmp_path: Path, name: str) -> None:
    twin = GgufMetadataReader().read(write_twin(name, tmp_path / "twin.gguf"))
    speed = predict(twin, machine(), launch(), CALIBRATION)
    assert 1 < speed.decode.value < speed.prefill.value < 1e5


def test_a_file_without_any_weight_breaks_nothing() -> None:
    empty = model(tensors=(), size_bytes=0, block_count=0)
    assert predict(empty, machine(), launch(), CALIBRATION).prefill.value > 0


async def test_after_one_run_the_prediction_for_the_same_file_is_within_15_percent() -> None:
    records, run = FakeRecordStore(), (model(), machine(), launch())
    seen = timings(600, 900.0, 40, 30.0)
    await learn(records, run, "b1", factors(run, CALIBRATION, seen))
    known = await corrections(records, "b1")
    speed = predict(*run, CALIBRATION, known, prompt_tokens=600)
    assert speed.basis is Basis.RUN
    assert speed.prefill.value == pytest.approx(900, rel=0.15)
    assert speed.decode.value == pytest.approx(30, rel=0.15)
    assert speed.decode.low > 30 * 0.8
    assert speed.decode.high < 30 * 1.25


async def test_a_run_narrows_the_range_of_files_that_never_ran() -> None:
    records, run = FakeRecordStore(), (model(), machine(), launch())
    await learn(records, run, "b1", factors(run, CALIBRATION, timings(600, 900.0, 40, 30.0)))
    known = await corrections(records, "b1")
    unseen = model(size_bytes=1)
    before, after = (
        predict(unseen, machine(), launch(), CALIBRATION, each) for each in (Corrections(), known)
    )
    assert after.basis is Basis.MACHINE
    assert after.decode.high / after.decode.low < before.decode.high / before.decode.low
    assert after.decode.value < before.decode.value


@pytest.mark.parametrize(
    "short", [Timings(), timings(31, 900.0, 7, 30.0), Timings(0, 600, 0.0, 40, 0.0)]
)
def test_short_runs_teach_nothing(short: Timings) -> None:
    assert factors((model(), machine(), launch()), CALIBRATION, short) == Factors(None, None)


@given(weights=st.floats(1e-9, 10), attention=st.floats(0, 10), real=st.floats(1e-6, 10))
def test_what_a_run_taught_gives_its_own_time_again(
    weights: float, attention: float, real: float
) -> None:
    token = Token(weights, attention)
    factor = token.factor(real)
    assert isinstance(factor, Factor)
    assert factor.weights > 0
    again = token.weights_s / factor.weights + token.attention_s / factor.attention
    assert again == pytest.approx(real, rel=1e-6)
