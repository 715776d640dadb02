"""What is no plain file, or too much of one: refused, and never waited for."""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.tool.sandbox import root as module
from rony_desktop.tool.sandbox.root import Root


def special(folder: Path, kind: str) -> None:
    path = folder / "it"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        here = Path.cwd()
        os.chdir(folder)  # the path of a socket may have 107 bytes
        try:
            with socket.socket(socket.AF_UNIX) as server:
                server.bind("it")
        finally:
            os.chdir(here)
    else:
        numbers = {"zero": (1, 5), "null": (1, 3), "tty": (5, 0), "none": (240, 77)}
        try:
            os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(*numbers[kind]))
        except PermissionError:
            pytest.skip("only root can make a device")


@pytest.mark.timeout(10)
@pytest.mark.parametrize("kind", ["fifo", "socket", "zero", "null", "tty", "none"])
def test_what_is_no_plain_file_is_refused_and_never_waited_for(yard: Any, kind: str) -> None:
    special(yard.folder, kind)
    yard.grow("link->it")
    for name in ("it", "link"):
        for way in (
            yard.box.open,
            yard.box.read_bytes,
            yard.box.create,
            lambda p: yard.box.write_bytes(p, b"x"),
        ):
            with pytest.raises(SandboxViolationError, match="no plain file"):
                way(name)
        with pytest.raises(NotADirectoryError):
            yard.box.list(name)
        assert not stat.S_ISREG(yard.box.stat(name).st_mode)
    yard.box.rename("it", "other")
    yard.box.remove("other")
    assert yard.box.list() == ["link"]


@pytest.mark.timeout(10)
def test_a_fifo_with_a_reader_gets_nothing(yard: Any) -> None:
    os.mkfifo(yard.folder / "it")
    reader = os.open(yard.folder / "it", os.O_RDONLY | os.O_NONBLOCK)
    try:
        for way in (yard.box.create, lambda p: yard.box.write_bytes(p, b"x")):
            with pytest.raises(SandboxViolationError):
                way("it")
        assert os.read(reader, 10) == b""
    finally:
        os.close(reader)


@pytest.mark.timeout(10)
def test_a_program_that_waits_at_a_fifo_is_not_disturbed(yard: Any) -> None:
    os.mkfifo(yard.folder / "it")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append((yard.folder / "it").read_bytes()))
    reader.start()
    time.sleep(0.1)  # it stands in open() now, which ends as soon as anybody opens for writing
    for way in (yard.box.create, lambda p: yard.box.write_bytes(p, b"x")):
        with pytest.raises(SandboxViolationError):
            way("it")
    reader.join(0.2)
    assert reader.is_alive()
    writer = threading.Thread(target=lambda: (yard.folder / "it").write_bytes(b"sent"))
    writer.start()
    reader.join(5)
    writer.join(5)
    assert got == [b"sent"]

    writer = threading.Thread(target=lambda: (yard.folder / "it").write_bytes(b"again"))
    writer.start()
    time.sleep(0.1)
    for way in (yard.box.open, yard.box.read_bytes):
        with pytest.raises(SandboxViolationError):
            way("it")
    assert (yard.folder / "it").read_bytes() == b"again"
    writer.join(5)


def test_links_of_proc_lead_nowhere(make_root: Callable[..., Root]) -> None:
    with Path("/proc/self/maps").open("rb") as held, make_root(Path("/proc/self")) as box:
        for path in ("root/etc/passwd", "cwd/x", f"fd/{held.fileno()}", "exe"):
            with pytest.raises(OSError):
                box.read_bytes(path)
        assert box.read_bytes("cmdline")  # a file that tells no size


# Limits


def test_a_file_above_the_limit_is_refused_by_size(
    yard: Any, make_root: Callable[..., Root]
) -> None:
    box = make_root(yard.folder, max_bytes=10)
    (yard.folder / "ten").write_bytes(b"0123456789")
    (yard.folder / "more").write_bytes(b"0123456789a")
    assert box.read_bytes("ten") == b"0123456789"
    for way in (box.read_bytes, box.read_text):
        with pytest.raises(SandboxViolationError, match="larger than 10 bytes"):
            way("more")
    with pytest.raises(SandboxViolationError, match="larger than 10 bytes"):
        box.write_bytes("ten", b"0123456789a")
    assert box.read_bytes("ten") == b"0123456789"
    with box.open("more") as file:
        assert file.read() == b"0123456789a"
    box.close()


def test_a_sparse_giant_is_refused_without_being_read(yard: Any) -> None:
    with (yard.folder / "giant").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SandboxViolationError, match="larger than 67108864 bytes"):
        yard.box.read_bytes("giant")


def test_a_file_that_grows_while_it_is_read_ends_at_the_limit(
    yard: Any, monkeypatch: pytest.MonkeyPatch, make_root: Callable[..., Root]
) -> None:
    box = make_root(yard.folder, max_bytes=100)
    path = yard.folder / "log"
    path.write_bytes(b"x" * 90)
    real = os.read

    def growing(handle: int, count: int) -> bytes:
        data = real(handle, count)
        with path.open("ab") as file:
            file.write(b"y" * 5)
        return data

    monkeypatch.setattr(os, "read", growing)
    with pytest.raises(SandboxViolationError, match="larger than 100 bytes"):
        box.read_bytes("log")
    monkeypatch.undo()
    box.close()


def test_a_folder_with_too_many_entries_is_refused(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_ENTRIES", 3)
    yard.grow("c", "a", "b")
    assert yard.box.list(".") == ["a", "b", "c"]
    yard.grow("d")
    with pytest.raises(SandboxViolationError, match="more than 3 entries"):
        yard.box.list(".")
