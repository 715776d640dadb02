"""The real engine's list of devices is read, whatever this machine has."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from rony_desktop.model.gpu import parse_devices
from rony_desktop.model.hardware import HardwareProbe

pytestmark = pytest.mark.engine


def list_devices(engine_binary: Path) -> str:
    env = os.environ | {"LD_LIBRARY_PATH": str(engine_binary.parent)}
    command = [str(engine_binary), "--list-devices"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=30, check=True)
    return done.stdout


def test_the_list_is_a_list(engine_binary: Path) -> None:
    text = list_devices(engine_binary)
    found = parse_devices(text)
    assert found is not None
    lines = [line for line in text.splitlines() if line.endswith("MiB free)")]
    assert [gpu.device for gpu in found] == [line.split(":")[0].strip() for line in lines]


def test_the_probe_takes_the_engines_word(engine_binary: Path) -> None:
    machine = HardwareProbe(list_devices=lambda: list_devices(engine_binary)).detect()
    found = parse_devices(list_devices(engine_binary)) or ()
    assert [gpu.device for gpu in machine.gpus if gpu.device] == [gpu.device for gpu in found]
    assert "gpus" not in machine.unknown
