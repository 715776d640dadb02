"""The watcher ends an engine whose program is gone, and leaves one that ended by itself."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from rony_desktop.engine.process import release, watch


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(["/bin/sleep", "60"], start_new_session=True)
    yield process
    process.kill()
    process.wait()


def test_program_gone_without_a_word_ends_the_engine(sleeper: subprocess.Popen[bytes]) -> None:
    program = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from rony_desktop.engine.process import watch\n"
            f"w = watch({sleeper.pid}); print(w.pid, flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    watcher = psutil.Process(int(program.stdout.readline()))
    program.kill()
    program.communicate()
    assert sleeper.wait(5) == -9
    assert not psutil.wait_procs([watcher], timeout=5)[1]


def test_released_watcher_ends_and_kills_nothing(sleeper: subprocess.Popen[bytes]) -> None:
    watcher = watch(sleeper.pid)
    release(watcher)
    assert watcher.returncode == 0
    assert sleeper.poll() is None


def test_nothing_to_watch_ends_at_once() -> None:
    process = subprocess.Popen(["/bin/true"])
    process.wait()
    watcher = watch(process.pid)
    assert watcher.wait(10) == 0
    release(watcher)
