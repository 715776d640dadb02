"""The calls of Windows that the sandbox needs and Python does not have."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import Any

from rony_desktop.tool.sandbox.name import CHANGED, NOT_PLAIN, Refused

# winnt.h, fileapi.h, winbase.h
NAME_SURROGATE = 0x20000000
_LIST_FOLDER = 0x0001
_READ_ATTRIBUTES = 0x0080
_GENERIC_READ = 0x80000000
_GENERIC_WRITE = 0x40000000
_SHARE_READ_WRITE = 0x3
_SHARE_ALL = 0x7
_CREATE_NEW = 1
_OPEN_EXISTING = 3
_BACKUP_SEMANTICS = 0x02000000
_OPEN_REPARSE_POINT = 0x00200000
_TYPE_DISK = 1
_FINAL_NAME_LENGTH = 32768


@cache
def _library() -> Any:
    library: Any = vars(ctypes)["WinDLL"]("kernel32", use_last_error=True)
    library.CreateFileW.restype = ctypes.c_void_p
    library.CreateFileW.argtypes = (
        ctypes.c_wchar_p,
        ctypes.c_uint32,
        ctypes.c_uint32,
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_uint32,
        ctypes.c_void_p,
    )
    library.CloseHandle.argtypes = (ctypes.c_void_p,)
    library.GetFileType.argtypes = (ctypes.c_void_p,)
    library.GetFinalPathNameByHandleW.argtypes = (
        ctypes.c_void_p,
        ctypes.c_wchar_p,
        ctypes.c_uint32,
        ctypes.c_uint32,
    )
    return library


def _create_file(place: Path, access: int, share: int, how: int = _OPEN_EXISTING) -> int:
    flags = _BACKUP_SEMANTICS | _OPEN_REPARSE_POINT
    handle = _library().CreateFileW(str(place), access, share, None, how, flags, None)
    if handle is None or handle == ctypes.c_void_p(-1).value:
        number = vars(ctypes)["get_last_error"]()
        raise vars(ctypes)["WinError"](number)
    return int(handle)


def hold(folder: Path) -> int:
    """A handle that keeps a folder, or the link at its name, from being moved or removed.

    It asks for a right to data: one that reads attributes only would forbid nothing to others.
    Writing stays shared, or nothing could be renamed into the folder.
    """
    return _create_file(folder, _LIST_FOLDER | _READ_ATTRIBUTES, _SHARE_READ_WRITE)


def release(handle: int) -> None:
    """Give a handle back."""
    _library().CloseHandle(handle)


def open_plain(place: Path, *, write: bool = False, new: bool = False) -> int:
    """A descriptor of a file on a disk, opened or made without following a link at its name."""
    import msvcrt

    access = _GENERIC_WRITE | _READ_ATTRIBUTES if write else _GENERIC_READ
    how = _CREATE_NEW if new else _OPEN_EXISTING
    handle = _create_file(place, access, _SHARE_ALL, how)
    flags = (os.O_WRONLY if write else os.O_RDONLY) | getattr(os, "O_BINARY", 0)
    try:
        _check(handle, place)
        opened: int = vars(msvcrt)["open_osfhandle"](handle, flags)
    except BaseException:
        release(handle)
        raise
    return opened


def _check(handle: int, place: Path) -> None:
    """Refuse what is on no disk, and what lies elsewhere than its name says."""
    if _library().GetFileType(handle) != _TYPE_DISK:
        raise Refused(NOT_PLAIN)
    if os.path.normcase(_final_name(handle)) != os.path.normcase(_extended(place)):
        raise Refused(CHANGED)


def _final_name(handle: int) -> str:
    buffer = ctypes.create_unicode_buffer(_FINAL_NAME_LENGTH)
    _library().GetFinalPathNameByHandleW(handle, buffer, _FINAL_NAME_LENGTH, 0)
    return buffer.value


def _extended(place: Path) -> str:
    """The long form in which the system gives final names back."""
    text = str(place)
    return "\\\\?\\UNC" + text[1:] if text.startswith("\\\\") else "\\\\?\\" + text
