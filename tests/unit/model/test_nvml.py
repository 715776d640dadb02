"""NVML by its C calls: a sample library of real C functions, for no machine here has the driver."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rony_desktop.contract.model import Gpu
from rony_desktop.model.nvml import read_devices, read_nvidia

GIB = 1 << 30
OK, REFUSED = 0, 3
POINTER = ctypes.c_void_p
UINT = ctypes.c_uint


def c_function(call: Callable[..., int], *kinds: Any) -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int, *kinds)(call)


class Driver:
    """Devices by number; each with a name and three sizes, or None where the call is refused."""

    def __init__(self, *devices: tuple[str | None, tuple[int, int, int] | None]) -> None:
        self.devices = devices
        self.open = 0
        self.nvml = SimpleNamespace(
            nvmlInit_v2=c_function(self.start),
            nvmlShutdown=c_function(self.stop),
            nvmlDeviceGetCount_v2=c_function(self.count, POINTER),
            nvmlDeviceGetHandleByIndex_v2=c_function(self.handle, UINT, POINTER),
            nvmlDeviceGetName=c_function(self.name, POINTER, POINTER, UINT),
            nvmlDeviceGetMemoryInfo=c_function(self.memory, POINTER, POINTER),
        )

    def start(self) -> int:
        self.open += 1
        return OK

    def stop(self) -> int:
        self.open -= 1
        return OK

    def count(self, out: int) -> int:
        UINT.from_address(out).value = len(self.devices)
        return OK

    def handle(self, index: int, out: int) -> int:
        POINTER.from_address(out).value = index + 1
        return OK

    def name(self, handle: int, out: int, size: int) -> int:
        name = self.devices[handle - 1][0]
        if name is None:
            return REFUSED
        ctypes.memmove(out, name.encode() + b"\0", min(size, len(name) + 1))
        return OK

    def memory(self, handle: int, out: int) -> int:
        sizes = self.devices[handle - 1][1]
        if sizes is None:
            return REFUSED
        (ctypes.c_uint64 * 3).from_address(out)[:] = list(sizes)
        return OK


def test_sample_two_cards() -> None:
    driver = Driver(
        ("NVIDIA GeForce RTX 3060", (12 * GIB, 10 * GIB, 2 * GIB)),
        ("NVIDIA GeForce RTX 4090", (24 * GIB, 23 * GIB, GIB)),
    )
    first, second = read_devices(driver.nvml)
    assert first == Gpu(
        "NVIDIA GeForce RTX 3060", total_bytes=12 * GIB, free_bytes=10 * GIB, integrated=False
    )
    assert second.name == "NVIDIA GeForce RTX 4090"
    assert driver.open == 0


def test_sample_device_that_shares_the_computers_memory() -> None:
    driver = Driver(("NVIDIA GB10", None), (None, (1, 1, 0)))
    shared, nameless = read_devices(driver.nvml)
    assert shared == Gpu("NVIDIA GB10")
    assert nameless.name == "NVIDIA GPU"


def test_a_driver_that_does_not_start_has_no_devices() -> None:
    driver = Driver(("NVIDIA", None))
    driver.nvml.nvmlInit_v2 = c_function(lambda: REFUSED)
    assert read_devices(driver.nvml) == ()
    assert driver.open == 0


def test_a_driver_that_refuses_has_no_devices_and_is_closed() -> None:
    driver = Driver(("NVIDIA", None))
    driver.nvml.nvmlDeviceGetCount_v2 = c_function(lambda out: REFUSED, POINTER)
    assert read_devices(driver.nvml) == ()
    driver = Driver(("NVIDIA", None))
    driver.nvml.nvmlDeviceGetHandleByIndex_v2 = c_function(lambda n, o: REFUSED, UINT, POINTER)
    assert read_devices(driver.nvml) == ()
    assert driver.open == 0


def test_a_library_without_these_calls_has_no_devices() -> None:
    driver = Driver(("NVIDIA", None))
    del driver.nvml.nvmlDeviceGetMemoryInfo
    assert read_devices(driver.nvml) == ()
    assert driver.open == 0


def test_the_drivers_library_is_loaded_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    libraries = {"libnvidia-ml.so.1": Driver(("NVIDIA L4", (2, 1, 1))).nvml}
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(ctypes, "CDLL", libraries.__getitem__)
    assert [gpu.name for gpu in read_nvidia()] == ["NVIDIA L4"]


def test_this_machine_is_asked_without_harm() -> None:
    assert all("NVIDIA" in gpu.name or gpu.total_bytes for gpu in read_nvidia())
