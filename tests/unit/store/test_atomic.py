from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from rony_desktop.contract.error import DiskFull, FolderUnwritable, StorageError
from rony_desktop.store.atomic import move_aside, storage_error, write_atomic


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_writes_and_replaces_for_the_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    write_atomic(file, "één")
    write_atomic(file, b"two")
    assert file.read_bytes() == b"two"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert names(tmp_path) == ["a.txt"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    with pytest.raises(StorageError):
        write_atomic(folder, "x")  # a folder cannot be replaced by a file
    with pytest.raises(StorageError):
        write_atomic(tmp_path / "missing" / "b", "x")
    assert names(tmp_path) == ["a"]


def test_moving_aside_never_overwrites(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    moved = []
    for number in range(3):
        file.write_text(str(number))
        moved.append(move_aside(file))
    assert not file.exists()
    assert [path.read_text() for path in moved] == ["0", "1", "2"]
    assert all(path.name.startswith("x.db.corrupt-2") for path in moved)


def test_moving_aside_what_is_gone_leaves_no_litter(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        move_aside(tmp_path / "x.db")
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, DiskFull),
        (errno.EDQUOT, DiskFull),
        (errno.EACCES, FolderUnwritable),
        (errno.EROFS, FolderUnwritable),
        (errno.EIO, StorageError),
    ],
)
def test_system_errors_become_typed(tmp_path: Path, number: int, kind: type[StorageError]) -> None:
    error = storage_error(tmp_path / "f", OSError(number, os.strerror(number)))
    assert type(error) is kind
    assert str(tmp_path) in str(error)
