"""What is true of artefacts in files; what is true of every store is in tests/contract."""

from __future__ import annotations

import hashlib
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rony_desktop.contract.error import (
    OutsideFolder,
    ResultMissing,
    StorageError,
    StorageUnreadable,
)
from rony_desktop.store import artifact as artifact_module
from rony_desktop.store.artifact import FileArtifactStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "artifacts"


@pytest.fixture
def store(folder: Path) -> FileArtifactStore:
    return FileArtifactStore(folder)


def aged(path: Path, days: float) -> None:
    time = datetime.now(UTC) - timedelta(days=days)
    os.utime(path, (time.timestamp(), time.timestamp()))


async def keep(store: FileArtifactStore, folder: Path, data: bytes, days: float = 0) -> str:
    kept = await store.put(data, "x", "text/plain")
    aged(next(folder.glob(f"{kept.id}.*")), days)
    return kept.id


async def test_each_is_one_private_file_named_by_its_digest(
    store: FileArtifactStore, folder: Path
) -> None:
    kept = await store.put(b"data", "x", "text/plain")
    (file,) = folder.iterdir()
    assert file.name == f"{kept.id}.{hashlib.sha256(b'data').hexdigest()}"
    assert file.read_bytes() == b"data"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_an_id_in_small_letters_is_found(store: FileArtifactStore) -> None:
    kept = await store.put(b"data", "x", "text/plain")
    assert await store.load(kept.id.lower()) == b"data"


async def test_changed_bytes_are_never_given(store: FileArtifactStore, folder: Path) -> None:
    kept = await store.put(b"data", "x", "text/plain")
    (file,) = folder.iterdir()
    file.write_bytes(b"datb")
    with pytest.raises(StorageUnreadable):
        await store.load(kept.id)
    file.unlink()
    file.mkdir()
    with pytest.raises(StorageUnreadable):
        await store.load(kept.id)
    with pytest.raises(StorageError):
        await store.delete(kept.id)


@pytest.mark.parametrize("id", ["", "*", "?" * 26, "..", "../x", "/etc/passwd", "a\0b", "x" * 5000])
async def test_no_other_name_finds_anything(
    store: FileArtifactStore, folder: Path, id: str
) -> None:
    await store.put(b"data", "x", "text/plain")
    (folder / "note").write_text("not ours")
    with pytest.raises(ResultMissing):
        await store.load(id)
    await store.delete(id)
    assert len(list(folder.iterdir())) == 2


async def test_a_link_that_leads_out_is_not_followed(
    store: FileArtifactStore, folder: Path, tmp_path: Path
) -> None:
    kept = await store.put(b"data", "x", "text/plain")
    (file,) = folder.iterdir()
    (tmp_path / "outside").write_bytes(b"data")
    file.unlink()
    file.symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideFolder):
        await store.load(kept.id)


async def test_a_file_gone_meanwhile_is_missing(store: FileArtifactStore, folder: Path) -> None:
    kept = await store.put(b"data", "x", "text/plain")
    (file,) = folder.iterdir()
    file.unlink()
    file.symlink_to(folder / "gone")
    with pytest.raises(ResultMissing):
        await store.load(kept.id)


async def test_only_files_are_purged(store: FileArtifactStore, folder: Path) -> None:
    strange = folder / f"{'0' * 26}.{'0' * 64}"
    strange.mkdir(parents=True)
    await store.purge(datetime(2100, 1, 1, tzinfo=UTC))
    assert strange.exists()


async def test_what_is_old_is_purged(store: FileArtifactStore, folder: Path) -> None:
    old, young = await keep(store, folder, b"old", 7.1), await keep(store, folder, b"young", 6.9)
    left = folder / f".{old}.{'0' * 64}.01234567.tmp"  # by a kill in the middle of a write
    left.write_bytes(b"half")
    aged(left, 8)
    (folder / "note").write_text("not ours")
    aged(folder / "note", 99)
    await store.purge(datetime.now(UTC))
    assert await store.load(young) == b"young"
    with pytest.raises(ResultMissing):
        await store.load(old)
    assert sorted(path.name[:26] for path in folder.iterdir()) == [young, "note"]


async def test_the_oldest_go_first_where_there_is_too_much(
    store: FileArtifactStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifact_module, "LIMIT_BYTES", 250)
    ids = [await keep(store, folder, bytes(100), days) for days in (2, 1, 3, 0)]
    await store.purge(datetime.now(UTC))
    assert {path.name[:26] for path in folder.iterdir()} == {ids[1], ids[3]}
    await store.purge(datetime.now(UTC))
    assert len(list(folder.iterdir())) == 2


async def test_a_clock_set_back_purges_nothing(store: FileArtifactStore, folder: Path) -> None:
    kept = await keep(store, folder, b"data", -400)
    await store.purge(datetime.now(UTC))
    assert await store.load(kept) == b"data"


async def test_without_a_folder_nothing_is_there(store: FileArtifactStore, folder: Path) -> None:
    await store.purge(datetime.now(UTC))
    with pytest.raises(ResultMissing):
        await store.load("0" * 26)
    assert not folder.exists()


async def test_a_folder_that_refuses_is_said(store: FileArtifactStore, folder: Path) -> None:
    folder.write_text("")
    with pytest.raises(StorageError):
        await store.put(b"data", "x", "text/plain")
