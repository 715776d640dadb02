from __future__ import annotations

from math import exp, log

import pytest

from rony_desktop.contract.speed import Basis
from rony_desktop.model.correction import (
    BUSY,
    KIND,
    LEAST_SPREAD,
    LEAST_SPREAD_ALIKE,
    LEAST_SPREAD_OTHER,
    NEWEST,
    Factor,
    Factors,
    Mean,
    corrections,
    learn,
)
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import card, launch, machine, model

RUN = model(), machine(), launch()
BUILD = "b1"


async def taught(*factors: Factors) -> FakeRecordStore:
    records = FakeRecordStore()
    for each in factors:
        await learn(records, RUN, BUILD, each)
    return records


def both(factor: float) -> Factors:
    return Factors(Factor(factor), Factor(factor, 2.0))


def mean_of(*factors: float) -> Mean:
    mean = Mean()
    for factor in factors:
        mean = mean.add(Factor(factor), LEAST_SPREAD)
    return mean


async def test_nothing_is_known_before_the_first_run() -> None:
    known = (await corrections(FakeRecordStore(), BUILD)).of(*RUN)
    assert known == type(known)(None, None, Basis.PROBE)


async def test_one_run_corrects_its_own_file_and_setting() -> None:
    known = (await corrections(await taught(both(0.5)), BUILD)).of(*RUN)
    assert known.basis is Basis.RUN
    assert known.prefill
    assert known.decode
    assert known.prefill.weights == pytest.approx(0.5)
    assert known.decode.attention == pytest.approx(2.0)
    assert known.decode.spread == LEAST_SPREAD


async def test_another_setting_or_build_of_the_file_is_corrected_by_runs_alike() -> None:
    records = await taught(both(0.5))
    other = model(), machine(), launch(threads=1)
    for known in (
        (await corrections(records, BUILD)).of(*other),
        (await corrections(records, "b2")).of(*RUN),
    ):
        assert known.basis is Basis.RUN
        assert known.decode
        assert known.decode.weights == pytest.approx(0.5)
        assert known.decode.spread == LEAST_SPREAD_ALIKE


async def test_a_file_that_never_ran_is_corrected_by_the_others_with_a_wide_range() -> None:
    records = await taught(both(0.5))
    unseen = model(size_bytes=1), machine(), launch()
    known = (await corrections(records, BUILD)).of(*unseen)
    assert known.basis is Basis.MACHINE
    assert known.prefill
    assert known.prefill.weights == pytest.approx(0.5)
    assert known.prefill.spread == LEAST_SPREAD_OTHER


async def test_another_machine_or_a_card_learns_on_its_own() -> None:
    known = await corrections(await taught(both(0.5)), BUILD)
    assert known.of(model(), machine(cpu_name="Other"), launch()).basis is Basis.PROBE
    gpu = machine(gpus=(card(),))
    assert known.of(model(), gpu, launch(gpu_layers=3)).basis is Basis.PROBE


async def test_what_was_not_measured_is_not_learned() -> None:
    records = await taught(Factors(None, None))
    assert not records.kept[KIND]
    known = (await corrections(await taught(Factors(Factor(2.0), None)), BUILD)).of(*RUN)
    assert known.prefill
    assert known.decode is None


def test_a_faster_run_is_believed_at_once_and_differences_widen_the_range() -> None:
    mean = mean_of(1.0, 1.0, 2.0)
    assert mean.weights == pytest.approx(log(2))
    learned = mean.learned(LEAST_SPREAD)
    assert learned
    assert learned.weights == pytest.approx(2)
    assert learned.spread == pytest.approx(2 * NEWEST * log(2))
    assert mean.count == 3
    assert Mean().learned(LEAST_SPREAD) is None


def test_a_run_that_is_as_slow_as_usual_counts_and_one_in_a_busy_moment_hardly() -> None:
    assert mean_of(1.0, 0.95).weights == pytest.approx(NEWEST * log(0.95))
    assert mean_of(1.0, 0.5).weights == pytest.approx(BUSY * log(0.5))
    busy = mean_of(1.0, *([0.5] * 5)).learned(LEAST_SPREAD)
    assert busy
    assert busy.weights > 0.8
    assert busy.weights * exp(busy.spread) > 1


def test_a_first_run_in_a_busy_moment_is_outgrown_by_the_next() -> None:
    learned = mean_of(0.4, 1.0).learned(LEAST_SPREAD)
    assert learned
    assert learned.weights == pytest.approx(1)


def test_a_machine_that_stays_slower_is_learned_in_the_end() -> None:
    learned = mean_of(1.0, *([0.5] * 40)).learned(LEAST_SPREAD)
    assert learned
    assert learned.weights == pytest.approx(0.5, rel=0.1)


async def test_busy_runs_of_one_file_do_not_hide_what_others_may_reach() -> None:
    known = (await corrections(await taught(both(1.0), *[both(0.4)] * 5), BUILD)).of(
        model(size_bytes=1), machine(), launch()
    )
    assert known.decode
    assert known.decode.weights * exp(known.decode.spread) > 1


@pytest.mark.parametrize(
    "spoiled",
    [None, 3, {}, {"weights": 1e9, "attention": 0, "spread": 0, "count": 1},
     {"weights": float("nan"), "attention": 0, "spread": 0, "count": 1},
     {"weights": 0, "attention": 0, "spread": 0, "count": 0},
     {"weights": 0, "attention": 0, "spread": 0, "count": "1"}],
)  # fmt: skip
async def test_a_spoiled_record_counts_as_nothing_learned(spoiled: object) -> None:
    records = await taught(both(0.5))
    for key in records.kept[KIND]:
        records.kept[KIND][key] = {"prefill": spoiled, "decode": spoiled}
    known = (await corrections(records, BUILD)).of(*RUN)
    assert (known.prefill, known.decode, known.basis) == (None, None, Basis.PROBE)
