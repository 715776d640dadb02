"""The box itself: its errors, its two roots, its text, its threads."""

from __future__ import annotations

import errno
import gc
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.contract.port import Sandbox
from rony_desktop.tool.sandbox import root as module
from rony_desktop.tool.sandbox.root import Root

SECRET = b"secret"


@pytest.mark.parametrize(
    ("path", "detail"),
    [
        ("", "empty"),
        ("/", "absolute"),
        ("a\0b", "NUL"),
        (b"a", "no text"),
        (5, "no text"),
        (None, "no text"),
        ("\ud800", "name of a file"),
        ("..", "leads out"),
    ],
)
def test_every_method_refuses_what_is_no_path(yard: Any, path: Any, detail: str) -> None:
    box = yard.box
    yard.grow("f")
    for way in (
        box.open,
        box.create,
        box.read_bytes,
        box.read_text,
        lambda p: box.write_bytes(p, b""),
        lambda p: box.write_text(p, ""),
        box.list,
        box.stat,
        box.lstat,
        box.mkdir,
        box.remove,
        lambda p: box.rename(p, "x"),
        lambda p: box.rename("f", p),
        box.validate,
    ):
        with pytest.raises(SandboxViolationError, match=detail):
            way(path)


def test_paths_may_be_path_objects(yard: Any) -> None:
    yard.box.write_text(Path("a"), "text")
    assert yard.box.read_text(Path("a")) == "text"


def test_a_name_that_is_no_utf_8_can_be_read_as_it_was_listed(yard: Any) -> None:
    raw = os.fsencode(yard.folder) + b"/\xff"
    Path(os.fsdecode(raw)).write_bytes(b"x")
    (name,) = yard.box.list()
    assert yard.box.read_bytes(name) == b"x"


def test_a_path_without_end_is_refused_at_once(yard: Any) -> None:
    yard.grow("d/")
    for way in (yard.box.read_bytes, yard.box.validate, yard.box.relative):
        with pytest.raises(OSError) as refused:
            way("d/../" * 1000 + "d")
        assert refused.value.errno == errno.ENAMETOOLONG


@pytest.mark.parametrize("mode", [0o1777, 0o4755, -1])
def test_a_mode_beyond_permissions_is_refused(yard: Any, mode: int) -> None:
    for way in (
        lambda: yard.box.mkdir("a", mode=mode),
        lambda: yard.box.create("a", mode=mode),
        lambda: yard.box.write_bytes("a", b"", mode=mode),
        lambda: yard.box.write_text("a", "", mode=mode),
    ):
        with pytest.raises(SandboxViolationError, match="mode"):
            way()
    assert yard.box.list() == []


def test_modes_of_new_ones_are_what_the_plain_call_gives(yard: Any) -> None:
    yard.box.write_text("a", "x")
    yard.box.write_text("b", "x", mode=0o600)
    yard.box.create("c").close()
    yard.box.mkdir("d")
    (yard.outside / "ROOT" / "plain").write_text("x")
    (yard.outside / "ROOT" / "folder").mkdir()
    for ours, theirs in (("a", "plain"), ("c", "plain"), ("d", "folder")):
        assert yard.box.stat(ours).st_mode == yard.box.stat(theirs).st_mode
    assert stat.S_IMODE(yard.box.stat("b").st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "a\r\nb\n", "\ufeffx", "\u2028 \U0001f600", "\0"])
def test_text_comes_back_as_it_was(yard: Any, text: str) -> None:
    yard.box.write_text("f", text)
    assert yard.box.read_text("f") == text
    assert (yard.folder / "f").read_bytes() == text.encode()


def test_what_is_not_utf_8_is_told(yard: Any) -> None:
    (yard.folder / "f").write_bytes(b"\xff")
    with pytest.raises(UnicodeDecodeError):
        yard.box.read_text("f")
    with pytest.raises(UnicodeEncodeError):
        yard.box.write_text("f", "\ud800")
    assert (yard.folder / "f").read_bytes() == b"\xff"


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda b: b.read_bytes("none"), FileNotFoundError),
        (lambda b: b.read_bytes("d"), IsADirectoryError),
        (lambda b: b.read_bytes("f/"), NotADirectoryError),
        (lambda b: b.read_bytes("f/x"), NotADirectoryError),
        (lambda b: b.write_bytes("d", b""), IsADirectoryError),
        (lambda b: b.write_bytes("new/", b""), IsADirectoryError),
        (lambda b: b.write_bytes(".", b""), IsADirectoryError),
        (lambda b: b.create("d"), IsADirectoryError),
        (lambda b: b.create("d/.."), IsADirectoryError),
        (lambda b: b.list("f"), NotADirectoryError),
        (lambda b: b.list("none"), FileNotFoundError),
        (lambda b: b.stat("f/"), NotADirectoryError),
        (lambda b: b.mkdir("d"), FileExistsError),
        (lambda b: b.mkdir("."), FileExistsError),
        (lambda b: b.mkdir("d/.."), FileExistsError),
        (lambda b: b.mkdir("none/x"), FileNotFoundError),
        (lambda b: b.mkdir("dangling"), FileExistsError),
        (lambda b: b.remove("none"), FileNotFoundError),
        (lambda b: b.remove("f/"), NotADirectoryError),
        (lambda b: b.remove("ld/"), NotADirectoryError),
        (lambda b: b.rename("none", "x"), FileNotFoundError),
        (lambda b: b.rename("f", "x/"), NotADirectoryError),
        (lambda b: b.rename("f/", "x"), NotADirectoryError),
        (lambda b: b.rename("f", "d"), IsADirectoryError),
        (lambda b: b.rename("d", "f"), NotADirectoryError),
        (lambda b: b.stat("dangling"), FileNotFoundError),
        (lambda b: b.read_bytes("x" * 256), OSError),
    ],
)
def test_errors_are_the_systems_own_and_name_the_path(
    yard: Any, call: Callable[[Root], object], kind: type[OSError]
) -> None:
    yard.grow("f", "d/inner", "dangling->gone", "ld->d")
    with pytest.raises(kind) as raised:
        call(yard.box)
    assert type(raised.value) is kind
    assert raised.value.filename is not None
    assert raised.value.filename2 is None


def test_a_folder_that_is_not_empty_stays(yard: Any) -> None:
    yard.grow("d/inner")
    with pytest.raises(OSError) as raised:
        yard.box.remove("d")
    assert raised.value.errno == errno.ENOTEMPTY
    yard.box.remove("d/inner")
    yard.box.remove("d/")
    assert yard.box.list() == []


@pytest.mark.parametrize("path", [".", "./", "d/..", "d/.", "d/d2/../.."])
def test_the_folder_itself_is_neither_removed_nor_renamed(yard: Any, path: str) -> None:
    yard.grow("d/d2/", "f")
    for way in (
        yard.box.remove,
        lambda p: yard.box.rename(p, "x"),
        lambda p: yard.box.rename("f", p),
    ):
        with pytest.raises(SandboxViolationError, match="folder itself"):
            way(path)
    assert yard.box.list(path)


def test_folders_are_made_and_moved_with_a_slash_at_the_end(yard: Any) -> None:
    yard.grow("d/", "d/d->..")
    yard.box.mkdir("d/d/new/")
    yard.box.rename("new/", "d/moved/")
    assert yard.box.list("d") == ["d", "moved"]
    assert yard.box.list("d/d") == ["d"]
    assert stat.S_ISDIR(yard.box.lstat("d/d/").st_mode)
    assert stat.S_ISLNK(yard.box.lstat("d/d").st_mode)
    assert stat.S_ISDIR(yard.box.lstat("d/..").st_mode)


def test_a_long_chain_of_links_ends_where_the_kernel_ends(yard: Any) -> None:
    yard.grow("l0", *(f"l{n}->l{n - 1}" for n in range(1, 43)))
    assert yard.box.read_bytes("l40") == b"l0"
    assert yard.box.relative("l40") == "l0"
    for way in (
        yard.box.read_bytes,
        yard.box.relative,
        lambda p: yard.box.write_bytes(p, b""),
        yard.box.stat,
    ):
        with pytest.raises(SandboxViolationError, match="too many links"):
            way("l41")


def test_the_handle_follows_its_folder_not_its_name(yard: Any) -> None:
    yard.grow("f")
    yard.folder.rename(yard.outside / "moved")
    yard.folder.mkdir()
    (yard.folder / "f").write_bytes(b"impostor")
    assert yard.box.read_bytes("f") == b"f"
    yard.box.write_bytes("f", b"new")
    assert (yard.folder / "f").read_bytes() == b"impostor"
    assert (yard.outside / "moved" / "f").read_bytes() == b"new"
    (yard.folder / "f").unlink()
    yard.folder.rmdir()
    (yard.outside / "moved").rename(yard.folder)


def test_each_base_is_a_root_of_its_own(yard: Any, make_root: Callable[..., Root]) -> None:
    with make_root(yard.folder, yard.outside / "side") as box:
        assert box.read_bytes("target", base="config") == SECRET
        with pytest.raises(FileNotFoundError):
            box.read_bytes("target")
        for way in (box.read_bytes, box.list, box.stat):
            with pytest.raises(SandboxViolationError):
                way("../target", base="config")
    for base in ("config", "other"):
        with pytest.raises(SandboxViolationError, match="no folder that is open"):
            yard.box.list(base=base)


def test_a_missing_root_leaves_no_handle(tmp_path: Path, kernel: bool) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for folders in ((tmp_path / "no",), (tmp_path, tmp_path / "no")):
        with pytest.raises(FileNotFoundError):
            Root(*folders, kernel=kernel)
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_box_that_nobody_closed_gives_its_handles_back(yard: Any, kernel: bool) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        Root(yard.folder, yard.outside, kernel=kernel)
    gc.collect()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_use_after_close_is_refused(yard: Any) -> None:
    yard.grow("f")
    yard.box.close()
    yard.box.close()
    for way in (yard.box.read_bytes, yard.box.list, yard.box.validate, yard.box.protected):
        with pytest.raises(SandboxViolationError, match="closed"):
            way("f")
    assert yard.box.mode in ("openat2", "walk")


def test_a_call_under_way_ends_before_its_handle_is_given_back(
    yard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    yard.grow("f")
    begun, go_on = threading.Event(), threading.Event()
    real = module._read_all
    found: list[bytes] = []

    def slow(handle: int, limit: int) -> bytes:
        begun.set()
        assert go_on.wait(10)
        return real(handle, limit)

    monkeypatch.setattr(module, "_read_all", slow)
    thread = threading.Thread(target=lambda: found.append(yard.box.read_bytes("f")))
    thread.start()
    assert begun.wait(10)
    held = yard.box._folders["workspace"].identity()
    yard.box.close()
    assert yard.box._folders["workspace"].identity() == held
    go_on.set()
    thread.join(10)
    assert found == [b"f"]
    assert not yard.box._folders


def test_many_threads_share_one_box(yard: Any) -> None:
    failed: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for turn in range(20):
                with yard.box.create(name) as file:
                    file.write(f"{name} {turn}".encode())
                assert yard.box.read_text(f"d/../{name}") == f"{name} {turn}"
        except BaseException as error:
            failed.append(error)

    yard.grow("d/")
    threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not failed


def test_kernel_none_takes_the_kernel_where_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rony_desktop.tool.sandbox import linux

    with Root(tmp_path) as box:
        assert box.mode == "openat2"
    for number in (errno.ENOSYS, errno.EPERM):

        def refused(*_: object, number: int = number) -> int:
            raise OSError(number, "")

        monkeypatch.setattr(linux, "openat2", refused)
        with Root(tmp_path) as box:
            assert box.mode == "walk"
            assert box.list() == []
        with pytest.raises(OSError, match="openat2"):
            Root(tmp_path, kernel=True)


def test_it_is_a_sandbox(yard: Any) -> None:
    box: Sandbox = yard.box
    assert box.list(".") == []
