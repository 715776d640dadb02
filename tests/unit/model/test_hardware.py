"""The probe tells plausible things of this machine."""

from __future__ import annotations

from rony_desktop.model.hardware import HardwareProbe


def test_the_machine_has_memory_and_cores() -> None:
    machine = HardwareProbe().detect()
    assert machine.ram_bytes >= machine.ram_free_bytes > 0
    assert machine.logical_cores >= machine.physical_cores >= 1
