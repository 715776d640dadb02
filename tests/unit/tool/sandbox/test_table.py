"""The path table: where paths lead in both ways of enforcing, and what is never touched."""

from __future__ import annotations

import stat
from collections.abc import Callable
from typing import Any

import pytest

from rony_desktop.contract.error import SandboxViolationError
from rony_desktop.tool.sandbox.root import Root

# tree, path, where it leads (None: refused or not there)
TABLE = {
    "plain": ((), "target", "target"),
    "in a folder": (("a/b/c/",), "a/b/c/target", "a/b/c/target"),
    "link": (("link->target",), "link", "target"),
    "link to the outside": (("link->../",), "link", None),
    "link ends in a slash": (("dir/", "link->dir/"), "link/target", "dir/target"),
    "slash after a link to a file": (("link->../ROOT/target",), "link/", None),
    "slash after a link to a folder": (("link->../ROOT/target", "target/"), "link/", None),
    "link two up": (("dir/link->../../",), "dir/link", None),
    "chain of links": (
        ("link->a/b/c/target", "a/b->e", "a/e->../f", "f->g/h/i", "g/h/i->..", "g/c/"),
        "link",
        "g/c/target",
    ),
    "dots": (("a/b/",), "./a/./b/./target", "a/b/target"),
    "two dots inside": (("a/b/",), "a/../a/b/../../a/b/../b/target", "a/b/target"),
    "two dots and a slash": ((), "../", None),
    "two dots twice": (("a/",), "a/../../", None),
    "two dots, no link": (("a/",), "a/../target", "target"),
    "two dots after a link": (("a->b/c", "b/c/"), "a/../target", "b/target"),
    "two dots before a link": (("a->b/c", "b/c/"), "b/../a/target", "b/c/target"),
    "link ends in a dot": (("a->b/.", "b/"), "a/target", "b/target"),
    "missing folder": ((), "a/file", None),
    "empty": ((), "", None),
    "cycle": (("a->a",), "a", None),
    "out and in again": ((), "../ROOT/target", None),
    "long way out": (("a/",), "a/../../ROOT/target", None),
    "absolute link": (("link->$ABS/target",), "link", None),
    "link out and in": (("link->../ROOT/target",), "link", None),
    "chain that leads out": (
        ("link->a/b/c/target", "a/b->e", "a/e->../../ROOT", "c/"),
        "link",
        None,
    ),
    "sandbox rejects ../../../etc/passwd": ((), "../../../etc/passwd", None),
    "absolute": ((), "/etc/passwd", None),
    "link to the outside as a folder": (("link->..",), "link/target", None),
    "link to /etc": (("link->/etc",), "link/passwd", None),
    "percent signs": (("%2e%2e/",), "%2e%2e/../../target", None),
    "NUL": ((), "target\0", None),
    "surrogate": ((), "\ud800", None),
}
CASES = [pytest.param(*row, id=name) for name, row in TABLE.items()]
OUT = ["../target", "../side/target", "link/target", "up", "/etc/hostname", "a/../../target"]
OUT_TREE = ("link->..", "up->../target", "a/")


@pytest.mark.parametrize(("tree", "path", "leads"), CASES)
@pytest.mark.parametrize("way", ["read", "open", "stat"])
def test_reading_follows_the_table(
    yard: Any, tree: tuple[str, ...], path: str, leads: str | None, way: str
) -> None:
    yard.grow(*tree)
    if leads:
        yard.grow(leads)
    read: dict[str, Callable[[], object]] = {
        "read": lambda: yard.box.read_bytes(path),
        "open": lambda: opened(yard.box, path),
        "stat": lambda: yard.box.stat(path).st_ino,
    }
    if leads is None:
        with pytest.raises(OSError):
            read[way]()
    elif way == "stat":
        assert read[way]() == (yard.folder / leads).stat().st_ino
    else:
        assert read[way]() == leads.encode()


def opened(box: Root, path: str) -> bytes:
    with box.open(path) as file:
        return file.read()


@pytest.mark.parametrize(("tree", "path", "leads"), CASES)
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("way", ["write", "create"])
def test_writing_follows_the_table(
    yard: Any, tree: tuple[str, ...], path: str, leads: str | None, there: bool, way: str
) -> None:
    yard.grow(*tree)
    if leads and there:
        yard.grow(leads)

    def write() -> None:
        if way == "write":
            yard.box.write_bytes(path, b"new")
        else:
            with yard.box.create(path) as file:
                file.write(b"new")

    links = {p: p.readlink() for p in yard.folder.rglob("*") if p.is_symlink()}
    if leads is None:
        with pytest.raises(OSError):
            write()
    else:
        write()
        assert (yard.folder / leads).read_bytes() == b"new"
        assert not (yard.folder / leads).is_symlink()
    assert {p: p.readlink() for p in links} == links


@pytest.mark.parametrize("path", OUT)
def test_nothing_outside_is_touched(yard: Any, path: str) -> None:
    yard.grow(*OUT_TREE, "f")
    box = yard.box
    ways: list[Callable[[], object]] = [
        lambda: box.open(path),
        lambda: box.create(path),
        lambda: box.read_bytes(path),
        lambda: box.read_text(path),
        lambda: box.write_bytes(path, b""),
        lambda: box.write_text(path, ""),
        lambda: box.list(path),
        lambda: box.stat(path),
        lambda: box.validate(path),
        lambda: box.relative(path),
        lambda: box.protected(path),
    ]
    if path != "up":  # these act on the link itself
        ways += [
            lambda: box.lstat(path),
            lambda: box.mkdir(path),
            lambda: box.remove(path),
            lambda: box.rename(path, "x"),
            lambda: box.rename("f", path),
        ]
    for way in ways:
        with pytest.raises(SandboxViolationError) as refused:
            way()
        assert path in refused.value.params["path"]
        assert refused.value.params["detail"]


def test_a_link_to_the_outside_can_be_seen_moved_and_removed(yard: Any) -> None:
    yard.grow("link->../target", "d/")
    assert stat.S_ISLNK(yard.box.lstat("link").st_mode)
    yard.box.rename("link", "d/link")
    yard.box.remove("d/link")
    assert yard.box.list("d") == []
