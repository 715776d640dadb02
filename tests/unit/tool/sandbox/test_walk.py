"""The walk where a race or another system takes it off the usual way."""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.tool.sandbox import walk
from rony_desktop.tool.sandbox.name import Refused
from rony_desktop.tool.sandbox.walk import Walk


@pytest.fixture
def tree(tmp_path: Path) -> Any:
    handle = os.open(tmp_path, walk.FOLDER)
    yield Walk(handle)
    os.close(handle)


def test_a_file_that_becomes_a_link_meanwhile_is_refused(
    tree: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f").symlink_to("/etc/passwd")
    monkeypatch.setattr(walk, "link_target", lambda *_: None)
    with pytest.raises(Refused, match="changed"):
        tree.open("f", os.O_RDONLY)


def test_other_errors_of_opening_are_the_systems(tree: Walk) -> None:
    with pytest.raises(FileNotFoundError):
        tree.open("f", os.O_RDONLY)


def test_a_link_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    handle = os.open(tmp_path, walk.FOLDER)
    os.close(handle)
    with pytest.raises(OSError) as raised:
        walk.link_target("f", handle)
    assert raised.value.errno == errno.EBADF


def test_a_folder_that_becomes_a_link_meanwhile_is_read_as_one(
    tree: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "f").write_bytes(b"x")
    (tmp_path / "d").mkdir()
    real = os.open

    def late(path: str, flags: int, *rest: int, **options: int) -> int:
        if path == "d" and not (tmp_path / "d").is_symlink():
            (tmp_path / "d").rmdir()
            (tmp_path / "d").symlink_to("inside")
        return real(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", late)
    handle = tree.open("d/f", os.O_RDONLY)
    assert os.read(handle, 9) == b"x"
    os.close(handle)


def test_two_dots_lead_back_to_the_folder_that_was_entered(
    tree: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder moved elsewhere while it is walked: ".." must not mean its new parent."""
    root = tmp_path / "root"
    (root / "a" / "b").mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "f").write_bytes(b"secret")
    (root / "f").write_bytes(b"mine")
    handle = os.open(root, walk.FOLDER)
    real = os.open

    def moving(path: str, flags: int, *rest: int, **options: int) -> int:
        if path == "b":
            (root / "a").rename(tmp_path / "other" / "a")
        return real(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", moving)
    found = Walk(handle).open("a/b/../../f", os.O_RDONLY)
    monkeypatch.undo()
    assert os.read(found, 9) == b"mine"
    os.close(found)
    os.close(handle)


@pytest.mark.parametrize("moved", [False, True])
def test_two_dots_above_the_folders_that_are_held_are_checked(
    tree: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: bool
) -> None:
    monkeypatch.setattr(walk, "MAX_HELD", 1)
    (tmp_path / "a" / "b" / "c").mkdir(parents=True)
    (tmp_path / "a" / "f").write_bytes(b"mine")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "f").write_bytes(b"secret")
    real = os.open

    def moving(path: str, flags: int, *rest: int, **options: int) -> int:
        handle = real(path, flags, *rest, **options)
        if path == "c" and moved:
            (tmp_path / "a" / "b").rename(tmp_path / "other" / "b")
        return handle

    monkeypatch.setattr(os, "open", moving)
    before = len(list(Path("/proc/self/fd").iterdir()))
    if moved:
        with pytest.raises(Refused, match="changed"):
            tree.open("a/b/c/../../f", os.O_RDONLY)
    else:
        handle = tree.open("a/b/c/../../f", os.O_RDONLY)
        assert os.read(handle, 9) == b"mine"
        os.close(handle)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_deep_path_holds_few_handles(tree: Walk, tmp_path: Path) -> None:
    deep = "/".join(["d"] * 300)
    (tmp_path / deep).mkdir(parents=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))  # what macOS gives
    try:
        os.close(tree.open(deep, walk.FOLDER))
        os.close(tree.open(deep + "/.." * 300, walk.FOLDER))
        trace = tree.trace(deep)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    whole = tmp_path / deep
    assert trace.parts == ("d",) * 300
    places = [whole, *whole.parents[:300]][::-1]
    assert trace.folders == tuple((p.stat().st_dev, p.stat().st_ino) for p in places)


def test_the_trace_tells_names_links_and_folders(tree: Walk, tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "l").symlink_to("b")
    trace = tree.trace("a/l/new/x")
    assert trace.parts == ("a", "b", "new", "x")
    assert trace.links == (("a", "l"),)
    entered = [tmp_path, tmp_path / "a", tmp_path / "a" / "b"]
    assert trace.folders == tuple((p.stat().st_dev, p.stat().st_ino) for p in entered)


def test_without_o_path_files_are_found_all_the_same(
    tree: Walk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """macOS has no O_PATH."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "f").write_bytes(b"x")
    (tmp_path / "l").symlink_to("a")
    os.mkfifo(tmp_path / "fifo")
    monkeypatch.setattr(walk, "FOLDER", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    handle = tree.open("l/../l/f", os.O_RDONLY)
    assert os.read(handle, 9) == b"x"
    os.close(handle)
    with pytest.raises(NotADirectoryError):
        tree.open("fifo/x", os.O_RDONLY)
