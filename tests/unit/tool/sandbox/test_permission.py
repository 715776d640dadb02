"""An ordinary user is stopped where the plain call is, and nowhere else."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError


@pytest.fixture
def ordinary(yard: Any) -> Iterator[None]:
    """The rights of an ordinary user while the test runs, where it was started by root."""
    if os.getuid() != 0:
        yield
        return
    for path in yard.folder.parents:
        if path != Path(path.anchor) and path.stat().st_uid == 0:
            path.chmod(path.stat().st_mode | 0o011)
    os.chown(yard.folder, 65534, 65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_permissions_of_files_hold(yard: Any, ordinary: None) -> None:
    yard.grow("read-only", "unreadable", "shut/f", "full/f", "link->read-only")
    for name, mode in (("read-only", 0o444), ("unreadable", 0o200), ("shut", 0), ("full", 0o555)):
        (yard.folder / name).chmod(mode)
    box = yard.box
    ways: list[Callable[[], object]] = [
        lambda: box.write_bytes("read-only", b"x"),
        lambda: box.write_bytes("link", b"x"),
        lambda: box.create("read-only"),
        lambda: box.read_bytes("unreadable"),
        lambda: box.read_bytes("shut/f"),
        lambda: box.stat("shut/f"),
        lambda: box.list("shut"),
        lambda: box.validate("shut/f/x"),
        lambda: box.write_bytes("full/new", b"x"),
        lambda: box.write_bytes("full/f", b"x"),
        lambda: box.mkdir("full/d"),
        lambda: box.remove("full/f"),
        lambda: box.rename("full/f", "f"),
    ]
    for way in ways:
        with pytest.raises(PermissionError) as raised:
            way()
        assert not isinstance(raised.value, SandboxViolationError)
    assert box.read_bytes("read-only") == b"read-only"
    assert box.list("full") == ["f"]
    (yard.folder / "shut").chmod(0o755)


def test_a_folder_may_be_passed_without_being_read(yard: Any, ordinary: None) -> None:
    yard.grow("d/e/f")
    (yard.folder / "d").chmod(0o311)
    assert yard.box.read_bytes("d/e/f") == b"d/e/f"
    yard.box.write_bytes("d/f", b"new")
    assert yard.box.read_bytes("d/f") == b"new"
    (yard.folder / "d").chmod(0o755)


def test_an_ordinary_user_writes_what_it_may(yard: Any, ordinary: None) -> None:
    yard.grow("f", "link->f")
    (yard.folder / "f").chmod(0o751)
    yard.box.write_bytes("link", b"new")
    found = yard.box.stat("f")
    assert stat.S_IMODE(found.st_mode) == 0o751
    assert yard.box.read_bytes("f") == b"new"
