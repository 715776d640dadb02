"""The probe tells what is true of this machine, and names what it could not find out."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from rony_desktop.contract.error import EngineStopped
from rony_desktop.contract.model import Gpu, Machine
from rony_desktop.contract.port import SystemProbe
from rony_desktop.model.cgroup import Limits
from rony_desktop.model.hardware import HardwareProbe, unknown, within
from tests.fixture.device import RECORDED_NO_DEVICE, RECORDED_SOFTWARE_DEVICE


def test_the_machine_has_memory_and_cores() -> None:
    probe: SystemProbe = HardwareProbe()
    machine = probe.detect()
    assert psutil.virtual_memory().total >= machine.ram_bytes >= machine.ram_free_bytes > 0
    assert machine.logical_cores >= machine.physical_cores >= 1
    assert machine.physical_cores >= (machine.performance_cores or 1) >= 1
    assert machine.architecture
    assert machine.cpu_name or "cpu_name" in machine.unknown


def test_a_disk_is_measured_where_it_is_asked_for(tmp_path: Path) -> None:
    machine = HardwareProbe(tmp_path / "models").detect()
    assert machine.disk_free_bytes
    assert "disk_free_bytes" not in machine.unknown
    assert "disk_free_bytes" in HardwareProbe().detect().unknown


def test_the_engines_devices_come_first() -> None:
    machine = HardwareProbe(list_devices=lambda: RECORDED_SOFTWARE_DEVICE).detect()
    assert machine.gpus[0].device == "Vulkan0"
    assert "gpus" not in machine.unknown


def test_an_engine_without_devices_is_an_answer() -> None:
    machine = HardwareProbe(list_devices=lambda: RECORDED_NO_DEVICE).detect()
    assert [gpu.device for gpu in machine.gpus if gpu.device] == []
    assert "gpus" not in machine.unknown


@pytest.mark.parametrize("error", [EngineStopped(), FileNotFoundError("llama-server")])
def test_an_engine_that_cannot_be_asked_leaves_devices_unknown(error: Exception) -> None:
    def fail() -> str:
        raise error

    machine = HardwareProbe(list_devices=fail).detect()
    assert machine.gpus or "gpus" in machine.unknown


def test_what_is_not_known_is_named() -> None:
    bare = Machine(4, 2, 1, 1)
    names = ("swap_bytes", "swap_free_bytes", "performance_cores", "cpu_name", "cpu_flags")
    rest = ("architecture", "gpus", "disk_free_bytes", "on_battery")
    assert unknown(bare, none_is_known=False) == names + rest
    assert "gpus" not in unknown(bare, none_is_known=True)
    known = Machine(4, 2, 1, 1, swap_bytes=0, gpus=(Gpu("x"),), on_battery=False)
    assert not {"swap_bytes", "gpus", "on_battery"} & set(unknown(known, none_is_known=False))


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        (Limits(), (100, 60)),
        (Limits(50, 20), (50, 20)),
        (Limits(50, 50), (50, 50)),
        (Limits(50, 0), (50, 0)),
        (Limits(10**18, 10**18), (100, 60)),
    ],
)
def test_limits_bind_where_they_are_lower(limits: Limits, expected: tuple[int, int]) -> None:
    assert within(limits, 100, 60) == expected


@pytest.mark.parametrize(
    ("battery", "on_battery"),
    [
        (None, None),
        (SimpleNamespace(power_plugged=True), False),
        (SimpleNamespace(power_plugged=False), True),
        (SimpleNamespace(power_plugged=None), None),
    ],
)
def test_power_source(
    battery: Any, on_battery: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery)
    assert HardwareProbe().detect().on_battery is on_battery


def test_a_system_that_hides_swap_and_battery_is_still_described(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse() -> None:
        raise PermissionError("not for you")

    monkeypatch.setattr(psutil, "swap_memory", refuse)
    monkeypatch.setattr(psutil, "sensors_battery", refuse)
    machine = HardwareProbe().detect()
    assert {"swap_bytes", "swap_free_bytes", "on_battery"} <= set(machine.unknown)


def test_detection_is_quick() -> None:
    probe = HardwareProbe()
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        probe.detect()
        taken.append(time.perf_counter() - start)
    assert min(taken) < 0.05
