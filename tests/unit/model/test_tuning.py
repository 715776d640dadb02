from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.speed import Tuning, Verdict
from rony_desktop.model.tuning import KIND, remember, tuned
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import launch, machine, model

RUN = model(), machine(), "b1"
PLANNED = launch()
FASTER = launch(threads=4, repack=False)


def found(verdict: Verdict, chosen: Launch = FASTER) -> Tuning:
    return Tuning(verdict, chosen, 0.2, 0.01, ())


async def test_what_was_faster_is_used_by_later_plans() -> None:
    records = FakeRecordStore()
    await remember(records, RUN, PLANNED, found(Verdict.FASTER))
    assert await tuned(records, RUN, PLANNED) == FASTER
    # Another context or file name of the plan is no other setting.
    assert (await tuned(records, RUN, replace(PLANNED, n_ctx=2048))).threads == 4


async def test_a_plan_with_other_settings_is_left_as_it_is() -> None:
    records = FakeRecordStore()
    await remember(records, RUN, PLANNED, found(Verdict.FASTER))
    other = launch(n_ubatch=64)
    assert await tuned(records, RUN, other) == other


async def test_another_model_machine_or_build_is_not_tuned() -> None:
    records = FakeRecordStore()
    await remember(records, RUN, PLANNED, found(Verdict.FASTER))
    for run in (
        (model(size_bytes=1), machine(), "b1"),
        (model(), machine(cpu_name="Other"), "b1"),
        (model(), machine(), "b2"),
    ):
        assert await tuned(records, run, PLANNED) == PLANNED


async def test_a_later_finding_takes_the_place_of_an_earlier_one() -> None:
    records = FakeRecordStore()
    await remember(records, RUN, PLANNED, found(Verdict.FASTER))
    await remember(records, RUN, PLANNED, found(Verdict.KEPT, PLANNED))
    assert await tuned(records, RUN, PLANNED) == PLANNED


@pytest.mark.parametrize("verdict", [Verdict.NOISY, Verdict.UNFINISHED])
async def test_what_could_not_be_concluded_changes_nothing(verdict: Verdict) -> None:
    records = FakeRecordStore()
    await remember(records, RUN, PLANNED, found(verdict))
    assert not records.kept[KIND]


@pytest.mark.parametrize("spoiled", [None, [], {"model": "x"}, {"threads": "4"}, {"threads": True}])
async def test_a_spoiled_record_changes_nothing(spoiled: object) -> None:
    records = FakeRecordStore()
    await remember(records, RUN, PLANNED, found(Verdict.FASTER))
    for record in records.kept[KIND].values():
        record["changes"] = spoiled
    assert await tuned(records, RUN, PLANNED) == PLANNED
