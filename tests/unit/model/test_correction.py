from __future__ import annotations

from math import log

import pytest

from rony_desktop.contract.speed import Basis
from rony_desktop.model.correction import (
    KIND,
    LEAST_SPREAD,
    LEAST_SPREAD_ALIKE,
    LEAST_SPREAD_OTHER,
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


def test_newer_runs_count_more_and_differences_widen_the_range() -> None:
    mean = Mean()
    for factor in (1.0, 1.0, 1.0, 1.0, 1.0):
        mean = mean.add(Factor(factor))
    assert mean.learned(LEAST_SPREAD) == type(mean.learned(0.1))(1.0, 1.0, LEAST_SPREAD)
    later = mean.add(Factor(2.0))
    assert later.weights == pytest.approx(0.3 * log(2))
    learned = later.learned(LEAST_SPREAD)
    assert learned
    assert learned.spread == pytest.approx(2 * 0.3 * log(2))
    assert later.count == 6
    assert Mean().learned(LEAST_SPREAD) is None


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
