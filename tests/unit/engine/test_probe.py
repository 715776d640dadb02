"""A trial ends with a candidate whose flags are known, or with the reason."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from rony_desktop.contract.error import EngineDied, EngineUnsuited
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.probe import probe
from rony_desktop.engine.trial import trial_model

Scripted = Callable[[str], Candidate]


async def test_trial_passed(scripted: Scripted, run_dir: Path) -> None:
    tested = await probe(scripted("serve"), run_dir)
    assert "--api-key-file" in tested.flags
    assert [file.name for file in run_dir.iterdir()] == ["trial.gguf"]


async def test_damaged_trial_model_is_written_again(scripted: Scripted, run_dir: Path) -> None:
    run_dir.mkdir()
    (run_dir / "trial.gguf").write_bytes(b"GGUF")
    await probe(scripted("serve"), run_dir)
    assert (run_dir / "trial.gguf").read_bytes() == trial_model()


async def test_illegal_instruction(scripted: Scripted, run_dir: Path) -> None:
    with pytest.raises(EngineUnsuited, match="scripted illegal"):
        await probe(scripted("illegal"), run_dir)


async def test_end_at_the_first_kernel(scripted: Scripted, run_dir: Path) -> None:
    with pytest.raises(EngineDied, match="exit code 3"):
        await probe(scripted("crash"), run_dir)
    assert [file.name for file in run_dir.iterdir()] == ["trial.gguf"]


async def test_trials_side_by_side_do_not_meet(scripted: Scripted, run_dir: Path) -> None:
    tested = await asyncio.gather(*(probe(scripted("serve"), run_dir) for _ in range(4)))
    assert all("--api-key-file" in each.flags for each in tested)
    assert [file.name for file in run_dir.iterdir()] == ["trial.gguf"]
