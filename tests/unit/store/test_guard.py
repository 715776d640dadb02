from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import OutsideFolder
from rony_desktop.store.guard import DirectoryGuard


def test_names_below_the_folder_become_absolute(tmp_path: Path) -> None:
    guard = DirectoryGuard(tmp_path)
    assert guard.resolve("a") == tmp_path.resolve() / "a"
    assert guard.resolve("b/../c/d") == tmp_path.resolve() / "c" / "d"


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/etc/passwd", "", ".", "a\0b"])
def test_other_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutsideFolder) as caught:
        DirectoryGuard(tmp_path / "base").resolve(name)
    assert isinstance(caught.value, PermissionError)


def test_links_are_followed_before_judging(tmp_path: Path) -> None:
    base = tmp_path / "base"
    base.mkdir()
    (tmp_path / "base2").mkdir()
    (base / "out").symlink_to(tmp_path / "base2")
    (base / "loop").symlink_to("loop")
    (base / "in").symlink_to("real")
    guard = DirectoryGuard(base)
    assert guard.resolve("in") == base.resolve() / "real"
    for name in ("out", "out/x", "../base2/x"):
        with pytest.raises(OutsideFolder):
            guard.resolve(name)


def test_a_folder_that_is_a_link_itself_works(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert DirectoryGuard(tmp_path / "link").resolve("x") == (tmp_path / "real" / "x").resolve()
