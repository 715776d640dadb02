"""Whole-file writes: never half a file, nothing left behind, nothing edited outside."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.tool.sandbox import posix


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "fchmod"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    yard: Any, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    yard.grow("f")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "temporary", None, "other")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OSError) as raised:
        yard.box.write_bytes("f", b"new")
    monkeypatch.undo()
    assert raised.value.errno == errno.ENOSPC
    assert (raised.value.filename, raised.value.filename2) == ("f", None)
    assert [path.name for path in yard.folder.iterdir()] == ["f"]
    assert yard.box.read_bytes("f") == b"f"


def test_a_cancelled_write_leaves_nothing(yard: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        yard.box.write_bytes("f", b"new")
    monkeypatch.undo()
    assert [path.name for path in yard.folder.iterdir()] == []


def test_pieces_are_written_to_the_end(yard: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:3]))
    yard.box.write_bytes("f", b"0123456789")
    monkeypatch.undo()
    assert yard.box.read_bytes("f") == b"0123456789"


def test_a_folder_that_cannot_be_made_durable_is_no_failure(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def files_only(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "")
        real(handle)

    monkeypatch.setattr(os, "fsync", files_only)
    yard.box.write_bytes("f", b"new")
    assert yard.box.read_bytes("f") == b"new"


def test_mode_and_owner_stay(yard: Any) -> None:
    yard.grow("f")
    if os.getuid() == 0:
        os.chown(yard.folder / "f", 1234, 1234)
    (yard.folder / "f").chmod(0o6741)
    before = (yard.folder / "f").stat()
    yard.box.write_bytes("f", b"new")
    after = (yard.folder / "f").stat()
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert stat.S_IMODE(after.st_mode) == 0o741  # what runs with another's rights loses them


ACL = "system.posix_acl_access"
# Version 2, then owner rw, user 1234 r, group -, mask r, others -.
SHARED = bytes.fromhex(
    "02000000 01000600ffffffff 02000400d2040000 04000000ffffffff 10000400ffffffff 20000000ffffffff"
)


@pytest.mark.parametrize("shared", [True, False])
def test_who_else_may_read_and_notes_of_other_programs_stay(yard: Any, shared: bool) -> None:
    yard.grow("f")
    try:
        os.setxattr(yard.folder / "f", "user.note", b"kept")
        os.setxattr(yard.folder, "system.posix_acl_default", SHARED)
        if shared:
            os.setxattr(yard.folder / "f", ACL, SHARED)
    except OSError:
        pytest.skip("a file system without attributes")
    before = (yard.folder / "f").stat().st_mode
    yard.box.write_bytes("f", b"new")
    assert os.getxattr(yard.folder / "f", "user.note") == b"kept"
    assert (ACL in os.listxattr(yard.folder / "f")) is shared
    if shared:
        assert os.getxattr(yard.folder / "f", ACL) == SHARED
    assert (yard.folder / "f").stat().st_mode == before


def test_a_file_system_without_attributes_is_no_failure(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.grow("f")

    def refused(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "")

    monkeypatch.setattr(os, "listxattr", refused)
    yard.box.write_bytes("f", b"new")
    assert yard.box.read_bytes("f") == b"new"


def test_another_owner_is_kept_only_where_the_system_lets_us(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.grow("f")
    if os.getuid() != 0:
        pytest.skip("only root can give files away")
    os.chown(yard.folder / "f", 1234, 1234)

    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, "")

    monkeypatch.setattr(os, "fchown", refused)
    yard.box.write_bytes("f", b"new")
    assert yard.box.read_bytes("f") == b"new"


@pytest.mark.parametrize("way", ["write", "create"])
def test_a_hard_link_is_broken_instead_of_edited_outside(yard: Any, way: str) -> None:
    outside = yard.outside / "target"
    os.link(outside, yard.folder / "f")
    mode = outside.stat().st_mode
    if way == "write":
        yard.box.write_bytes("f", b"new")
    else:
        with yard.box.create("f") as file:
            file.write(b"new")
    assert outside.read_bytes() == b"secret"
    assert outside.stat().st_nlink == 1
    assert yard.box.read_bytes("f") == b"new"
    assert yard.box.stat("f").st_mode == mode
    assert [path.name for path in yard.folder.iterdir()] == ["f"]


def test_create_empties_a_file_in_place(yard: Any) -> None:
    yard.grow("f")
    number = (yard.folder / "f").stat().st_ino
    with yard.box.create("f") as file:
        assert yard.box.read_bytes("f") == b""
        file.write(b"x")
    assert (yard.folder / "f").stat().st_ino == number


def test_create_gives_its_handle_back_where_it_fails(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.grow("f")

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "")

    monkeypatch.setattr(os, "ftruncate", broken)
    with pytest.raises(OSError):
        yard.box.create("f")  # the yard counts the handles
    monkeypatch.undo()


def test_what_a_killed_write_left_is_not_listed(yard: Any) -> None:
    yard.grow("f", f".rony-{'0' * 16}.tmp", ".rony-x.tmp")
    assert yard.box.list() == [".rony-x.tmp", "f"]
    assert posix.LEFTOVER.fullmatch(f".rony-{'0' * 16}.tmp")


def test_names_of_temporary_files_are_the_ones_that_are_hidden(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    real = os.rename

    def watched(old: str, new: str, **folders: int) -> None:
        seen.append(old)
        real(old, new, **folders)

    monkeypatch.setattr(os, "rename", watched)
    yard.box.write_bytes("f", b"")
    assert len(seen) == 1
    assert posix.LEFTOVER.fullmatch(seen[0])


def test_stat_of_a_name_that_becomes_a_link_meanwhile_is_refused(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.grow("f")
    real = os.stat

    def late(path: Any, **options: Any) -> os.stat_result:
        if path == "f":
            (yard.folder / "f").unlink()
            (yard.folder / "f").symlink_to("../target")
        return real(path, **options)

    monkeypatch.setattr(os, "stat", late)
    with pytest.raises(SandboxViolationError, match="changed"):
        yard.box.stat("f")
    monkeypatch.undo()


@pytest.mark.parametrize("way", ["write_bytes", "create"])
def test_a_name_that_becomes_a_link_meanwhile_is_not_followed(
    yard: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    real = os.open

    def late(path: Any, flags: int, *rest: int, **options: int) -> int:
        if path == "f":
            Path(yard.folder / "f").symlink_to("../target")
        return real(path, flags, *rest, **options)

    call: Callable[..., object] = getattr(yard.box, way)
    monkeypatch.setattr(os, "open", late)
    with pytest.raises(OSError) as raised:
        call("f", *([b"x"] if way == "write_bytes" else []))
    monkeypatch.undo()
    assert raised.value.errno in (errno.ELOOP, None)
