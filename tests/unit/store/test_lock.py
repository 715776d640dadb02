from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from rony_desktop.contract.error import SessionBusy, StorageError
from rony_desktop.store import lock as lock_module
from rony_desktop.store.lock import Locks, alone

HOLDER = """
    import sys
    from filelock import FileLock
    with FileLock(sys.argv[1]):
        print("held", flush=True)
        sys.stdin.read()
"""


async def test_work_of_one_name_runs_in_order() -> None:
    locks, done = Locks(), []
    await asyncio.gather(*(locks.run("a", lambda n=n: done.append(n)) for n in range(20)))
    assert done == list(range(20))


async def test_names_do_not_wait_for_each_other() -> None:
    locks, free = Locks(), threading.Event()
    held = asyncio.create_task(locks.run("a", lambda: free.wait(10)))
    await locks.run("b", free.set)
    assert await held is True


async def test_cancelled_work_is_finished_before_the_next() -> None:
    locks, begun, free = Locks(), threading.Event(), threading.Event()
    done: list[str] = []

    def work() -> None:
        begun.set()
        free.wait(10)
        done.append("first")

    task = asyncio.create_task(locks.run("a", work))
    assert await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    after = asyncio.create_task(locks.run("a", lambda: done.append("second")))
    await asyncio.sleep(0)
    free.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    await after
    assert done == ["first", "second"]


async def test_an_error_of_the_work_is_the_callers_and_frees_the_name() -> None:
    locks = Locks()
    with pytest.raises(ZeroDivisionError):
        await locks.run("a", lambda: 1 // 0)
    assert await locks.run("a", lambda: 5) == 5


def test_another_process_keeps_us_out_until_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock_module, "LOCK_WAIT_S", 0.1)
    file = tmp_path / "lock" / "a.lock"
    with alone(file, SessionBusy(session="a")):
        assert file.exists()
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOLDER), str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(SessionBusy), alone(file, SessionBusy(session="a")):
            pytest.fail("it is held")
        other.kill()
        other.wait(10)
    with alone(file, SessionBusy(session="a")):
        pass


def test_a_folder_that_refuses_is_said(tmp_path: Path) -> None:
    (tmp_path / "lock").write_text("")
    with pytest.raises(StorageError), alone(tmp_path / "lock" / "a", SessionBusy(session="a")):
        pytest.fail("there can be no lock")
