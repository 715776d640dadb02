"""The Windows box over a stand-in for the system's calls; its handles need Windows itself."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.tool.sandbox import kernel32
from rony_desktop.tool.sandbox.name import Refused
from rony_desktop.tool.sandbox.windows import WindowsFolder, lexical


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("a/b\\c", ("a", "b", "c")),
        ("./a//b/", ("a", "b")),
        ("a/../b", ("b",)),
        ("a/b/../../c", ("c",)),
        (".", ()),
        ("a/..", ()),
    ],
)
def test_two_dots_are_taken_away_before_any_look_up(path: str, parts: tuple[str, ...]) -> None:
    assert lexical(path) == parts


@pytest.mark.parametrize("path", ["..", "a/../..", "..\\x", "a\\..\\..\\a"])
def test_a_path_that_leads_out_is_refused(path: str) -> None:
    with pytest.raises(Refused):
        lexical(path)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Folders that are held, in order; "-" where one is given back."""
    seen: list[str] = []

    def hold(folder: Path) -> int:
        handle = os.open(folder, os.O_PATH | os.O_NOFOLLOW)
        seen.append(folder.name)
        return handle

    def release(handle: int) -> None:
        os.close(handle)
        seen.append("-")

    def open_plain(place: Path, *, write: bool = False, new: bool = False) -> int:
        flags = (os.O_WRONLY if write else os.O_RDONLY) | os.O_NOFOLLOW
        return os.open(place, flags | (os.O_CREAT | os.O_EXCL if new else 0))

    monkeypatch.setattr(kernel32, "hold", hold)
    monkeypatch.setattr(kernel32, "release", release)
    monkeypatch.setattr(kernel32, "open_plain", open_plain)
    return seen


@pytest.fixture
def folder(tmp_path: Path, held: list[str]) -> Any:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "f").write_bytes(b"f")
    (tmp_path / "out").symlink_to("a")
    found = WindowsFolder(tmp_path)
    held.clear()
    yield found
    found.close()


def test_every_folder_on_the_way_is_held_while_a_name_is_used(
    folder: WindowsFolder, held: list[str]
) -> None:
    os.close(folder.open("a/b/../f"))
    folder.stat("a/b/")
    assert held == ["a", "-", "a", "b", "-", "-"]


def test_files_are_made_read_listed_and_replaced(folder: WindowsFolder, tmp_path: Path) -> None:
    folder.write("a/new", b"1", 0o666)
    folder.write("a\\new", b"2", 0o666)
    assert (tmp_path / "a" / "new").read_bytes() == b"2"
    os.close(folder.create("a/new", 0o666))
    os.close(folder.create("a/other", 0o666))
    assert (tmp_path / "a" / "new").read_bytes() == b""
    (tmp_path / "a" / f".rony-{'0' * 16}.tmp").touch()
    assert sorted(folder.list("a", 9)) == ["b", "f", "new", "other"]
    assert stat.S_ISDIR(folder.lstat("a").st_mode)
    with pytest.raises(Refused, match="more than 1"):
        folder.list("a", 1)


def test_folders_are_made_moved_and_removed(folder: WindowsFolder, tmp_path: Path) -> None:
    folder.mkdir("a/c", 0o777)
    folder.rename("a/c", "d")
    folder.remove("d")
    folder.remove("a/f")
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["b"]
    for way in (lambda: folder.remove("."), lambda: folder.rename("a/..", "x")):
        with pytest.raises(Refused, match="itself"):
            way()


def test_links_are_refused_wherever_they_stand(folder: WindowsFolder, tmp_path: Path) -> None:
    for path in ("out/f", "out"):
        for way in (
            folder.open,
            folder.stat,
            lambda p: folder.list(p, 9),
            folder.trace,
            lambda p: folder.create(p, 0o666),
            lambda p: folder.write(p, b"", 0o666),
        ):
            with pytest.raises(Refused, match="link"):
                way(path)
    folder.remove("out")
    assert (tmp_path / "a" / "f").read_bytes() == b"f"


def test_what_is_no_file_is_not_opened(folder: WindowsFolder, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(Refused, match="plain"):
        folder.open("fifo")
    for path in ("a", "a/", ".", "a/."):
        with pytest.raises(IsADirectoryError):
            folder.open(path)
    with pytest.raises(NotADirectoryError):
        folder.open("a/f/x")
    with pytest.raises(FileNotFoundError):
        folder.open("none")


def test_a_write_that_fails_leaves_the_old_file(
    folder: WindowsFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        folder.write("a/f", b"new", 0o666)
    assert (tmp_path / "a" / "f").read_bytes() == b"f"
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["b", "f"]


def test_a_file_with_other_names_is_not_emptied(folder: WindowsFolder, tmp_path: Path) -> None:
    os.link(tmp_path / "a" / "f", tmp_path / "g")
    with pytest.raises(Refused, match="other names"):
        folder.create("g", 0o666)
    assert (tmp_path / "a" / "f").read_bytes() == b"f"


def test_the_trace_goes_by_names(folder: WindowsFolder, tmp_path: Path) -> None:
    trace = folder.trace("a\\b/../none/x")
    assert trace.parts == ("a", "none", "x")
    inner = (tmp_path / "a").stat()
    assert trace.folders[-1] == (inner.st_dev, inner.st_ino)
    assert len(folder.trace("a/f").folders) == 2
    assert os.path.samestat(folder.identity(), tmp_path.stat())
