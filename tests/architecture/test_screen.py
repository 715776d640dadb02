"""scripts/headless.sh gives a command a display of its own and takes it away again."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SHOW = "echo $DISPLAY; echo $QT_QPA_PLATFORM; xdotool getdisplaygeometry"


def socket_of(display: str) -> Path:
    return Path("/tmp/.X11-unix") / display.strip().replace(":", "X")


@pytest.mark.x11
def test_the_command_has_a_display_and_its_code_is_kept(root: Path) -> None:
    result = subprocess.run(
        [root / "scripts/headless.sh", "sh", "-c", f"{SHOW}; cat; exit 7"],
        input="what it was given",
        capture_output=True,
        text=True,
        check=False,
    )
    display, *rest = result.stdout.splitlines()
    assert display != os.environ["DISPLAY"]
    assert rest == ["xcb", "1600 1000", "what it was given"]
    assert result.returncode == 7
    assert not socket_of(display).exists()


@pytest.mark.x11
def test_a_signal_ends_the_command_and_the_display(root: Path) -> None:
    command = [root / "scripts/headless.sh", "sh", "-c", "echo $DISPLAY; exec sleep 60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        display = process.stdout.readline()
        assert socket_of(display).exists()
        process.terminate()
        assert process.wait(timeout=20) == 143
    assert not socket_of(display).exists()


def test_without_xvfb_the_command_draws_offscreen(root: Path, tmp_path: Path) -> None:
    for tool in ("bash", "sh"):
        (tmp_path / tool).symlink_to(shutil.which(tool) or tool)
    result = subprocess.run(
        [root / "scripts/headless.sh", "sh", "-c", "echo $DISPLAY $QT_QPA_PLATFORM; exit 3"],
        env={"PATH": str(tmp_path), "DISPLAY": ":99"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stdout == "offscreen\n"
    assert result.returncode == 3
