"""What is asked of Windows, seen by a library that stands in for it."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rony_desktop.tool.sandbox import kernel32
from rony_desktop.tool.sandbox.name import Refused

INVALID = ctypes.c_void_p(-1).value


class Call:
    """A function of a library that remembers its arguments."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[tuple[Any, ...]] = []

    def __call__(self, *arguments: Any) -> Any:
        self.asked.append(arguments)
        return self.answer(*arguments) if callable(self.answer) else self.answer


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    def name(_: int, buffer: Any, *__: int) -> int:
        buffer.value = found.final
        return len(found.final)

    found = SimpleNamespace(
        final="\\\\?\\C:\\Work\\F",
        CreateFileW=Call(7),
        CloseHandle=Call(1),
        GetFileType=Call(1),
        GetFinalPathNameByHandleW=Call(name),
    )
    monkeypatch.setitem(vars(ctypes), "WinDLL", lambda *_, **__: found)
    monkeypatch.setitem(vars(ctypes), "get_last_error", lambda: 5)
    monkeypatch.setitem(vars(ctypes), "WinError", lambda number: OSError(number, "refused"))
    monkeypatch.setitem(
        sys.modules, "msvcrt", SimpleNamespace(open_osfhandle=lambda handle, _: handle + 100)
    )
    monkeypatch.setattr(os.path, "normcase", str.lower)
    kernel32._library.cache_clear()
    yield found
    kernel32._library.cache_clear()


def test_a_held_folder_can_be_neither_moved_nor_removed(library: Any) -> None:
    assert kernel32.hold(Path("C:\\work")) == 7
    _, access, share, _, how, flags, _ = library.CreateFileW.asked[0]
    assert access & 0x1, "attributes alone forbid nothing to others"
    assert not share & 0x4, "deleting and moving must not be shared"
    assert how == 3
    assert flags & 0x00200000, "a link is opened as itself"
    kernel32.release(7)
    assert library.CloseHandle.asked == [(7,)]


@pytest.mark.parametrize(
    ("write", "new", "how"), [(False, False, 3), (True, False, 3), (True, True, 1)]
)
def test_a_file_is_opened_as_itself(library: Any, write: bool, new: bool, how: int) -> None:
    assert kernel32.open_plain(Path("C:\\work\\f"), write=write, new=new) == 107
    asked = library.CreateFileW.asked[0]
    assert asked[4] == how
    assert asked[5] & 0x00200000
    assert not library.CloseHandle.asked


def test_a_file_that_lies_elsewhere_is_refused(library: Any) -> None:
    library.final = "\\\\?\\C:\\other\\f"
    with pytest.raises(Refused, match="changed"):
        kernel32.open_plain(Path("C:\\work\\f"))
    assert library.CloseHandle.asked == [(7,)]


def test_what_is_on_no_disk_is_refused(library: Any) -> None:
    library.GetFileType.answer = 3
    with pytest.raises(Refused, match="plain"):
        kernel32.open_plain(Path("C:\\work\\f"))
    assert library.CloseHandle.asked == [(7,)]


@pytest.mark.parametrize("handle", [None, INVALID])
def test_what_the_system_refuses_is_its_own_error(library: Any, handle: int | None) -> None:
    library.CreateFileW.answer = handle
    with pytest.raises(OSError, match="refused"):
        kernel32.hold(Path("C:\\work"))


def test_shares_have_a_long_form_of_their_own(library: Any) -> None:
    library.final = "\\\\?\\UNC\\host\\share\\f"
    assert kernel32.open_plain(Path("\\\\host\\share\\f")) == 107
