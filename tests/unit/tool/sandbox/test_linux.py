"""openat2 where the kernel refuses, hesitates or is not Linux's."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.tool.sandbox import linux
from rony_desktop.tool.sandbox.walk import FOLDER


@pytest.fixture
def beneath(tmp_path: Path) -> Any:
    handle = os.open(tmp_path, FOLDER)
    yield linux.Beneath(handle)
    os.close(handle)


@pytest.mark.parametrize("times", [1, 10, 10_000])
@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EINTR])
def test_a_rename_that_races_is_tried_again_and_walked_at_last(
    beneath: linux.Beneath,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    times: int,
    number: int,
) -> None:
    (tmp_path / "f").write_bytes(b"x")
    calls = 0
    real = linux.openat2

    def busy(folder: int, path: str, flags: int) -> int:
        nonlocal calls
        calls += 1
        if calls <= times:
            raise OSError(number, "")
        return real(folder, path, flags)

    monkeypatch.setattr(linux, "openat2", busy)
    handle = beneath.open("f", os.O_RDONLY)
    assert os.read(handle, 9) == b"x"
    os.close(handle)
    assert calls == min(times + 2, linux.TRIES)  # looked at, then opened


def test_it_works_only_where_the_number_means_it(
    beneath: linux.Beneath, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert linux.works(beneath.handle)
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Darwin", "", "", "", "")))
    assert not linux.works(beneath.handle)


def test_a_parent_gives_its_handle_back_where_the_link_leads_out(
    beneath: linux.Beneath, tmp_path: Path
) -> None:
    (tmp_path / "l").symlink_to("/etc")
    before = len(list(Path("/proc/self/fd").iterdir()))
    with pytest.raises(Exception, match="absolute"):
        beneath.parent("l", follow=True)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
