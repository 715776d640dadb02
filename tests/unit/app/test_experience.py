"""A tuned setting comes back, and answers are learned from in the background."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.experience import Experience
from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import DiskFull
from rony_desktop.contract.llm import Timings
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import gguf

TIMINGS = Timings(prompt_n=400, prompt_ms=800.0, predicted_n=60, predicted_ms=1200.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf())
    return path


def launch(file: Path) -> Launch:
    return Launch(file, "tiny", 2048, 512, 512, 2, 2, 256)


async def test_an_answer_is_learned_before_the_program_ends(file: Path) -> None:
    records = FakeRecordStore()
    experience = Experience(records, GgufMetadataReader(), HardwareProbe())
    experience.learned(launch(file), "engine b1", TIMINGS)
    await experience.close()
    assert records.kept["speed"]
    assert records.kept["machine"]


async def test_what_cannot_be_kept_costs_nothing_else(file: Path) -> None:
    records = FakeRecordStore()
    records.failure = DiskFull(path="/d", needed="1", free="0")
    experience = Experience(records, GgufMetadataReader(), HardwareProbe())
    experience.learned(launch(file), "engine b1", TIMINGS)
    await experience.close()
    assert not records.kept["speed"]


async def test_a_launch_that_was_never_tuned_stays_as_it_was_planned(file: Path) -> None:
    experience = Experience(FakeRecordStore(), GgufMetadataReader(), HardwareProbe())
    model, machine = GgufMetadataReader().read(file), HardwareProbe().detect()
    planned = launch(file)
    assert await experience.tuned(model, machine, "engine b1", planned) == planned
