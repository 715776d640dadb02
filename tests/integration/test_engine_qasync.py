"""The supervisor under the window's own event loop."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.engine, pytest.mark.ui]
PROGRAM = """
import asyncio, os, signal, sys
from pathlib import Path
import psutil, qasync
from PySide6.QtWidgets import QApplication
from rony_desktop.contract.engine import Launch
from rony_desktop.engine.binary import find
from rony_desktop.engine.health import completes
from rony_desktop.engine.supervisor import ProcessSupervisor

async def main(run_dir, cache_dir, model):
    supervisor = ProcessSupervisor(lambda: find(None, cache_dir), run_dir)
    launch = Launch(model, "m", 512, 64, 64, 1, 1, 0)
    await supervisor.start(launch)
    assert await completes(supervisor.endpoint())
    pid = supervisor.status().pid
    os.kill(pid, signal.SIGKILL)
    async with asyncio.timeout(10):
        while supervisor.status().pid in (pid, None):
            await asyncio.sleep(0.02)
    await supervisor.wait_ready(10)
    assert await completes(supervisor.endpoint())
    await supervisor.stop()
    assert not psutil.Process().children(), psutil.Process().children()
    assert list(run_dir.iterdir()) == []
    print("done")

app = QApplication([])
app.setQuitOnLastWindowClosed(False)
loop = qasync.QEventLoop(app)
asyncio.set_event_loop(loop)
with loop:
    loop.run_until_complete(main(*map(Path, sys.argv[1:])))
"""


def test_start_crash_and_stop_under_qasync(starter_model: Path, tmp_path: Path) -> None:
    run_dir = Path(os.environ["XDG_RUNTIME_DIR"]) / "run"
    argv = [sys.executable, "-c", PROGRAM, str(run_dir), str(tmp_path), str(starter_model)]
    env = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    done = subprocess.run(argv, capture_output=True, text=True, env=env, timeout=50, check=False)
    assert done.stdout == "done\n", done.stderr
    assert done.returncode == 0
