from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.header import Headers
from rony_desktop.app.speed import SpeedService
from rony_desktop.contract.error import DiskFull, ModelMissing
from rony_desktop.contract.speed import Basis
from rony_desktop.model.correction import KIND
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fake.client import timings
from tests.fake.record import FakeRecordStore
from tests.fixture.shop import Known, calibrated
from tests.fixture.speed import launch, machine, model

SEEN = timings(600, 900.0, 40, 30.0)


@pytest.fixture
def records() -> FakeRecordStore:
    return calibrated()


@pytest.fixture
def known() -> Known:
    return Known(model(), machine())


@pytest.fixture
def service(records: FakeRecordStore, known: Known) -> SpeedService:
    return SpeedService(records, Headers(known), known)


async def test_a_real_run_corrects_the_next_prediction(service: SpeedService) -> None:
    before = await service.predicted(launch(), "b1")
    await service.learned(launch(), "b1", SEEN)
    after = await service.predicted(launch(), "b1", prompt_tokens=600)
    assert (before.basis, after.basis) == (Basis.PROBE, Basis.RUN)
    assert after.decode.value == pytest.approx(30, rel=0.15)
    assert after.prefill.value == pytest.approx(900, rel=0.15)


async def test_runs_that_end_together_are_all_learned(
    service: SpeedService, records: FakeRecordStore
) -> None:
    await asyncio.gather(*(service.learned(launch(), "b1", SEEN) for _ in range(5)))
    assert [entry["decode"]["count"] for entry in records.kept[KIND].values()] == [5, 5]


async def test_what_cannot_be_kept_harms_nothing(
    service: SpeedService, records: FakeRecordStore
) -> None:
    await service.predicted(launch(), "b1")
    records.failure = DiskFull(path="x")
    await service.learned(launch(), "b1", SEEN)
    assert not records.kept[KIND]


async def test_a_file_that_is_gone_teaches_nothing_and_has_no_speed(
    records: FakeRecordStore, known: Known, tmp_path: Path
) -> None:
    service = SpeedService(records, GgufMetadataReader(), known)
    gone = replace(launch(), model=tmp_path / "gone.gguf")
    await service.learned(gone, "b1", SEEN)
    assert not records.kept[KIND]
    with pytest.raises(ModelMissing):
        await service.predicted(gone, "b1")


async def test_a_header_is_read_once_until_the_file_changes(
    service: SpeedService, known: Known, tmp_path: Path
) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"x")
    here = replace(launch(), model=file)
    for _ in range(3):
        await service.predicted(here, "b1")
    assert known.reads == 1
    os.utime(file, (1, 1))
    await service.predicted(here, "b1")
    assert known.reads == 2
