from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rony_desktop.contract.error import SessionError, SessionMissing, StorageError
from rony_desktop.store.session_bin import SessionBin

START = datetime(2030, 1, 1, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(tmp_path: Path, clock: Clock) -> SessionBin:
    return SessionBin(tmp_path / "bin", clock)


def test_the_newest_of_an_id_comes_back(kept: SessionBin, tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "s.jsonl"
    for text in ("one", "two"):
        file.write_text(text)
        kept.put("s", file)
        clock.now += timedelta(microseconds=1)
    assert not file.exists()
    kept.take("s", file)
    assert file.read_text() == "two"
    with pytest.raises(SessionError):
        kept.take("s", file)


def test_ids_are_told_apart(kept: SessionBin, tmp_path: Path) -> None:
    file = tmp_path / "s.1.jsonl"
    file.write_text("x")
    kept.put("s.1", file)
    for id in ("s", "*", "s.?"):
        with pytest.raises(SessionMissing):
            kept.take(id, tmp_path / "t.jsonl")
    kept.take("s.1", tmp_path / "t.jsonl")


def test_purge_takes_what_is_older_than_thirty_days(
    kept: SessionBin, tmp_path: Path, clock: Clock
) -> None:
    kept.purge()  # there is no folder yet
    (tmp_path / "s.jsonl").write_text("x")
    kept.put("s", tmp_path / "s.jsonl")
    clock.now = START + timedelta(days=30)
    kept.purge()
    assert len(list((tmp_path / "bin").iterdir())) == 1
    clock.now = START - timedelta(days=400)  # a clock set back deletes nothing
    kept.purge()
    assert len(list((tmp_path / "bin").iterdir())) == 1
    clock.now = START + timedelta(days=30, seconds=1)
    kept.purge()
    assert list((tmp_path / "bin").iterdir()) == []


def test_what_cannot_be_moved_is_said(kept: SessionBin, tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        kept.put("s", tmp_path / "missing.jsonl")
