"""The engine is asked once for a launch; a spoiled or unwritable record costs another question."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.forecast import KIND, Forecasts
from rony_desktop.contract.engine import Buffer, Loaded
from rony_desktop.contract.error import DiskFull, ModelArchitecture
from rony_desktop.contract.launch import PlannedLaunch
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf
from tests.fixture.launch import Counting, launches_of

COUNT = Loaded(2048, 3, 31, (Buffer("Host", 5, 6, 7), Buffer("GPU0", 1, 2, 3)))


@pytest.fixture
async def planned(tmp_path: Path) -> PlannedLaunch:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    return await launches_of(FakeRecordStore()).prepared(path)


async def test_it_is_asked_once_for_a_setting(planned: PlannedLaunch) -> None:
    records, engine = FakeRecordStore(), Counting()
    engine.says = COUNT
    for _ in range(2):
        assert await Forecasts(records, engine).of(planned) == COUNT
    assert len(engine.launches) == 1
    other = replace(planned, launch=replace(planned.launch, n_ctx=4096))
    await Forecasts(records, engine).of(other)
    await Forecasts(records, engine).of(replace(planned, build="engine b2"))
    assert len(engine.launches) == 3


@pytest.mark.parametrize("spoiled", [{}, {"buffers": 3}, {"buffers": [{"device": "x"}]}])
async def test_a_spoiled_record_is_asked_again(
    planned: PlannedLaunch, spoiled: dict[str, object]
) -> None:
    records, engine = FakeRecordStore(), Counting()
    engine.says = COUNT
    await Forecasts(records, engine).of(planned)
    (key,) = records.kept[KIND]
    records.kept[KIND][key] = spoiled
    assert await Forecasts(records, engine).of(planned) == COUNT
    assert len(engine.launches) == 2


async def test_what_cannot_be_kept_or_said_stops_nothing(planned: PlannedLaunch) -> None:
    records, engine = FakeRecordStore(), Counting()
    assert await Forecasts(records, engine).of(planned) is None
    engine.says = COUNT
    records.failure = DiskFull(path="/d", needed="1", free="0")
    assert await Forecasts(records, engine).of(planned) == COUNT


async def test_what_would_not_load_is_said_before_it_is_tried(planned: PlannedLaunch) -> None:
    engine = Counting()
    engine.says = ModelArchitecture(detail="unknown model architecture: 'lloma'")
    with pytest.raises(ModelArchitecture):
        await Forecasts(FakeRecordStore(), engine).of(planned)
