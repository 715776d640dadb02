"""Paths below a folder's handle, resolved by the kernel in one step (openat2, Linux 5.6)."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache

from rony_desktop.tool.sandbox.name import ESCAPES, TOO_MANY_LINKS, Refused
from rony_desktop.tool.sandbox.walk import (
    FOLDER,
    MAX_LINKS,
    Place,
    Walk,
    link_target,
    refuse_special,
)

# linux/openat2.h and the system call's number, the same on every architecture but Alpha.
OPENAT2 = 437
RESOLVE_NO_MAGICLINKS = 0x02
RESOLVE_BENEATH = 0x08
RESOLVE = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS
TRIES = 64


class _How(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


@cache
def _syscall() -> ctypes._NamedFuncPointer:
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = (
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.POINTER(_How),
        ctypes.c_size_t,
    )
    return function


def openat2(folder: int, path: str, flags: int) -> int:
    """A new handle of what path names below folder. Raises OSError; EXDEV: it leads out.

    Mount points are crossed, as everywhere: who can mount can do more than this could stop.
    """
    how = _How(flags | os.O_CLOEXEC, 0, RESOLVE)
    name = os.fsencode(path)
    handle: int = _syscall()(OPENAT2, folder, name, ctypes.byref(how), ctypes.sizeof(how))
    if handle < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), path)
    return handle


def works(folder: int) -> bool:
    """Whether the kernel has openat2 and lets this process use it."""
    if os.uname().sysname != "Linux":
        return False  # the number means something else there
    try:
        os.close(openat2(folder, ".", FOLDER))
    except OSError:
        return False
    return True


class Beneath(Walk):
    """Resolves paths below one folder by openat2; only spellings are read by walking."""

    mode = "openat2"

    def open(self, path: str, flags: int) -> int:
        """A new handle of what the path leads to, links inside followed."""
        for _ in range(TRIES):
            try:
                if not flags & os.O_DIRECTORY:
                    self._look(path)
                return openat2(self.handle, path, flags)
            except (BlockingIOError, InterruptedError):
                continue  # a folder was renamed while ".." was resolved
            except OSError as error:
                if error.errno == errno.EXDEV:
                    raise Refused(ESCAPES) from error
                if error.errno == errno.ELOOP:
                    raise Refused(TOO_MANY_LINKS) from error
                raise
        return Walk(self.handle).open(path, flags)

    def _look(self, path: str) -> None:
        """Refuse what is no plain file before it is opened: opening alone disturbs its users."""
        handle = openat2(self.handle, path, os.O_PATH)
        try:
            refuse_special(os.fstat(handle))
        finally:
            os.close(handle)

    def parent(self, path: str, *, follow: bool) -> Place:
        """The folder and name a path leads to; a link there is followed or taken as itself."""
        for _ in range(MAX_LINKS + 1):
            stripped = path.rstrip("/")
            head, _, name = stripped.rpartition("/")
            if name in (".", ".."):
                return Place(self.open(path, FOLDER), "", slash=True)
            folder = self.open(head or ".", FOLDER)
            try:
                target = link_target(name, folder) if follow else None
            except BaseException:
                os.close(folder)
                raise
            slash = path[len(stripped) :]
            if target is None:
                return Place(folder, name, bool(slash))
            os.close(folder)
            path = f"{head or '.'}/{target}{slash}"
        raise Refused(TOO_MANY_LINKS)
