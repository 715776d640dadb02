from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rony_desktop.app.tune import workshop
from rony_desktop.contract.error import BenchmarkError, NotAChatModel
from rony_desktop.model.correction import KIND as SPEED
from rony_desktop.model.tuning import KIND as TUNING
from tests.fixture.gguf import LLAMA, gguf

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"


@pytest.fixture
def local(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scripted engine and a small model, by configuration."""
    program, file = tmp_path / "engine", tmp_path / "tiny.gguf"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{SCRIPT}" serve "$@"\n')
    program.chmod(0o755)
    file.write_bytes(gguf())
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", str(program))
    monkeypatch.setenv("RONY_LLAMA__MODELS__MAIN__PATH", str(file))
    return file


async def test_a_workshop_has_a_plan_and_nothing_running(local: Path) -> None:
    async with workshop() as shop:
        assert shop.planned.model == local
        assert shop.planned.parallel == 1
        assert shop.build.endswith("engine")
        assert await shop.launch() == shop.planned
        for kind in (SPEED, TUNING):
            assert not await shop.records.list(kind)


async def test_a_scripted_model_cannot_be_measured(local: Path) -> None:
    with pytest.raises(BenchmarkError, match="not in a file"):
        async with workshop("scripted:rules.json"):
            pytest.fail("there is nothing to measure")


async def test_a_file_that_cannot_chat_is_refused(local: Path) -> None:
    values = {key: value for key, value in LLAMA.items() if "template" not in key}
    local.write_bytes(gguf(values))
    with pytest.raises(NotAChatModel):
        async with workshop():
            pytest.fail("there is nothing to measure")
