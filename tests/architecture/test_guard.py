"""The guards of tests/conftest.py do stop what they are there for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CULPRITS = """
import logging, os, socket, subprocess, sys
import pytest

def test_reaches_out():
    with pytest.raises(AssertionError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)

def test_looks_up_a_name():
    with pytest.raises(AssertionError):
        socket.getaddrinfo("example.invalid", 80)

kept = []
def test_leaves_a_child():
    kept.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))

def test_logs_an_error():
    logging.getLogger("rony.app").error("surprise")

@pytest.mark.x11
def test_wants_a_display():
    pass

def test_is_innocent(expected_log, own_home):
    expected_log("foreseen")
    logging.getLogger("rony.app").error("foreseen")
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    subprocess.run([sys.executable, "-c", ""], check=True)
    assert os.path.expanduser("~") == str(own_home)
    assert "RONY_MODEL" not in os.environ
"""


@pytest.fixture(scope="module")
def report(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What pytest says of each culprit under the same guards."""
    folder = tmp_path_factory.mktemp("culprit")
    (folder / "conftest.py").write_text((root / "tests" / "conftest.py").read_text("utf-8"))
    (folder / "test_culprit.py").write_text(CULPRITS)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = x11\nasyncio_mode = auto\n")
    environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "--tb=line", folder],
        env={**environment, "RONY_MODEL": "x", "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, str] = {}
    for line in result.stdout.splitlines():
        outcome, _, rest = line.partition(" ")
        if outcome in {"PASSED", "FAILED", "ERROR"} and "::" in rest:
            name = rest.split("::")[1].split()[0]
            found[name] = outcome if found.get(name) != "ERROR" else "ERROR"
    assert len(found) == CULPRITS.count("def test_"), result.stdout
    return found


@pytest.mark.parametrize(
    "culprit", ["reaches_out", "looks_up_a_name", "leaves_a_child", "logs_an_error"]
)
def test_a_culprit_is_caught(report: dict[str, str], culprit: str) -> None:
    assert report[f"test_{culprit}"] == "ERROR"


def test_a_display_is_demanded(report: dict[str, str]) -> None:
    assert report["test_wants_a_display"] == "ERROR"


def test_the_innocent_pass(report: dict[str, str]) -> None:
    assert report["test_is_innocent"] == "PASSED"
