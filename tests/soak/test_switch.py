"""Fifty switches between three real models: no orphan, and memory as it was at the start."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.fixture.fleet import children, held_by_children, program, three_models

pytestmark = [pytest.mark.engine, pytest.mark.soak, pytest.mark.timeout(900)]
SWITCHES = 50
SHARE = 0.05
# Now and then something is asked in between, so that caches fill.
ASKED_EVERY = 10


@pytest.fixture
def models(starter_model: Path, tmp_path: Path) -> Iterator[list[Path]]:
    folder = tmp_path / "models"
    yield three_models(starter_model, folder)
    shutil.rmtree(folder)


async def test_fifty_switches_leave_nothing_behind(
    models: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    # pytest would keep every line of every engine in this process.
    for name in ("rony.llama", "rony.app"):
        monkeypatch.setattr(logging.getLogger(name), "propagate", False)
    here = psutil.Process()
    seen: set[int] = set()
    held: list[int] = []
    async with program({"provider.temperature": 0.0}) as running:
        for model in models:  # what the first loads bring into this process stays there
            await running.switch(model)
            assert (await running.ask("Say hello.")).response.failure is None
        own, files = here.memory_info().rss, here.num_fds()
        for turn in range(SWITCHES):
            await running.switch(models[turn % len(models)])
            (child,) = children()
            assert child.pid == running.pid
            assert child.pid not in seen
            seen.add(child.pid)
            held.append(held_by_children())
            if turn % ASKED_EVERY == 0:
                assert (await running.ask("Say hello.")).response.failure is None
        grown = here.memory_info().rss - own
        assert here.num_fds() <= files + 2
        assert running.notices == []
    assert children() == []
    assert max(held) <= min(held) * (1 + SHARE)
    assert grown <= own * SHARE, f"{grown >> 20} MiB more than {own >> 20}"
    print(
        f"{SWITCHES} switches: engines held {min(held) >> 20} to {max(held) >> 20} MiB, "
        f"this process {own >> 20} MiB and {grown / own:+.1%}"
    )
