"""Kinds of cores on Windows.

Structure: SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX with PROCESSOR_RELATIONSHIP, winnt.h.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

PROCESSOR_CORE = 0  # RelationProcessorCore
_CORE = struct.Struct("<IIBB")  # relationship, size of the record, flags, efficiency class


def performance_cores(library: Any = None) -> int | None:
    """Physical cores of the fastest kind; None where the system does not tell."""
    try:
        read = (library or ctypes.CDLL("kernel32.dll")).GetLogicalProcessorInformationEx
    except (OSError, AttributeError):
        return None
    size = ctypes.c_uint32()
    read(PROCESSOR_CORE, None, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    if not read(PROCESSOR_CORE, buffer, ctypes.byref(size)):
        return None
    return count_fastest(buffer.raw[: size.value])


def count_fastest(records: bytes) -> int | None:
    """Cores with the highest efficiency class, which is the fastest; None where there are none."""
    classes = []
    at = 0
    while at + _CORE.size <= len(records):
        relationship, size, _flags, efficiency = _CORE.unpack_from(records, at)
        if size < _CORE.size:
            break
        if relationship == PROCESSOR_CORE:
            classes.append(efficiency)
        at += size
    return classes.count(max(classes)) if classes else None
