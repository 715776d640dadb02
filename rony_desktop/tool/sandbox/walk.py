"""Paths below a folder's handle, resolved part by part; no link is followed that was not read."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from dataclasses import dataclass, field
from typing import Self

from rony_desktop.tool.sandbox.name import (
    ABSOLUTE,
    CHANGED,
    ESCAPES,
    NOT_PLAIN,
    TOO_MANY_LINKS,
    Refused,
)
from rony_desktop.tool.sandbox.trace import Trace

MAX_LINKS = 40  # as Linux allows in one path
MAX_HELD = 64  # folders of one path; a process may have as few as 256 handles
# O_PATH asks for the right to pass through a folder only; macOS does not have it.
FOLDER = os.O_DIRECTORY | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_NO_FOLDER = frozenset({errno.ENOTDIR, errno.ELOOP, errno.EMLINK})


@dataclass(slots=True)
class Place:
    """A name in a folder that is held open; the folder itself where name is "".

    slash tells that the path asks for a folder. Owns handle: use it in a with statement.
    """

    handle: int
    name: str
    slash: bool

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.handle)

    def stat(self) -> os.stat_result:
        """What is there, a link as itself. Raises NotADirectoryError where slash asks for more."""
        if not self.name:
            return os.fstat(self.handle)
        found = os.stat(self.name, dir_fd=self.handle, follow_symlinks=False)
        if self.slash and not stat.S_ISDIR(found.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return found

    def refuse_special(self) -> None:
        """Refuse what is no plain file before it is opened: opening alone disturbs its users."""
        with contextlib.suppress(FileNotFoundError):
            refuse_special(self.stat())


@dataclass(slots=True)
class _Trail:
    """The folders a path has entered so far, the last of them each held by its own handle.

    passed has device and inode of the others, the root first.
    """

    handles: list[int]
    todo: list[str]
    names: list[str] = field(default_factory=list)
    links: list[tuple[str, ...]] = field(default_factory=list)
    passed: list[tuple[int, int]] = field(default_factory=list)

    def enter(self, name: str) -> None:
        self.handles.append(os.open(name, FOLDER | os.O_NOFOLLOW, dir_fd=self.handles[-1]))
        self.names.append(name)
        if len(self.handles) > MAX_HELD:
            self.passed.append(identity(self.handles[0]))
            os.close(self.handles.pop(0))

    def leave(self) -> None:
        # ".." is opened only with a check: a folder moved meanwhile would lead elsewhere.
        if not self.names:
            raise Refused(ESCAPES)
        if len(self.handles) == 1:
            self.handles.insert(0, os.open("..", FOLDER, dir_fd=self.handles[0]))
            if identity(self.handles[0]) != self.passed.pop():
                raise Refused(CHANGED)
        self.names.pop()
        os.close(self.handles.pop())

    def folders(self) -> tuple[tuple[int, int], ...]:
        return (*self.passed, *map(identity, self.handles))

    def follow(self, name: str) -> bool:
        """Put a link's target in its place; False where name is no link."""
        target = link_target(name, self.handles[-1])
        if target is None:
            return False
        self.links.append((*self.names, name))
        if len(self.links) > MAX_LINKS:
            raise Refused(TOO_MANY_LINKS)
        self.todo.extend(reversed(target.split("/")))
        return True

    def enter_or_follow(self, name: str) -> None:
        try:
            self.enter(name)
        except OSError as error:
            if error.errno not in _NO_FOLDER or not self.follow(name):
                raise

    def close(self) -> None:
        for handle in self.handles:
            os.close(handle)


def identity(handle: int) -> tuple[int, int]:
    """Device and inode, which tell one folder from all others while it is there."""
    found = os.fstat(handle)
    return found.st_dev, found.st_ino


def refuse_special(found: os.stat_result) -> None:
    """Refuse FIFOs, sockets and devices; files, folders and links pass."""
    if stat.S_IFMT(found.st_mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
        raise Refused(NOT_PLAIN)


def link_target(name: str, folder: int) -> str | None:
    """Where a link leads; None for what is no link or not there."""
    try:
        target = os.readlink(name, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.EINVAL:
            return None
        raise
    if target.startswith("/"):
        raise Refused(f"leads through a link that {ABSOLUTE}")
    return target


class Walk:
    """Resolves paths below one folder without the help of openat2. Owns the folder's handle."""

    mode = "walk"

    def __init__(self, handle: int) -> None:
        self.handle = handle

    def open(self, path: str, flags: int) -> int:
        """A new handle of what the path leads to, links inside followed."""
        with self.parent(path, follow=True) as place:
            if not flags & os.O_DIRECTORY:
                place.refuse_special()
            wanted = flags | os.O_NOFOLLOW | (os.O_DIRECTORY if place.slash else 0)
            try:
                return os.open(place.name or ".", wanted, dir_fd=place.handle)
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.EMLINK):
                    raise Refused(CHANGED) from error
                raise

    def parent(self, path: str, *, follow: bool) -> Place:
        """The folder and name a path leads to; a link there is followed or taken as itself."""
        trail = self._trail(path)
        try:
            while trail.todo:
                part = trail.todo.pop()
                if part in ("", "."):
                    continue
                if part == "..":
                    trail.leave()
                elif any(trail.todo):
                    trail.enter_or_follow(part)
                elif not follow or not trail.follow(part):
                    return Place(trail.handles.pop(), part, bool(trail.todo))
            return Place(trail.handles.pop(), "", slash=True)
        finally:
            trail.close()

    def trace(self, path: str) -> Trace:
        """Where a path leads; what is missing is taken for a folder to be made."""
        trail = self._trail(path)
        missing: list[str] = []
        try:
            while trail.todo:
                part = trail.todo.pop()
                if part in ("", "."):
                    continue
                if part == "..":
                    if missing:
                        missing.pop()
                    else:
                        trail.leave()
                elif missing or not _entered(trail, part):
                    missing.append(part)
            return Trace((*trail.names, *missing), tuple(trail.links), trail.folders())
        finally:
            trail.close()

    def _trail(self, path: str) -> _Trail:
        return _Trail([os.dup(self.handle)], path.split("/")[::-1])


def _entered(trail: _Trail, name: str) -> bool:
    """Go on into a folder or through a link; False for files and for what is not there."""
    try:
        trail.enter_or_follow(name)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
