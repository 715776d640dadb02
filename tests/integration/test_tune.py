"""Benchmark and tuning on the real engine and the starter model."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from rony_desktop.app.tune import workshop
from rony_desktop.contract.speed import Basis, Verdict
from rony_desktop.model.autotune import autotune
from rony_desktop.model.variant import variants

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]
ROOT = Path(__file__).parents[2]
DEADLINE_S = 60.0


async def test_a_benchmark_of_the_starter_model_corrects_its_prediction(
    starter_model: Path,
) -> None:
    async with workshop(str(starter_model)) as shop:
        (found,) = await shop.benchmark((200,), 24, 2, lambda *_: None)
        assert 200 <= found.prompt_tokens < 300
        assert found.prefill.best > found.decode.best > 1
        assert found.samples[1].timings.cache_n < 64  # a template's own words at most
        after = await shop.predicted(found.prompt_tokens)
        assert after.basis is Basis.RUN
        # The machine is shared: runs differ more than the prediction does.
        assert after.decode.value == pytest.approx(found.decode.median, rel=0.35)


async def test_tuning_ends_and_keeps_nothing_slower(starter_model: Path) -> None:
    async with workshop(str(starter_model)) as shop:
        others = variants(shop.model, shop.machine, shop.planned)[:2]
        begun = time.monotonic()
        found = await autotune(shop.bench, shop.planned, others, limit_s=60, rounds=2)
        assert time.monotonic() - begun < 90
        planned, *_ = found.trials
        assert planned.prefill > planned.decode > 1
        if found.verdict is Verdict.FASTER:
            assert found.gain > found.noise
        else:
            assert found.launch == shop.planned


@pytest.mark.slow
async def test_tuning_all_settings_ends_within_90_seconds(starter_model: Path) -> None:
    async with workshop(str(starter_model)) as shop:
        begun = time.monotonic()
        found = await shop.tune(lambda *_: None)
        assert time.monotonic() - begun < 90
        assert (found.verdict is Verdict.FASTER) == (found.launch != shop.planned)
        assert await shop.launch() == found.launch


async def test_interrupting_the_command_leaves_no_engine(starter_model: Path) -> None:
    command = [sys.executable, "-m", "rony_desktop", "tune", "--model", str(starter_model)]
    program = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE
    )
    me = psutil.Process(program.pid)
    async with asyncio.timeout(DEADLINE_S):
        while not any(str(starter_model) in argv(each) for each in me.children()):
            await asyncio.sleep(0.05)
    engines = me.children(recursive=True)
    program.send_signal(signal.SIGINT)
    _, said = await asyncio.to_thread(program.communicate, timeout=DEADLINE_S)
    assert program.returncode == 130
    assert b"Traceback" not in said
    _, alive = psutil.wait_procs(engines, timeout=5)
    assert not alive


def argv(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []
