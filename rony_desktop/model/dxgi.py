"""Graphics adapters as Windows sees them, through DXGI's COM interfaces.

Interfaces, their order of methods and structures: dxgi.h and dxgi1_4.h of the Windows SDK.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rony_desktop.contract.model import Gpu

MIB = 1 << 20
# Interface ids, in memory order: 770aae78-f26f-4dba-a829-253c83d1b387 is IDXGIFactory1,
# 645967a4-1392-4310-a798-8053ce3e93fd is IDXGIAdapter3.
FACTORY1 = bytes.fromhex("78ae0a776ff2ba4da829253c83d1b387")
ADAPTER3 = bytes.fromhex("a467596492131043a7988053ce3e93fd")
QUERY_INTERFACE, RELEASE = 0, 2
GET_DESC1, ENUM_ADAPTERS1, QUERY_VIDEO_MEMORY_INFO = 10, 12, 14
SOFTWARE = 2  # DXGI_ADAPTER_FLAG_SOFTWARE
ADAPTERS_LIMIT = 16
# What a processor's graphics set aside is less than any card has had for a decade.
CARD_BYTES = 512 * MIB


class Description(ctypes.Structure):
    """DXGI_ADAPTER_DESC1."""

    _fields_ = (
        ("name", ctypes.c_uint16 * 128),
        ("ids", ctypes.c_uint32 * 4),
        ("dedicated_video", ctypes.c_size_t),
        ("dedicated_system", ctypes.c_size_t),
        ("shared_system", ctypes.c_size_t),
        ("luid", ctypes.c_uint32 * 2),
        ("flags", ctypes.c_uint32),
    )


class VideoMemory(ctypes.Structure):
    """DXGI_QUERY_VIDEO_MEMORY_INFO: what this process may use, and uses."""

    _fields_ = (
        ("budget", ctypes.c_uint64),
        ("usage", ctypes.c_uint64),
        ("available", ctypes.c_uint64),
        ("reserved", ctypes.c_uint64),
    )


def read_adapters(library: Any = None) -> tuple[Gpu, ...]:
    """Every adapter that is hardware; none on another system."""
    try:
        create = (library or ctypes.CDLL("dxgi.dll")).CreateDXGIFactory1
    except (OSError, AttributeError):
        return ()
    factory = ctypes.c_void_p()
    if create(FACTORY1, ctypes.byref(factory)):
        return ()
    try:
        return tuple(adapters(factory))
    finally:
        _call(factory, RELEASE)


def adapters(factory: ctypes.c_void_p) -> Iterator[Gpu]:
    """Adapters of an IDXGIFactory1, which stays the caller's."""
    for number in range(ADAPTERS_LIMIT):
        adapter = ctypes.c_void_p()
        if _call(factory, ENUM_ADAPTERS1, ctypes.c_uint(number), ctypes.pointer(adapter)):
            return
        try:
            description = Description()
            if not _call(adapter, GET_DESC1, ctypes.pointer(description)):
                gpu = described(description)
                if gpu:
                    yield replace(gpu, free_bytes=_free(adapter))
        finally:
            _call(adapter, RELEASE)


def described(description: Description) -> Gpu | None:
    """An adapter by its description; None for the system's software one."""
    if description.flags & SOFTWARE:
        return None
    name = bytes(description.name).decode("utf-16-le", "replace").partition("\0")[0]
    dedicated = int(description.dedicated_video)
    if dedicated < CARD_BYTES:
        return Gpu(name, total_bytes=int(description.shared_system) or None, integrated=True)
    # A large share may be a processor's too, set aside by its firmware.
    return Gpu(name, total_bytes=dedicated)


def _free(adapter: ctypes.c_void_p) -> int | None:
    """What this process may still allocate of the adapter's first memory (IDXGIAdapter3)."""
    newer = ctypes.c_void_p()
    if _call(adapter, QUERY_INTERFACE, ctypes.c_char_p(ADAPTER3), ctypes.pointer(newer)):
        return None
    try:
        memory = VideoMemory()
        node, local = ctypes.c_uint(0), ctypes.c_int(0)
        if _call(newer, QUERY_VIDEO_MEMORY_INFO, node, local, ctypes.pointer(memory)):
            return None
        return max(0, int(memory.budget) - int(memory.usage))
    finally:
        _call(newer, RELEASE)


def _call(this: ctypes.c_void_p, method: int, *arguments: Any) -> int:
    """Call a method of a COM object by its place in the table; 0 is success."""
    table = ctypes.cast(this, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p)))[0]
    prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *map(type, arguments))
    return int(prototype(table[method] or 0)(this, *arguments))
