"""Kinds of cores on Windows: labelled samples of its records."""

from __future__ import annotations

import ctypes
import struct
import sys
from types import SimpleNamespace

import pytest

from rony_desktop.model.efficiency import count_fastest, performance_cores


def core(efficiency: int, relationship: int = 0) -> bytes:
    """A record of 48 bytes: one group, as 64-bit Windows writes it."""
    head = struct.pack("<IIBB", relationship, 48, 0, efficiency)
    return head.ljust(48, b"\0")


@pytest.mark.parametrize(
    ("records", "count"),
    [
        (core(1) * 6 + core(0) * 8, 6),
        (core(0) * 4, 4),
        (core(2) + core(1) * 4 + core(0) * 2 + core(9, relationship=3), 1),
        (b"", None),
        (core(0)[:5], None),
        (struct.pack("<IIBB", 0, 0, 0, 0), None),
        (core(1) + b"\0" * 12, 1),
    ],
)
def test_sample_records(records: bytes, count: int | None) -> None:
    assert count_fastest(records) == count


@pytest.mark.parametrize("works", [True, False])
def test_windows_is_asked_for_the_size_first(works: bool) -> None:
    records = core(1) * 2 + core(0)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    def read(kind: int, buffer: int | None, size: int) -> int:
        assert kind == 0
        room = ctypes.c_uint32.from_address(size)
        enough = room.value >= len(records)
        room.value = len(records)
        if not buffer or not enough or not works:
            return 0
        ctypes.memmove(buffer, records, len(records))
        return 1

    library = SimpleNamespace(GetLogicalProcessorInformationEx=read)
    assert performance_cores(library) == (2 if works else None)


@pytest.mark.skipif(sys.platform == "win32", reason="a system that is not Windows")
def test_another_system_does_not_tell() -> None:
    assert performance_cores() is None
