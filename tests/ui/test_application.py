"""The whole program as a process of its own: opened, driven, closed by a signal, started twice."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from rony_desktop.app.neighbour import ADDRESS
from rony_desktop.store.place import Place
from rony_desktop.ui.application import SCREENS

pytestmark = [pytest.mark.ui, pytest.mark.program]
RULES = [
    {"match": "hello", "response": "Hello to you."},
    {"match": "long", "response": "word " * 300_000},
]
DEADLINE_S = 30.0


@pytest.fixture
def model(tmp_path: Path) -> str:
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(RULES), "utf-8")
    return f"scripted:{file}"


@contextlib.contextmanager
def window(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The program without a screen; it is gone at the end of the block."""
    with subprocess.Popen(
        [sys.executable, "-m", "rony_desktop", *arguments],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code and words of a program that ends by itself."""
    out, err = process.communicate(timeout=DEADLINE_S)
    assert "Traceback" not in out + err
    return process.returncode, out, err


def asked(request: dict[str, str]) -> dict[str, object] | None:
    """What the running window answers, None where there is none."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(DEADLINE_S)
        try:
            client.connect(str(Place.of().run_dir / ADDRESS))
            client.sendall(json.dumps(request).encode() + b"\n")
            found: dict[str, object] = json.loads(client.makefile().readline())
        except (OSError, ValueError):
            return None
    return found


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + DEADLINE_S
    while not condition():
        assert time.monotonic() < end, f"not within {DEADLINE_S} s: {what}"
        time.sleep(0.02)


def is_served() -> bool:
    """Whether the window answers; a scripted model has no engine to lend."""
    return asked({"want": "engine"}) == {}


def entries() -> list[dict[str, Any]]:
    """Every entry of the one chat there is."""
    (chat,) = Place.of().sessions_dir.glob("*.jsonl")
    return [json.loads(line) for line in chat.read_text("utf-8").splitlines()[1:]]


def answer(entries: list[dict[str, Any]]) -> str:
    return "".join(e["body"].get("text", "") for e in entries if e["kind"] == "delta")


def test_one_question_in_the_window_is_printed_and_pictured(model: str, tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    with window("--model", model, "--demo", "hello", "--picture", str(picture)) as process:
        code, out, err = ended(process)
    assert code == 0, err
    assert out.splitlines()[:2] == ["> hello", "Hello to you."]
    assert picture.stat().st_size > 1000
    assert answer(entries()) == "Hello to you."


def test_a_start_is_reported(model: str) -> None:
    with window("--model", model, "--smoke") as process:
        code, out, err = ended(process)
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["platform"], found["engine"], found["error"]) == ("offscreen", "ready", "")


def test_a_start_without_a_model_ends_well_and_says_why() -> None:
    with window("--model", "nothing", "--smoke") as process:
        code, out, _ = ended(process)
    found = json.loads(out)
    assert (code, found["engine"]) == (1, "failed")
    assert found["error"].startswith("There is no model named 'nothing'.")


def test_a_data_folder_in_the_way_is_said_and_the_window_opens(model: str) -> None:
    blocked = Place.of().data_dir
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way", "utf-8")
    with window("--model", model, "--smoke") as process:
        code, out, _ = ended(process)
    found = json.loads(out)
    assert (code, found["engine"]) == (1, "ready")
    assert str(blocked) in found["error"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_closes_the_window_in_order(model: str, number: signal.Signals) -> None:
    with window("--model", model) as process:
        until(is_served, "the window answers")
        process.send_signal(number)
        assert ended(process) == (0, "", "")
    assert asked({"want": "engine"}) is None
    assert (Place.of().data_dir / "window.ini").exists()
    assert psutil.Process().children() == []


def test_a_second_start_shows_the_first_and_ends_well(model: str) -> None:
    with window("--model", model) as first:
        until(is_served, "the window answers")
        with window("--model", model) as second:
            assert ended(second) == (0, "", "")
        assert first.poll() is None
        first.terminate()
        assert ended(first)[0] == 0


@pytest.mark.parametrize("drive", [("--smoke",), ("--demo", "hello")])
def test_a_window_is_not_driven_beside_another(model: str, drive: tuple[str, ...]) -> None:
    with window("--model", model) as first:
        until(is_served, "the window answers")
        with window("--model", model, *drive) as second:
            assert ended(second) == (1, "", "rony-desktop: a window is open; close it first.\n")
        first.terminate()
        assert ended(first)[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_without_a_screen_the_program_says_so() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in SCREENS}
    done = subprocess.run(
        [sys.executable, "-m", "rony_desktop"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("rony-desktop: there is no display;")


def test_after_a_kill_the_next_start_is_the_first(model: str) -> None:
    with window("--model", model) as process:
        until(is_served, "the window answers")
        process.kill()
        process.wait()
    with window("--model", model, "--smoke") as process:
        assert ended(process)[0] == 0


def test_killed_in_mid_answer_the_question_is_kept(model: str) -> None:
    with window("--model", model, "--demo", "long") as process:
        assert process.stdout is not None
        said = process.stdout.readline() + process.stdout.read(200)
        assert "word word" in said
        process.kill()
    question, opened = entries()[:2]
    assert (question["body"]["role"], question["body"]["content"]) == ("user", "long")
    assert opened["body"]["role"] == "assistant"
