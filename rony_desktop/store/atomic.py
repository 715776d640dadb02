"""Whole-file writes that a kill or a full disk never leaves half done."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from rony_desktop.contract.error import DiskFull, FolderUnwritable, StorageError

NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_REFUSED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


def write_atomic(path: Path, data: bytes | str, mode: int = 0o600) -> None:
    """Replace a file by data: after it returns the new file is on disk, before it the old one.

    A symbolic link stays one; the file it leads to is replaced. Blocking: call it in a thread.

    Raises:
        DiskFull: no room; the old file is there.
        FolderUnwritable: the folder refuses; the old file is there.
        StorageError: anything else the system says.
    """
    content = data.encode() if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        descriptor = os.open(temporary, NEW, mode)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise storage_error(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def move_aside(path: Path) -> Path:
    """Rename a file that cannot be used to name.corrupt-<UTC time>; returns its new path.

    Raises:
        StorageError: it could not be moved.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in count():
        tail = f"-{number}" if number else ""
        target = path.with_name(f"{path.name}.corrupt-{stamp}{tail}")
        try:
            # Reserving the name keeps the rename from replacing an older file.
            os.close(os.open(target, NEW, 0o600))
        except FileExistsError:
            continue
        except OSError as error:
            raise storage_error(path, error) from error
        try:
            path.replace(target)
        except OSError as error:
            target.unlink()
            raise storage_error(path, error) from error
        return target
    raise AssertionError("unreachable")


def sync_folder(folder: Path) -> None:
    """Make names in a folder durable; does nothing where the system has no such thing."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):  # some network file systems refuse; the data itself is safe
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def storage_error(path: Path, error: OSError) -> StorageError:
    """The typed error for what the system said about path."""
    detail = error.strerror or str(error)
    if error.errno in _FULL:
        return DiskFull(path=path, detail=detail)
    if error.errno in _REFUSED:
        return FolderUnwritable(path=path if path.is_dir() else path.parent, detail=detail)
    return StorageError(path=path, detail=detail)
