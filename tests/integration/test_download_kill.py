"""A download that is killed again and again ends whole, and hardly anything comes twice."""

from __future__ import annotations

import hashlib
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rony_desktop.model.part import part_of
from tests.fixture.hub_server import HubServer, hub_server

ROOT = Path(__file__).parents[2]
MODEL = "maker/starter-GGUF"
RATE = 20_000_000


@pytest.fixture
def server(starter_model: Path, tmp_path: Path) -> Iterator[HubServer]:
    place = tmp_path / "hub" / MODEL / "starter-Q4_1.gguf"
    place.parent.mkdir(parents=True)
    place.symlink_to(starter_model)
    with hub_server(tmp_path / "hub", rate=RATE) as running:
        yield running


def command(server: HubServer, folder: Path) -> list[str]:
    return [sys.executable, "-m", "tests.fixture.parcel", server.url, MODEL, str(folder)]


def begin(server: HubServer, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(command(server, folder), cwd=ROOT, stdout=subprocess.PIPE, text=True)


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def kill_at(process: subprocess.Popen[str], wanted: int) -> None:
    """Kill it when it says that so many bytes are there; it may end before."""
    assert process.stdout is not None
    with process:
        for line in process.stdout:
            word, *rest = line.split()
            if word == "running" and int(rest[0]) >= wanted:
                break
        process.kill()


@pytest.mark.parametrize(
    "times", [3, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(300)])]
)
def test_killed_again_and_again_it_ends_whole(
    server: HubServer, starter_model: Path, tmp_path: Path, times: int
) -> None:
    size = starter_model.stat().st_size
    chance = random.Random(times)
    folder = tmp_path / "home"
    target = folder / "models" / MODEL / "starter-Q4_1.gguf"
    lengths = [0]
    for number in range(times):
        step = (size * 0.85 - lengths[-1]) / (times - number)
        kill_at(begin(server, folder), int(lengths[-1] + max(1, step * chance.uniform(0.2, 1))))
        assert not target.exists()
        lengths.append(part_of(target).stat().st_size)
    done = subprocess.run(
        command(server, folder), cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f"end {target}"
    assert sha256(target) == sha256(starter_model)
    # What is on the disk is asked for no second time; what was on its way when it was killed is.
    asked = [entry["range"] for entry in server.log("cdn")]
    assert asked == ["", *(f"bytes={length}-" for length in lengths[1:])]
    again = sum(entry["sent"] for entry in server.log("cdn")) - size
    print(f"{times} kills, {again} of {size} bytes sent again")
    assert again < size / 100
