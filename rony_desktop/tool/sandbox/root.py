"""The file sandbox: two roots, the chosen folder and the program's own, and nothing else."""

from __future__ import annotations

import errno
import json
import os
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Self

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.contract.message import ToolCall
from rony_desktop.tool.sandbox.name import (
    NOT_PLAIN,
    Refused,
    checked,
    checked_mode,
    refuse_encoded,
    text_of,
)
from rony_desktop.tool.sandbox.protected import NAMES, is_protected, lies_in

if sys.platform == "win32":
    from rony_desktop.tool.sandbox.windows import WindowsFolder as Folder
else:
    from rony_desktop.tool.sandbox.posix import PosixFolder as Folder

MAX_BYTES = 64 * 1024 * 1024
MAX_ENTRIES = 10_000
PIECE_BYTES = 64 * 1024
WORKSPACE = "workspace"
CONFIG = "config"
PATH_ARGUMENTS = frozenset({"path", "source", "target", "folder", "file"})

Name = str | os.PathLike[str]
_NOT_PLAIN = frozenset({errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP})


class Root:
    """Files under a folder that is held open: a handle, not a name.

    It follows the folder when it is renamed. Links are followed while they stay inside, ".." is
    allowed while it stays inside, absolute paths and absolute links are refused. Only plain files
    are opened; no FIFO or device can make a call wait. Every method takes base="config" to act in
    the second root, blocks, may be called from any thread, and raises SandboxViolationError for
    what is refused, OSError's own kinds for what is missing or in the way. Owns its handles until
    close; afterwards every method is refused.
    """

    def __init__(
        self,
        workspace: Name,
        config: Name | None = None,
        *,
        own: Sequence[Name] = (),
        max_bytes: int = MAX_BYTES,
        kernel: bool | None = None,
    ) -> None:
        """Hold the folders; kernel None takes openat2 where it works, else the walk.

        own are further folders of the program: what lies in them is protected as config is.

        Raises OSError where a folder is missing, or kernel is True and there is no openat2.
        """
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._users = 0
        self._closed = False
        self._folders: dict[str, Folder] = {}
        weakref.finalize(self, _release, self._folders).atexit = False  # where nobody closes
        self._folders[WORKSPACE] = _folder(workspace, kernel)
        self._mode = self._folders[WORKSPACE].mode
        try:
            if config is not None:
                self._folders[CONFIG] = _folder(config, kernel)
            self._own = self._identities(own)
            self._inside_own = bool(self._own) and self._is_own(Path(workspace).resolve())
        except BaseException:
            self.close()
            raise

    @property
    def mode(self) -> str:
        """What enforces the borders: "openat2", "walk" or "handle"."""
        return self._mode

    def close(self) -> None:
        """Give the handles back; calls that are under way end first."""
        with self._lock:
            self._closed = True
            idle = self._users == 0
        if idle:
            _release(self._folders)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def open(self, path: Name, *, base: str = WORKSPACE) -> BinaryIO:
        """A plain file of any size, for reading."""
        with self._at(path, base) as folder:
            return os.fdopen(folder.open(checked(path)), "rb")

    def create(self, path: Name, *, base: str = WORKSPACE, mode: int = 0o666) -> BinaryIO:
        """A new or emptied plain file, for writing; mode, less the umask, is a new one's."""
        with self._at(path, base) as folder:
            return os.fdopen(folder.create(checked(path), checked_mode(mode)), "wb")

    def read_bytes(self, path: Name, *, base: str = WORKSPACE) -> bytes:
        """The whole of a file; one above the limit is refused."""
        with self._at(path, base) as folder:
            handle = folder.open(checked(path))
            try:
                return _read_all(handle, self._max_bytes)
            finally:
                os.close(handle)

    def read_text(self, path: Name, *, base: str = WORKSPACE) -> str:
        """The whole of a file as UTF-8, line ends as they are. Raises UnicodeDecodeError."""
        return self.read_bytes(path, base=base).decode("utf-8")

    def write_bytes(
        self, path: Name, data: bytes, *, base: str = WORKSPACE, mode: int = 0o666
    ) -> None:
        """Replace a file at once: after it returns the new one is on disk, before it the old one.

        A link keeps leading to the file; other names of the old file keep the old bytes.
        """
        with self._at(path, base) as folder:
            if len(data) > self._max_bytes:
                raise Refused(_too_large(self._max_bytes))
            folder.write(checked(path), data, checked_mode(mode))

    def write_text(
        self, path: Name, text: str, *, base: str = WORKSPACE, mode: int = 0o666
    ) -> None:
        """Replace a file by text in UTF-8, line ends as they are. Raises UnicodeEncodeError."""
        self.write_bytes(path, text.encode("utf-8"), base=base, mode=mode)

    def list(self, path: Name = ".", *, base: str = WORKSPACE) -> Sequence[str]:
        """Sorted names in a folder; one with more than MAX_ENTRIES is refused."""
        with self._at(path, base) as folder:
            return sorted(folder.list(checked(path), MAX_ENTRIES))

    def stat(self, path: Name, *, base: str = WORKSPACE) -> os.stat_result:
        """What a path leads to; nothing is opened, so that it may be of any kind."""
        with self._at(path, base) as folder:
            return folder.stat(checked(path))

    def lstat(self, path: Name, *, base: str = WORKSPACE) -> os.stat_result:
        """What stands at a path, a link as itself."""
        with self._at(path, base) as folder:
            return folder.lstat(checked(path))

    def mkdir(self, path: Name, *, base: str = WORKSPACE, mode: int = 0o777) -> None:
        """Make one folder in a folder that is there."""
        with self._at(path, base) as folder:
            folder.mkdir(checked(path), checked_mode(mode))

    def remove(self, path: Name, *, base: str = WORKSPACE) -> None:
        """Remove a file, an empty folder or a link, never what the link leads to."""
        with self._at(path, base) as folder:
            folder.remove(checked(path))

    def rename(self, source: Name, target: Name, *, base: str = WORKSPACE) -> None:
        """Rename a file, a folder or a link itself, replacing what os.replace would."""
        with self._at(f"{source} -> {target}", base) as folder:
            folder.rename(checked(source), checked(target))

    def validate(self, path: Name | ToolCall, *, base: str = WORKSPACE) -> None:
        """Refuse a path that cannot lie inside; what it names need not exist.

        Of a tool call every text named as a path is looked at, wherever it stands in the arguments.
        Names that hide ".." or NUL behind percent signs are refused here; elsewhere they are names.
        """
        if isinstance(path, ToolCall):
            for argument in _path_arguments(path):
                self.validate(argument, base=base)
            return
        with self._at(path, base) as folder:
            text = checked(path)
            refuse_encoded(text)
            folder.trace(text)

    def relative(self, path: Name, *, base: str = WORKSPACE) -> str:
        """A path as the folder's own spelling: links resolved, "/" between its parts.

        An absolute path inside the folder is taken too, found by what its folders are and not by
        how they are spelled. What the path names need not exist.
        """
        with self._at(path, base) as folder:
            return "/".join(folder.trace(_inside(path, folder)).parts) or "."

    def protected(self, path: Name, *, base: str = WORKSPACE) -> bool:
        """Whether a path names what runs code or steers the assistant, existing or not.

        True for everything in the program's own folder, and for what a protected name leads to.
        """
        with self._at(path, base) as folder:
            trace = folder.trace(_inside(path, folder))
            if self._inside_own or base == CONFIG or not self._own.isdisjoint(trace.folders):
                return True
            if any(is_protected(parts) for parts in (trace.parts, *trace.links)):
                return True
            return any(lies_in(trace.parts, parts) for parts in _led_to(folder))

    @contextmanager
    def _at(self, path: object, base: str) -> Iterator[Folder]:
        """Lend a folder, and say what went wrong in it in the words of the caller's path."""
        try:
            folder = self._lend(base)
            try:
                yield folder
            finally:
                self._give_back()
        except Refused as error:
            raise _violation(path, error) from error
        except OSError as error:
            if error.errno in _NOT_PLAIN:
                raise _violation(path, NOT_PLAIN) from error
            # The system names a part or a temporary file; the caller knows neither.
            raise OSError(error.errno, error.strerror, str(path)) from error

    def _lend(self, base: str) -> Folder:
        with self._lock:
            if self._closed:
                raise Refused("belongs to a folder that is closed")
            if base not in self._folders:
                raise Refused(f"belongs to no folder that is open: {base!r}")
            self._users += 1
            return self._folders[base]

    def _give_back(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._closed and self._users == 0
        if last:
            _release(self._folders)

    def _is_own(self, path: Path) -> bool:
        """Whether the chosen folder is one of the program's own or lies in one."""
        places = (place.stat() for place in (path, *path.parents))
        return any((place.st_dev, place.st_ino) in self._own for place in places)

    def _identities(self, own: Sequence[Name]) -> frozenset[tuple[int, int]]:
        """What the program's own folders are, whatever they are called."""
        found = [self._folders[CONFIG].identity()] if CONFIG in self._folders else []
        for folder in own:
            with suppress(FileNotFoundError):
                found.append(Path(folder).stat())
        return frozenset((place.st_dev, place.st_ino) for place in found)


def _release(folders: dict[str, Folder]) -> None:
    while folders:
        folders.popitem()[1].close()


def _folder(path: Name, kernel: bool | None) -> Folder:
    """Hold a folder in the strongest way there is."""
    if sys.platform == "win32":
        return Folder(path)
    from rony_desktop.tool.sandbox import linux
    from rony_desktop.tool.sandbox.walk import FOLDER, Walk

    handle = os.open(path, FOLDER)
    able = kernel is not False and linux.works(handle)
    if kernel and not able:
        os.close(handle)
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), "openat2")
    return Folder(linux.Beneath(handle) if able else Walk(handle))


def _violation(path: object, detail: object) -> SandboxViolationError:
    return SandboxViolationError(path=path, detail=detail)


def _too_large(limit: int) -> str:
    return f"is larger than {limit} bytes"


def _read_all(handle: int, limit: int) -> bytes:
    """What is in a file, even where it grows or tells no size."""
    size = os.fstat(handle).st_size
    if size > limit:
        raise Refused(_too_large(limit))
    pieces: list[bytes] = []
    wanted, left = size + 1, limit + 1
    while left and (piece := os.read(handle, min(wanted, left))):
        pieces.append(piece)
        left -= len(piece)
        wanted = PIECE_BYTES
    if not left:
        raise Refused(_too_large(limit))
    return b"".join(pieces)


def _inside(path: Name, folder: Folder) -> str:
    """A path below the folder as relative text; an absolute one by what its folders are."""
    text = text_of(path)
    if text.startswith(("//", "\\\\")) or not Path(text).is_absolute():
        return checked(text)
    own = folder.identity()
    whole = Path(text)
    for place in (whole, *whole.parents):
        try:
            found = place.stat()
        except OSError:
            continue
        if os.path.samestat(own, found):
            return checked(whole.relative_to(place).as_posix())
    raise Refused("lies outside the folder")


def _led_to(folder: Folder) -> Iterator[tuple[str, ...]]:
    """Where links with protected names, standing in the folder itself, lead to."""
    for name in NAMES:
        try:
            trace = folder.trace(name)
        except (Refused, OSError):
            continue
        if trace.links:
            yield trace.parts


def _path_arguments(call: ToolCall) -> Sequence[str]:
    """Every text of a call's arguments that is named as a path; of a doubled name each."""
    found: list[str] = []

    def collect(pairs: Sequence[tuple[str, object]]) -> None:
        found.extend(v for k, v in pairs if k in PATH_ARGUMENTS and isinstance(v, str))

    try:
        json.loads(call.arguments, object_pairs_hook=collect)
    except (ValueError, RecursionError) as error:
        raise _violation(call.name, "has arguments that cannot be read") from error
    return found
