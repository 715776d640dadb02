"""Values by name: a sample library that answers as macOS does."""

from __future__ import annotations

import ctypes
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from rony_desktop.model.sysctl import read_number, read_text

VALUES = {
    b"hw.perflevel0.physicalcpu": (8).to_bytes(4, "little"),
    b"hw.memsize": (16 << 30).to_bytes(8, "little"),
    b"machdep.cpu.brand_string": b"Apple M1 Pro\0",
}


@pytest.fixture
def library() -> Any:
    kinds = (ctypes.c_char_p, *(ctypes.c_void_p,) * 3, ctypes.c_size_t)

    @ctypes.CFUNCTYPE(ctypes.c_int, *kinds)
    def sysctlbyname(name: bytes, out: int, size: int, _new: None, _length: int) -> int:
        value = VALUES.get(name)
        if value is None:
            return -1
        ctypes.memmove(out, value, len(value))
        ctypes.c_size_t.from_address(size).value = len(value)
        return 0

    return SimpleNamespace(sysctlbyname=sysctlbyname)


def test_numbers_of_both_widths_and_texts(library: Any) -> None:
    assert read_number("hw.perflevel0.physicalcpu", library) == 8
    assert read_number("hw.memsize", library) == 16 << 30
    assert read_text("machdep.cpu.brand_string", library) == "Apple M1 Pro"


def test_an_unknown_name_is_not_known(library: Any) -> None:
    assert read_number("hw.nothing", library) is None
    assert read_text("hw.nothing", library) == ""


@pytest.mark.skipif(sys.platform == "darwin", reason="a system without sysctlbyname")
def test_another_system_knows_nothing() -> None:
    assert read_number("hw.memsize") is None
    assert read_text("machdep.cpu.brand_string") == ""
