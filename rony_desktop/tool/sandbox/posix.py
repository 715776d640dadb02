"""Files of one folder on Linux and macOS: every step is taken from a handle, never from a name."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import sys
from collections.abc import Sequence

from rony_desktop.tool.sandbox.name import CHANGED, ITSELF, NOT_PLAIN, Refused
from rony_desktop.tool.sandbox.trace import Trace
from rony_desktop.tool.sandbox.walk import Place, Walk

# A FIFO must not make us wait, nor a terminal become ours.
CALM = os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
ACL = "system.posix_acl_access"
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# What a killed write leaves; it holds nothing that was promised to be kept.
LEFTOVER = re.compile(r"\.rony-[0-9a-f]{16}\.tmp")


class PosixFolder:
    """What can be done with the files of one folder. Owns the folder's handle.

    Paths are checked text. Raises Refused and OSError.
    """

    def __init__(self, paths: Walk) -> None:
        self._paths = paths
        self.mode = paths.mode

    def close(self) -> None:
        """Give the folder's handle back."""
        os.close(self._paths.handle)

    def identity(self) -> os.stat_result:
        """What the folder itself is."""
        return os.fstat(self._paths.handle)

    def open(self, path: str) -> int:
        """A handle of a plain file, for reading."""
        return plain(self._paths.open(path, os.O_RDONLY | CALM))

    def create(self, path: str, mode: int) -> int:
        """A handle of a new or emptied plain file, for writing."""
        with self._paths.parent(path, follow=True) as place:
            name = file_name(place)
            place.refuse_special()
            flags = os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | CALM
            handle = plain(os.open(name, flags, mode, dir_fd=place.handle))
            try:
                if os.fstat(handle).st_nlink > 1:
                    # Its other names may lie outside: they keep what they have.
                    fresh = _replaced(place, handle, b"")
                    os.close(handle)
                    return fresh
                os.ftruncate(handle, 0)
            except BaseException:
                os.close(handle)
                raise
            return handle

    def write(self, path: str, data: bytes, mode: int) -> None:
        """Replace a file as a whole: afterwards the new one is on disk, before it the old one."""
        with self._paths.parent(path, follow=True) as place:
            name = file_name(place)
            place.refuse_special()
            # Opened for writing, so that whoever may not write the file may not replace it either.
            try:
                old = plain(os.open(name, os.O_WRONLY | os.O_NOFOLLOW | CALM, dir_fd=place.handle))
            except FileNotFoundError:
                os.close(_replaced(place, None, data, mode))
                return
            try:
                os.close(_replaced(place, old, data))
            finally:
                os.close(old)

    def list(self, path: str, limit: int) -> Sequence[str]:
        """Names in a folder, in no order."""
        names: list[str] = []
        handle = self._paths.open(path, os.O_RDONLY | os.O_DIRECTORY | CALM)
        try:
            with os.scandir(handle) as entries:
                for entry in entries:
                    if LEFTOVER.fullmatch(entry.name):
                        continue
                    if len(names) == limit:
                        raise Refused(f"holds more than {limit} entries")
                    names.append(entry.name)
        finally:
            os.close(handle)
        return names

    def stat(self, path: str) -> os.stat_result:
        """What a path leads to; nothing is opened."""
        with self._paths.parent(path, follow=True) as place:
            found = place.stat()
        if stat.S_ISLNK(found.st_mode):
            raise Refused(CHANGED)
        return found

    def lstat(self, path: str) -> os.stat_result:
        """What stands at a path, a link as itself; with a slash at its end what it leads to."""
        with self._paths.parent(path, follow=path.endswith("/")) as place:
            return place.stat()

    def mkdir(self, path: str, mode: int) -> None:
        """Make one folder in a folder that is there."""
        with self._paths.parent(path, follow=False) as place:
            os.mkdir(place.name or ".", mode, dir_fd=place.handle)

    def remove(self, path: str) -> None:
        """Remove a file, a link or an empty folder."""
        with self._paths.parent(path, follow=False) as place:
            if not place.name:
                raise Refused(ITSELF)
            if stat.S_ISDIR(place.stat().st_mode):
                os.rmdir(place.name, dir_fd=place.handle)
            else:
                os.unlink(place.name, dir_fd=place.handle)

    def rename(self, source: str, target: str) -> None:
        """Give a file, link or folder another name, replacing what the system lets it replace."""
        with (
            self._paths.parent(source, follow=False) as old,
            self._paths.parent(target, follow=False) as new,
        ):
            if not (old.name and new.name):
                raise Refused(ITSELF)
            if not stat.S_ISDIR(old.stat().st_mode) and new.slash:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            os.rename(old.name, new.name, src_dir_fd=old.handle, dst_dir_fd=new.handle)

    def trace(self, path: str) -> Trace:
        """Where a path leads."""
        return self._paths.trace(path)


def plain(handle: int) -> int:
    """The handle where it is of a plain file; else it is closed."""
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return handle
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise _is_folder()
    raise Refused(NOT_PLAIN)


def file_name(place: Place) -> str:
    """The name of a place where a file is to be written."""
    if place.slash:
        raise _is_folder()
    return place.name


def _is_folder() -> IsADirectoryError:
    return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))


def _replaced(place: Place, old: int | None, data: bytes, mode: int = 0o600) -> int:
    """Put a new file in the place of another at once; returns its handle, open for writing."""
    temporary = f".rony-{secrets.token_hex(8)}.tmp"
    handle = os.open(temporary, NEW, mode, dir_fd=place.handle)
    try:
        if old is not None:
            _resemble(handle, old)
        _write_all(handle, data)
        os.fsync(handle)
        os.rename(temporary, place.name, src_dir_fd=place.handle, dst_dir_fd=place.handle)
    except BaseException:
        os.close(handle)
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=place.handle)
        raise
    _sync(place.handle)
    return handle


def _resemble(handle: int, old: int) -> None:
    """Owner and permissions of the file that is replaced, as far as this user may give them."""
    mine, theirs = os.fstat(handle), os.fstat(old)
    if (mine.st_uid, mine.st_gid) != (theirs.st_uid, theirs.st_gid):
        with contextlib.suppress(PermissionError):
            os.fchown(handle, theirs.st_uid, theirs.st_gid)
    if sys.platform == "linux":
        _resemble_attributes(handle, old)
    os.fchmod(handle, theirs.st_mode & 0o777)


def _resemble_attributes(handle: int, old: int) -> None:
    """Who else may read, the folder's own wishes set aside, and the notes of other programs."""
    with contextlib.suppress(OSError):  # a file system without attributes
        names = os.listxattr(old)
        if ACL in names:
            os.setxattr(handle, ACL, os.getxattr(old, ACL))
        elif ACL in os.listxattr(handle):
            os.removexattr(handle, ACL)
        for name in names:
            if name.startswith("user."):
                os.setxattr(handle, name, os.getxattr(old, name))


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _sync(folder: int) -> None:
    """Make the new name durable; some file systems refuse, the data itself is safe."""
    with contextlib.suppress(OSError):
        handle = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
