"""`python -m rony_desktop`: a command, or the window."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rony_desktop import __main__ as module, __version__
from rony_desktop.contract.error import FolderUnwritable


def test_a_command_is_run_and_its_code_returned(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["rony-desktop", "ask", "why", "--model", "nothing"])
    assert module.main() == 1
    assert "There is no model named 'nothing'." in capsys.readouterr().err


def test_without_a_command_the_window_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def window(options: object) -> int:
        opened.append(options)
        return 7

    monkeypatch.setattr("sys.argv", ["rony-desktop", "--model", "m"])
    monkeypatch.setattr("rony_desktop.ui.application.open_window", window)
    assert module.main() == 7
    assert len(opened) == 1
    assert vars(opened[0])["model"] == "m"


def test_a_window_that_cannot_start_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def window(options: object) -> int:
        raise FolderUnwritable(path="/x", detail="no")

    monkeypatch.setattr("sys.argv", ["rony-desktop"])
    monkeypatch.setattr("rony_desktop.ui.application.open_window", window)
    assert module.main() == 1
    assert capsys.readouterr().err.startswith("rony-desktop: The folder /x cannot be written (no).")


def test_the_version_is_told_at_once_and_without_the_window() -> None:
    code = (
        "import sys, runpy; sys.argv = ['rony-desktop', '--version']\n"
        "try: runpy.run_module('rony_desktop', run_name='__main__')\n"
        "except SystemExit as ended: print(ended.code)\n"
        "print([n for n in ('PySide6', 'httpx', 'pydantic', 'apsw') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.splitlines() == [f"rony-desktop {__version__}", "0", "[]"]
