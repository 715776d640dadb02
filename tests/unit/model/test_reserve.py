from __future__ import annotations

import errno
from pathlib import Path

import pytest

from rony_desktop.contract.error import DownloadFull, DownloadUnwritable
from rony_desktop.model.reserve import Reserve

PLACE = Path("models")


def reserve(free: int | None, claimed: int = 0) -> Reserve:
    return Reserve(PLACE, 100, lambda _: free, lambda: claimed)


def test_a_tenth_of_the_size_and_the_reserve_stay_free() -> None:
    reserve(100 + 1000 + 100).admit("m", 1000, 1000)
    with pytest.raises(DownloadFull):
        reserve(100 + 1000 + 99).admit("m", 1000, 1000)
    reserve(100 + 10 + 100).admit("m", 1000, 10)
    reserve(0).admit("m", 1000, 0)


def test_what_others_still_need_is_counted() -> None:
    with pytest.raises(DownloadFull):
        reserve(1200, claimed=1).admit("m", 1000, 1000)


def test_where_nobody_knows_it_is_tried() -> None:
    reserve(None).admit("m", 1000, 1000)
    assert reserve(None).watch("m") is None


def test_the_reserve_is_watched() -> None:
    assert reserve(100).watch("m") == 100
    with pytest.raises(DownloadFull):
        reserve(99).watch("m")


def test_what_the_system_says_has_a_type() -> None:
    full = reserve(3).error(PLACE, OSError(errno.ENOSPC, "No space"))
    assert isinstance(full, DownloadFull)
    other = reserve(3).error(PLACE, OSError(errno.EROFS, "Read-only"))
    assert isinstance(other, DownloadUnwritable)
    assert other.params["detail"] == "Read-only"
