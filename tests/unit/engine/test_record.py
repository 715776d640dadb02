"""Leftovers are ended only where pid, start time, program and a dead owner agree."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from rony_desktop.engine.record import Record, reap, started, write_record


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def dead() -> int:
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    return process.pid


def record_of(process: subprocess.Popen[bytes], owner: int) -> Record:
    seen = psutil.Process(process.pid)
    return Record(process.pid, seen.create_time(), seen.exe(), owner, 1.0)


def put(folder: Path, record: Record) -> Path:
    path = folder / "engine-chat-1.json"
    path.write_text(json.dumps(asdict(record)))
    path.with_suffix(".sock").touch()
    path.with_suffix(".key").touch()
    return path


def test_leftover_of_a_dead_program_is_ended(
    tmp_path: Path, sleeper: subprocess.Popen[bytes], dead: int
) -> None:
    put(tmp_path, record_of(sleeper, dead))
    assert reap(tmp_path) == [sleeper.pid]
    assert not psutil.pid_exists(sleeper.pid)
    assert list(tmp_path.iterdir()) == []


def test_owner_s_number_given_to_another_process_counts_as_dead(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    put(tmp_path, record_of(sleeper, os.getpid()))  # we did not start at second 1
    assert reap(tmp_path) == [sleeper.pid]


@pytest.mark.skipif(sys.platform == "win32", reason="files have no owner there")
def test_record_of_another_user_ends_nothing(
    tmp_path: Path, sleeper: subprocess.Popen[bytes], dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, record_of(sleeper, dead))
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    assert reap(tmp_path) == []
    assert sleeper.poll() is None
    assert path.exists()


def test_engine_of_a_living_program_is_left_alone(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    path = tmp_path / "engine-chat-1.json"
    write_record(path, sleeper.pid)
    assert reap(tmp_path) == []
    assert sleeper.poll() is None
    assert path.exists()


def test_pid_given_to_another_process_is_left_alone(
    tmp_path: Path, sleeper: subprocess.Popen[bytes], dead: int
) -> None:
    record = record_of(sleeper, dead)
    put(tmp_path, replace(record, started=record.started - 100))
    assert reap(tmp_path) == []
    assert sleeper.poll() is None
    assert list(tmp_path.iterdir()) == []


def test_other_program_with_the_same_start_time_is_left_alone(
    tmp_path: Path, sleeper: subprocess.Popen[bytes], dead: int
) -> None:
    put(tmp_path, replace(record_of(sleeper, dead), exe="/bin/other"))
    assert reap(tmp_path) == []
    assert sleeper.poll() is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}'])
def test_unreadable_record_is_removed(tmp_path: Path, text: str) -> None:
    (tmp_path / "engine-chat-1.json").write_text(text)
    assert reap(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_missing_folder_holds_nothing(tmp_path: Path) -> None:
    assert reap(tmp_path / "none") == []


def test_record_names_child_and_owner(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    path = tmp_path / "engine-chat-1.json"
    write_record(path, sleeper.pid)
    stored = json.loads(path.read_text())
    assert stored["pid"] == sleeper.pid
    assert stored["exe"] == psutil.Process(sleeper.pid).exe()
    assert stored["owner"] == os.getpid()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_zombie_has_no_start_time() -> None:
    process = subprocess.Popen([sys.executable, "-S", "-c", ""])
    psutil_process = psutil.Process(process.pid)
    for _ in range(1000):
        if psutil_process.status() == psutil.STATUS_ZOMBIE:
            break
        os.sched_yield()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert started(process.pid) is None
    process.wait()
