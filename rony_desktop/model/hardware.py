"""What machine this is: memory, cores, graphics, disk and power, as free as it is now."""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import psutil

from rony_desktop.contract.error import RonyError
from rony_desktop.contract.model import Gpu, Machine
from rony_desktop.model import cgroup, cpu, disk, drm, dxgi, gpu, metal, nvml


class HardwareProbe:
    """Implements SystemProbe.

    Free disk space is read at `folder`. `list_devices` returns what the engine prints for
    --list-devices, or an empty text where there is no engine to ask.
    """

    def __init__(
        self, folder: Path | None = None, list_devices: Callable[[], str] | None = None
    ) -> None:
        self._folder = folder
        self._list_devices = list_devices

    def detect(self) -> Machine:
        """Read everything now; a source that is not there leaves its facts unknown. Blocking.

        Free memory is what can be had without swapping.
        """
        limits = cgroup.read_limits()
        ram, free = usable_memory(limits)
        swap, swap_free = _swap()
        cores = cpu.read_cores(limits.cpus)
        name, flags = cpu.read_cpu()
        gpus, told = self._gpus(ram, free)
        machine = Machine(
            ram_bytes=ram,
            ram_free_bytes=free,
            physical_cores=cores.physical,
            logical_cores=cores.logical,
            swap_bytes=swap,
            swap_free_bytes=swap_free,
            performance_cores=cores.performance,
            cpu_name=name,
            cpu_flags=flags,
            architecture=platform.machine(),
            gpus=gpus,
            disk_free_bytes=disk.free_bytes(self._folder) if self._folder else None,
            on_battery=_on_battery(),
        )
        return replace(machine, unknown=unknown(machine, none_is_known=told))

    def _gpus(self, ram_bytes: int, ram_free_bytes: int) -> tuple[tuple[Gpu, ...], bool]:
        """Devices, and whether an engine said what it can use."""
        try:
            text = self._list_devices() if self._list_devices else ""
        except (OSError, RonyError):
            text = ""
        listed = gpu.parse_devices(text)
        system = (*drm.read_cards(), *dxgi.read_adapters())
        found = gpu.without_repeats(nvml.read_nvidia(), system)
        found = (*found, *metal.read_apple(ram_bytes, ram_free_bytes))
        return gpu.merge(listed or (), found), listed is not None


def unknown(machine: Machine, *, none_is_known: bool) -> tuple[str, ...]:
    """Names of the fields nothing is known of; that there is no GPU may be known."""
    names = (field.name for field in fields(machine) if field.name != "unknown")
    empty = [name for name in names if getattr(machine, name) in (None, "", (), frozenset())]
    return tuple(name for name in empty if name != "gpus" or not none_is_known)


def usable_memory(limits: cgroup.Limits | None = None) -> tuple[int, int]:
    """Memory this process may use, in total and free without swapping, in bytes. Blocking."""
    memory = psutil.virtual_memory()
    return within(limits or cgroup.read_limits(), memory.total, memory.available)


def within(limits: cgroup.Limits, total: int, free: int) -> tuple[int, int]:
    """Memory in total and free, each no more than the limits leave."""
    total = min(total, limits.memory_bytes or total)
    left = free if limits.memory_free_bytes is None else limits.memory_free_bytes
    return total, min(total, free, left)


def _swap() -> tuple[int | None, int | None]:
    try:
        swap = psutil.swap_memory()
    except (OSError, RuntimeError):
        return None, None
    return swap.total, swap.free


def _on_battery() -> bool | None:
    """Whether the computer runs on its battery; None where none is reported."""
    try:
        battery = psutil.sensors_battery()
    except (OSError, ValueError, NotImplementedError):
        return None
    if battery is None or battery.power_plugged is None:
        return None
    return not battery.power_plugged
