"""DXGI's interfaces: a sample factory of real C functions in tables, as COM lays them out."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rony_desktop.contract.model import Gpu
from rony_desktop.model.dxgi import (
    ADAPTER3,
    ENUM_ADAPTERS1,
    FACTORY1,
    GET_DESC1,
    QUERY_INTERFACE,
    QUERY_VIDEO_MEMORY_INFO,
    RELEASE,
    SOFTWARE,
    Description,
    VideoMemory,
    adapters,
    described,
    read_adapters,
)

GIB = 1 << 30
MIB = 1 << 20
NOT_FOUND = -2005270526  # DXGI_ERROR_NOT_FOUND
POINTER, UINT = ctypes.c_void_p, ctypes.c_uint


def description(name: str, dedicated: int, shared: int = 8 * GIB, flags: int = 0) -> Description:
    found = Description(dedicated_video=dedicated, shared_system=shared, flags=flags)
    found.name[: len(name)] = list(map(ord, name))
    return found


class Object:
    """A COM object: its first word points to its table of methods."""

    def __init__(self) -> None:
        self.references = 1
        self.table = (POINTER * 16)()
        self.memory = ctypes.pointer(self.table)
        self.kept: list[Any] = []
        self.method(RELEASE, self.release)

    def method(self, place: int, call: Callable[..., int], *kinds: Any) -> None:
        function = ctypes.CFUNCTYPE(ctypes.c_int32, POINTER, *kinds)(call)
        self.kept.append(function)
        self.table[place] = ctypes.cast(function, POINTER).value

    def release(self, _this: int) -> int:
        self.references -= 1
        return self.references

    @property
    def address(self) -> int:
        return ctypes.addressof(self.memory)


class Adapter(Object):
    """With memory it is an IDXGIAdapter3 too."""

    def __init__(self, found: Description | None, memory: VideoMemory | None = None) -> None:
        super().__init__()
        self.found, self.video = found, memory
        self.method(GET_DESC1, self.describe, POINTER)
        self.method(QUERY_INTERFACE, self.query, POINTER, POINTER)
        self.method(QUERY_VIDEO_MEMORY_INFO, self.measure, UINT, ctypes.c_int, POINTER)

    def describe(self, _this: int, out: int) -> int:
        if self.found is None:
            return NOT_FOUND
        ctypes.memmove(out, ctypes.byref(self.found), ctypes.sizeof(Description))
        return 0

    def query(self, _this: int, interface: int, out: int) -> int:
        if self.video is None or ctypes.string_at(interface, 16) != ADAPTER3:
            return NOT_FOUND
        self.references += 1
        POINTER.from_address(out).value = self.address
        return 0

    def measure(self, _this: int, node: int, segment: int, out: int) -> int:
        if node or segment or self.video is None or not self.video.budget:
            return NOT_FOUND
        ctypes.memmove(out, ctypes.byref(self.video), ctypes.sizeof(VideoMemory))
        return 0


class Factory(Object):
    def __init__(self, *owned: Adapter) -> None:
        super().__init__()
        self.owned = owned
        self.method(ENUM_ADAPTERS1, self.enumerate, UINT, POINTER)

    def enumerate(self, _this: int, number: int, out: int) -> int:
        if number >= len(self.owned):
            return NOT_FOUND
        POINTER.from_address(out).value = self.owned[number].address
        return 0


def test_sample_card_processor_and_software() -> None:
    owned = (
        Adapter(description("NVIDIA GeForce RTX 3060", 12 * GIB), VideoMemory(11 * GIB, GIB)),
        Adapter(description("Intel(R) UHD Graphics", 128 * MIB)),
        Adapter(description("Microsoft Basic Render Driver", 0, flags=SOFTWARE)),
        Adapter(None),
        Adapter(description("AMD Radeon RX 580", 8 * GIB), VideoMemory(0, 0)),
    )
    factory = Factory(*owned)
    assert tuple(adapters(POINTER(factory.address))) == (
        Gpu("NVIDIA GeForce RTX 3060", total_bytes=12 * GIB, free_bytes=10 * GIB),
        Gpu("Intel(R) UHD Graphics", total_bytes=8 * GIB, integrated=True),
        Gpu("AMD Radeon RX 580", total_bytes=8 * GIB),
    )
    assert [adapter.references for adapter in owned] == [0, 0, 0, 0, 0]
    assert factory.references == 1


def test_use_above_the_budget_leaves_nothing() -> None:
    adapter = Adapter(description("AMD Radeon", GIB), VideoMemory(GIB, 2 * GIB))
    factory = Factory(adapter)  # its tables must live until they were read
    (gpu,) = adapters(POINTER(factory.address))
    assert gpu.free_bytes == 0


def test_a_description_has_the_size_windows_writes() -> None:
    assert ctypes.sizeof(Description) == 312
    assert ctypes.sizeof(VideoMemory) == 32


def test_a_full_name_needs_no_end() -> None:
    gpu = described(description("x" * 128, GIB))
    assert gpu
    assert gpu.name == "x" * 128


@pytest.mark.parametrize("code", [0, NOT_FOUND])
def test_a_factory_is_released_and_one_that_is_refused_has_none(code: int) -> None:
    factory = Factory(Adapter(description("AMD Radeon", GIB)))

    @ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, POINTER)
    def create(interface: bytes, out: int) -> int:
        assert interface == FACTORY1
        POINTER.from_address(out).value = factory.address
        return code

    library = SimpleNamespace(CreateDXGIFactory1=create)
    assert len(read_adapters(library)) == (0 if code else 1)
    assert factory.references == (1 if code else 0)


def test_adapters_without_end_are_not_followed() -> None:
    factory = Factory(*[Adapter(description("AMD Radeon", GIB)) for _ in range(20)])
    assert len(tuple(adapters(POINTER(factory.address)))) == 16


@pytest.mark.skipif(sys.platform == "win32", reason="a system without DXGI")
def test_another_system_has_none() -> None:
    assert read_adapters() == ()
