"""Facts the macOS kernel tells by name, read without starting a program."""

from __future__ import annotations

import ctypes
from typing import Any

LIMIT_BYTES = 1024


def read_number(name: str, library: Any = None) -> int | None:
    """A whole number by its name (hw.memsize); None where this system does not know it."""
    value = _read(name, library)
    return int.from_bytes(value, "little") if value else None


def read_text(name: str, library: Any = None) -> str:
    """A text by its name (machdep.cpu.brand_string); empty where it is not known."""
    return _read(name, library).rstrip(b"\0").decode("utf-8", "replace")


def _read(name: str, library: Any) -> bytes:
    try:
        call = (library or ctypes.CDLL(None)).sysctlbyname
    except (AttributeError, OSError, TypeError):
        return b""
    buffer = ctypes.create_string_buffer(LIMIT_BYTES)
    size = ctypes.c_size_t(LIMIT_BYTES)
    if call(name.encode("ascii"), buffer, ctypes.byref(size), None, ctypes.c_size_t(0)):
        return b""
    return buffer.raw[: size.value]
