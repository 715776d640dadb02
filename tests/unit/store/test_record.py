"""What is true of records in files; what is true of every store is in tests/contract."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from pathlib import Path

import pytest

from rony_desktop.contract.error import OutsideFolder, StorageError, StorageUnreadable
from rony_desktop.store import lock as lock_module, record as record_module
from rony_desktop.store.lock import alone
from rony_desktop.store.record import FileRecordStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "records"


@pytest.fixture
def store(folder: Path) -> FileRecordStore:
    return FileRecordStore(folder)


async def test_a_kind_is_one_private_file(store: FileRecordStore, folder: Path) -> None:
    await store.put("grants", "a", {"tool": "write_file"})
    await store.put("speeds", "a", {"tokens": 5})
    files = sorted(path.name for path in folder.iterdir() if path.is_file())
    assert files == ["grants.json", "speeds.json"]
    assert stat.S_IMODE((folder / "grants.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_what_is_kept_is_there_after_a_restart(store: FileRecordStore, folder: Path) -> None:
    record = {"a": [1, 2.5, None, True], "b": {"c": "é\ud800"}}
    await store.put("grants", "../\0 of any kind", record)
    assert await FileRecordStore(folder).list("grants") == {"../\0 of any kind": record}


@pytest.mark.parametrize("kind", ["", "../x", "..\\../x", "a/b", "/etc/x", "a\0b"])
async def test_a_kind_is_no_path(store: FileRecordStore, kind: str) -> None:
    for work in (store.list(kind), store.get(kind, "a"), store.delete(kind, "a")):
        with pytest.raises(OutsideFolder):
            await work
    with pytest.raises(OutsideFolder):
        await store.put(kind, "a", {})


@pytest.mark.parametrize(
    "damage",
    [b"", b"\0" * 100, b'{"records": {"a": {"n": ', b"[]", b"{}", b'{"records": 5}', b"[" * 50_000],
)
@pytest.mark.parametrize("first", ["list", "put"])
async def test_a_damaged_file_is_set_aside_and_said(
    store: FileRecordStore, folder: Path, damage: bytes, first: str
) -> None:
    folder.mkdir()
    (folder / "grants.json").write_bytes(damage)
    if first == "list":
        assert await store.list("grants") == {}
    await store.put("grants", "a", {"n": 1})
    assert await store.list("grants") == {"a": {"n": 1}}
    (aside,) = folder.glob("grants.json.corrupt-*")
    assert aside.read_bytes() == damage
    (notice,) = store.notices
    assert notice.code == "storage.unreadable"
    assert aside.name in notice.params["detail"]


async def test_what_a_newer_version_added_stays(store: FileRecordStore, folder: Path) -> None:
    newer = {"version": 2, "format": "rony-records", "more": [1], "records": {"a": {}, "b": "new"}}
    folder.mkdir()
    (folder / "grants.json").write_text(json.dumps(newer))
    assert await store.list("grants") == {"a": {}}
    await store.put("grants", "c", {"n": 1})
    kept = json.loads((folder / "grants.json").read_text())
    assert kept == {**newer, "records": {"a": {}, "b": "new", "c": {"n": 1}}}
    assert store.notices == []


async def test_what_only_a_newer_version_reads_is_left_alone(
    store: FileRecordStore, folder: Path
) -> None:
    folder.mkdir()
    text = '{"format": "rony-records", "version": 2, "rows": []}'
    (folder / "grants.json").write_text(text)
    assert await store.list("grants") == {}
    assert await store.get("grants", "a") is None
    with pytest.raises(StorageUnreadable):
        await store.put("grants", "a", {})
    assert (folder / "grants.json").read_text() == text
    assert [notice.code for notice in store.notices] == ["storage.unreadable"]


async def test_what_the_system_refuses_to_read_is_said(
    store: FileRecordStore, folder: Path
) -> None:
    (folder / "grants.json").mkdir(parents=True)
    assert await store.list("grants") == {}
    assert len(store.notices) == 1
    with pytest.raises(StorageError):
        await store.put("grants", "a", {})


async def test_deleting_what_is_not_there_writes_nothing(
    store: FileRecordStore, folder: Path
) -> None:
    await store.delete("grants", "a")
    assert not (folder / "grants.json").exists()


async def test_a_kind_another_program_writes_is_busy(
    store: FileRecordStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock_module, "LOCK_WAIT_S", 0.1)
    await store.put("grants", "a", {"n": 1})
    with alone(folder / "lock" / "grants.json.lock", StorageError(path="", detail="")):
        with pytest.raises(StorageError, match="another program"):
            await store.put("grants", "b", {})
        assert await store.list("grants") == {"a": {"n": 1}}  # reading waits for nobody


async def test_a_file_that_is_whole_again_is_not_set_aside(
    store: FileRecordStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process repaired it between the first look and the lock."""
    await store.put("grants", "a", {"n": 1})
    read, looks = record_module._read, []

    def damaged_once(path: Path) -> object:
        looks.append(path)
        if len(looks) == 1:
            raise ValueError
        return read(path)

    monkeypatch.setattr(record_module, "_read", damaged_once)
    assert await store.list("grants") == {"a": {"n": 1}}
    assert store.notices == []


async def test_many_at_once_lose_nothing(folder: Path) -> None:
    stores = [FileRecordStore(folder) for _ in range(3)]
    await asyncio.gather(
        *(stores[n % 3].put("grants", str(n), {"n": n}) for n in range(30)),
    )
    assert await stores[0].list("grants") == {str(n): {"n": n} for n in range(30)}


@pytest.mark.skipif(sys.platform == "win32", reason="needs a folder that refuses")
@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="no /proc on this system")
async def test_where_nothing_can_be_written_it_is_said() -> None:
    store = FileRecordStore(Path("/proc/self/fdinfo"))
    with pytest.raises(StorageError):
        await store.put("grants", "a", {})
    assert await store.list("grants") == {}
