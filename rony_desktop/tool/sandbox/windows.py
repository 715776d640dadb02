"""Files of one folder on Windows: every folder on the way is held open while a name is used.

A folder held without leave to delete can be neither renamed nor removed, and one that is not empty
cannot be made a link; where a file is opened or made, its final name is compared with the one
asked for. Source: the documentation of CreateFileW (sharing) and of FSCTL_SET_REPARSE_POINT.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rony_desktop.tool.sandbox import kernel32
from rony_desktop.tool.sandbox.name import ESCAPES, ITSELF, NOT_PLAIN, Refused
from rony_desktop.tool.sandbox.trace import Trace

LINKED = "leads through a link"
LEFTOVER = re.compile(r"\.rony-[0-9a-f]{16}\.tmp")


def lexical(path: str) -> tuple[str, ...]:
    """The parts of a path as Windows itself reads them: ".." is taken away before any look-up."""
    parts: list[str] = []
    for part in re.split(r"[/\\]", path):
        if part == "..":
            if not parts:
                raise Refused(ESCAPES)
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return tuple(parts)


class WindowsFolder:
    """What can be done with the files of one folder; links of any kind are refused.

    Paths are checked text. Raises Refused and OSError. Owns the folder's handle until close.
    """

    mode = "handle"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path).resolve(strict=True)
        self._handle = kernel32.hold(self._path)

    def close(self) -> None:
        """Give the folder's handle back."""
        kernel32.release(self._handle)

    def identity(self) -> os.stat_result:
        """What the folder itself is."""
        return self._path.stat()

    def open(self, path: str) -> int:
        """A handle of a plain file, for reading."""
        with self._held(path) as place:
            return kernel32.open_plain(_file(place, path))

    def create(self, path: str, _mode: int) -> int:
        """A handle of a new or emptied plain file, for writing."""
        with self._held(path) as place:
            target = _file(place, path)
            with contextlib.suppress(FileExistsError):
                return kernel32.open_plain(target, write=True, new=True)
            return _emptied(kernel32.open_plain(target, write=True))

    def write(self, path: str, data: bytes, _mode: int) -> None:
        """Replace a file as a whole: afterwards the new one is on disk, before it the old one."""
        with self._held(path) as place:
            target = _file(place, path)
            with contextlib.suppress(FileNotFoundError):
                os.close(kernel32.open_plain(target, write=True))
            temporary = target.with_name(f".rony-{secrets.token_hex(8)}.tmp")
            try:
                with os.fdopen(kernel32.open_plain(temporary, write=True, new=True), "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
                temporary.replace(target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise

    def list(self, path: str, limit: int) -> Sequence[str]:
        """Names in a folder, in no order."""
        names: list[str] = []
        with self._held(f"{path}/.") as place, os.scandir(place) as entries:
            for entry in entries:
                if LEFTOVER.fullmatch(entry.name):
                    continue
                if len(names) == limit:
                    raise Refused(f"holds more than {limit} entries")
                names.append(entry.name)
        return names

    def stat(self, path: str) -> os.stat_result:
        """What a path leads to."""
        with self._held(path) as place:
            found = place.lstat()
            if _is_link(found):
                raise Refused(LINKED)
            return found

    def lstat(self, path: str) -> os.stat_result:
        """What stands at a path, a link as itself."""
        with self._held(path) as place:
            return place.lstat()

    def mkdir(self, path: str, mode: int) -> None:
        """Make one folder in a folder that is there."""
        with self._held(path) as place:
            place.mkdir(mode)

    def remove(self, path: str) -> None:
        """Remove a file, a link or an empty folder."""
        with self._held(path) as place:
            if place == self._path:
                raise Refused(ITSELF)
            if stat.S_ISDIR(place.lstat().st_mode):
                place.rmdir()
            else:
                place.unlink()

    def rename(self, source: str, target: str) -> None:
        """Give a file, folder or link another name, replacing what the system lets it replace."""
        with self._held(source) as old, self._held(target) as new:
            if self._path in (old, new):
                raise Refused(ITSELF)
            old.replace(new)

    def trace(self, path: str) -> Trace:
        """Where a path leads; links on the way are refused."""
        parts = lexical(path)
        place = self._path
        folders = [_identity(place.stat())]
        for part in parts:
            place /= part
            try:
                found = place.lstat()
            except (FileNotFoundError, NotADirectoryError):
                break
            if _is_link(found):
                raise Refused(LINKED)
            if stat.S_ISDIR(found.st_mode):
                folders.append(_identity(found))
        return Trace(parts, (), tuple(folders))

    @contextmanager
    def _held(self, path: str) -> Iterator[Path]:
        """Hold every folder before the last part; with a slash at its end the last part too."""
        parts = lexical(path)
        asks_folder = path.endswith(("/", "\\", "/.", "\\."))
        place = self._path
        handles: list[int] = []
        try:
            for part in parts if asks_folder else parts[:-1]:
                place /= part
                handles.append(_hold_real(place))
            yield self._path.joinpath(*parts)
        finally:
            for handle in reversed(handles):
                kernel32.release(handle)


def _emptied(handle: int) -> int:
    """The handle of a file that has no other name, its bytes gone; else it is closed."""
    if os.fstat(handle).st_nlink > 1:
        os.close(handle)
        raise Refused("has other names, which may lie outside")
    os.ftruncate(handle, 0)
    return handle


def _hold_real(place: Path) -> int:
    """Hold a folder and make sure, while it is held, that it is one and no link."""
    handle = kernel32.hold(place)
    found = place.lstat()
    if not _is_link(found) and stat.S_ISDIR(found.st_mode):
        return handle
    kernel32.release(handle)
    if _is_link(found):
        raise Refused(LINKED)
    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _file(place: Path, path: str) -> Path:
    """The place where it can be a file's."""
    if not lexical(path) or path.endswith(("/", "\\", ".")):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    found = _there(place)
    if found is not None and _is_link(found):
        raise Refused(LINKED)
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise Refused(NOT_PLAIN)
    return place


def _there(place: Path) -> os.stat_result | None:
    try:
        return place.lstat()
    except FileNotFoundError:
        return None


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _is_link(found: os.stat_result) -> bool:
    """Whether a reparse point stands for another name; cloud files and the like do not."""
    tag: int = getattr(found, "st_reparse_tag", 0)
    return stat.S_ISLNK(found.st_mode) or bool(tag & kernel32.NAME_SURROGATE)
