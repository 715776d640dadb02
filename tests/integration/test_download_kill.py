"""A download that is killed, or begun by two programs, ends whole; hardly anything comes twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rony_desktop.contract.download import DOWNLOADS
from rony_desktop.store.record import FileRecordStore
from tests.fixture.hub_server import HubServer, hub_server
from tests.fixture.killer import RATE, begin, end, sha256, survive, until

MODEL = "maker/starter-GGUF"


@pytest.fixture
def server(starter_model: Path, tmp_path: Path) -> Iterator[HubServer]:
    place = tmp_path / "hub" / MODEL / "starter-Q4_1.gguf"
    place.parent.mkdir(parents=True)
    place.symlink_to(starter_model)
    with hub_server(tmp_path / "hub", rate=RATE) as running:
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "home" / "models" / MODEL / "starter-Q4_1.gguf"


def test_killed_three_times_it_ends_whole(
    server: HubServer, starter_model: Path, target: Path, tmp_path: Path
) -> None:
    again = survive(server, starter_model, target, tmp_path / "home", 3)
    assert again < starter_model.stat().st_size / 100


async def test_two_programs_that_download_the_same_write_it_once(
    server: HubServer, starter_model: Path, target: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "home"
    with begin(server, MODEL, folder) as first:
        until(first, 1)
        with begin(server, MODEL, folder) as second:
            assert "being downloaded by another window or program" in end(second)
        # It goes on after a kill, although another program could not have it.
        records = await FileRecordStore(folder / "records").list(DOWNLOADS)
        assert [record["state"] for record in records.values()] == ["queued"]
        assert end(first) == f"end {target}"
    assert sha256(target) == sha256(starter_model)
    assert len(server.log("cdn")) == 1
    assert await FileRecordStore(folder / "records").list(DOWNLOADS) == {}
