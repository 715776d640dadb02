"""`models pull` downloads, goes on, pauses at Ctrl+C, and prints where the model is."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.cli.main import main
from rony_desktop.cli.pull import line
from rony_desktop.contract.download import Download, DownloadState, Step
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.part import part_of
from rony_desktop.store.place import Place
from tests.fixture.gguf import LLAMA, Tensor, gguf
from tests.fixture.hub_server import HubServer, hub_server
from tests.fixture.terminal import open_terminal

MODEL = "maker/tiny-GGUF"
NAME = "tiny-Q4_K_M.gguf"
SIZE = 3_000_000
WHOLE = gguf(LLAMA, [Tensor([SIZE], 24, SIZE)])
ROOT = Path(__file__).parents[3]
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "hub" / MODEL / NAME
    place.parent.mkdir(parents=True)
    place.write_bytes(WHOLE)
    with hub_server(tmp_path / "hub") as running:
        monkeypatch.setenv("HF_ENDPOINT", running.url)
        monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
        yield running


@pytest.fixture
def target() -> Path:
    return Place.of().models_dir / MODEL / NAME


def test_the_path_is_said_at_the_end(server: HubServer, target: Path, capsys: Captured) -> None:
    assert main(["models", "pull", MODEL]) == 0
    text = capsys.readouterr()
    assert (text.out, text.err) == (f"{target}\n", "")
    assert target.read_bytes() == WHOLE
    assert main(["models", "pull", f"{MODEL}:q4_k_m", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "path": str(target),
        "model": MODEL,
        "quant": "Q4_K_M",
        "size_bytes": len(WHOLE),
    }
    assert len(server.log("cdn")) == 1


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (f"{MODEL}:Q9", f"{MODEL} has no Q9 to download; it has: Q4_K_M."),
        ("maker/none", "does not let us see this"),
    ],
)
def test_what_is_not_there_is_a_sentence(
    server: HubServer, capsys: Captured, name: str, says: str
) -> None:
    assert main(["models", "pull", name]) == 1
    text = capsys.readouterr()
    assert text.out == ""
    assert says in text.err
    assert len(text.err.splitlines()) == 1


def test_a_disk_that_is_too_full_is_a_sentence(
    server: HubServer, target: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", str(1 << 40))
    assert main(["models", "pull", MODEL]) == 1
    assert f"There is not enough room for {NAME}" in capsys.readouterr().err
    assert server.log("cdn") == []


def test_what_went_wrong_and_was_mended_is_told(
    server: HubServer, target: Path, capsys: Captured
) -> None:
    server.fault("flip", 2_000_000)
    assert main(["models", "pull", MODEL]) == 0
    assert "is not what the hub announced" in capsys.readouterr().err
    assert target.read_bytes() == WHOLE


def test_ctrl_c_pauses_and_the_next_run_goes_on(
    server: HubServer, target: Path, capsys: Captured
) -> None:
    server.fault("stall", 1_000_000)
    master, slave = open_terminal()
    command = [sys.executable, "-m", "rony_desktop", "models", "pull", MODEL]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=slave, env=environment, text=True
    ) as process:
        shown = ""
        while " 33%" not in shown and (more := os.read(master, 4096).decode()):
            shown += more
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    os.close(slave)
    shown = os.read(master, 65536).decode()
    os.close(master)
    assert (process.returncode, out) == (130, "")
    assert f"Paused. Go on with: rony-desktop models pull {MODEL}" in shown
    assert "Traceback" not in shown
    kept = part_of(target).stat().st_size
    assert kept == 1_000_000
    assert main(["models", "pull", MODEL]) == 0
    assert target.read_bytes() == WHOLE
    assert server.log("cdn")[-1]["range"] == f"bytes={kept}-"


def test_the_line_of_progress() -> None:
    quant = Quant("Q8_0", (HubFile("a/b", "m.gguf", 2_000_000_000, ""),))
    step = Step(DownloadState.RUNNING, 840_000_000, 0, 10, None, 51 << 30)
    running = Download(
        id="1",
        quant=quant,
        target=Path("m.gguf"),
        step=step,
        bytes_per_s=31.0 * (1 << 20),
        seconds_left=125.4,
    )
    assert line(running) == " 42%  31.0 MB/s  2 min 5 s left  51.0 GB free"
    assert "2 h 5 min left" in line(replace(running, seconds_left=7512))
    assert "9 s left" in line(replace(running, seconds_left=9.2))
    stalled = replace(running, step=Step(DownloadState.STALLED, 0, 2, 10), bytes_per_s=None)
    assert line(replace(stalled, seconds_left=None)) == "  0%  nothing comes, attempt 2 of 10"
    verifying = replace(stalled, step=Step(DownloadState.VERIFYING), seconds_left=None)
    assert line(verifying) == "  0%  verifying"
