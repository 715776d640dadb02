from __future__ import annotations

import time

import pytest

from rony_desktop.model.calibration import KIND, calibration, machine_key, probe
from tests.fake.record import FakeRecordStore
from tests.fixture.speed import card, machine


def test_a_probe_is_quick_and_tells_plausible_numbers() -> None:
    begun = time.perf_counter()
    found = probe(2)
    # Under a second on a machine that has nothing else to do.
    assert time.perf_counter() - begun < 5
    assert 1e8 < found.thread_bytes_per_s <= found.read_bytes_per_s < 1e13
    assert 1e8 < found.cycles_per_s < 2e10


def test_one_thread_is_measured_once() -> None:
    found = probe(0)
    assert found.thread_bytes_per_s == found.read_bytes_per_s


async def test_a_machine_is_measured_once() -> None:
    records = FakeRecordStore()
    first = await calibration(records, machine(physical_cores=1))
    assert await calibration(records, machine(physical_cores=1)) == first
    assert len(records.kept[KIND]) == 1


@pytest.mark.parametrize(
    "spoiled",
    [{}, {"thread_bytes_per_s": 1, "read_bytes_per_s": "2", "cycles_per_s": 3},
     {"thread_bytes_per_s": 1, "read_bytes_per_s": 0, "cycles_per_s": 3}],
)  # fmt: skip
async def test_a_spoiled_record_is_measured_anew(spoiled: dict[str, object]) -> None:
    records, here = FakeRecordStore(), machine(physical_cores=1)
    await records.put(KIND, machine_key(here), spoiled)
    found = await calibration(records, here)
    assert found.cycles_per_s > 3
    assert records.kept[KIND][machine_key(here)]["cycles_per_s"] == found.cycles_per_s


def test_another_processor_or_card_is_another_machine() -> None:
    keys = {
        machine_key(each)
        for each in (
            machine(),
            machine(cpu_name="Other"),
            machine(physical_cores=8),
            machine(gpus=(card(),)),
            machine(cpu_name="", architecture="arm64"),
            machine(cpu_name="", architecture=""),
        )
    }
    assert len(keys) == 6
    assert machine_key(machine(ram_free_bytes=1)) == machine_key(machine())
