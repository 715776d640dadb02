"""Killed twenty times during one download, it ends whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture.hub_server import hub_server
from tests.fixture.killer import survive

MODEL = "maker/starter-GGUF"
NAME = "starter-Q4_1.gguf"
TIMES = 20
# What is on its way at a kill counts as sent again: on a busy machine less of it at this speed.
RATE = 10_000_000


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_killed_twenty_times_less_than_a_percent_comes_twice(
    starter_model: Path, tmp_path: Path
) -> None:
    place = tmp_path / "hub" / MODEL / NAME
    place.parent.mkdir(parents=True)
    place.symlink_to(starter_model)
    target = tmp_path / "home" / "models" / MODEL / NAME
    with hub_server(tmp_path / "hub", rate=RATE) as server:
        again = survive(server, starter_model, target, tmp_path / "home", TIMES)
    print(f"{TIMES} kills, {again} of {starter_model.stat().st_size} bytes sent again")
    assert again < starter_model.stat().st_size / 100
