"""NVIDIA devices as their driver sees them, through its library: no package, no program.

Calls and structures: NVML API Reference Guide, "Device Queries".
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from typing import Any

from rony_desktop.contract.model import Gpu

NAME_BYTES = 96


class _Memory(ctypes.Structure):
    _fields_ = (
        ("total", ctypes.c_uint64),
        ("free", ctypes.c_uint64),
        ("used", ctypes.c_uint64),
    )


def read_nvidia() -> tuple[Gpu, ...]:
    """Every NVIDIA device; none where there is no driver."""
    try:
        library = ctypes.CDLL("nvml.dll" if sys.platform == "win32" else "libnvidia-ml.so.1")
    except OSError:
        return ()
    return read_devices(library)


def read_devices(library: Any) -> tuple[Gpu, ...]:
    """Ask an NVML library; a call it refuses or does not have leaves its fact unknown."""
    try:
        if library.nvmlInit_v2():
            return ()
        try:
            return tuple(_devices(library))
        finally:
            library.nvmlShutdown()
    except AttributeError:
        return ()


def _devices(library: Any) -> Iterator[Gpu]:
    count = ctypes.c_uint()
    if library.nvmlDeviceGetCount_v2(ctypes.byref(count)):
        return
    for index in range(count.value):
        handle = ctypes.c_void_p()
        if library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(handle)):
            continue
        memory = _Memory()
        # Refused where the memory is the computer's own (Jetson, Spark).
        known = not library.nvmlDeviceGetMemoryInfo(handle, ctypes.byref(memory))
        yield Gpu(
            name=_name(library, handle),
            total_bytes=memory.total if known else None,
            free_bytes=memory.free if known else None,
            integrated=False if known else None,
        )


def _name(library: Any, handle: ctypes.c_void_p) -> str:
    buffer = ctypes.create_string_buffer(NAME_BYTES)
    if library.nvmlDeviceGetName(handle, buffer, ctypes.c_uint(NAME_BYTES)):
        return "NVIDIA GPU"
    return buffer.value.decode("utf-8", "replace")
