"""What every RecordStore does; run against the one on disk and the one in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rony_desktop.contract.port import RecordStore
from rony_desktop.store.record import FileRecordStore
from tests.fake.record import FakeRecordStore


@pytest.fixture(params=["file", "fake"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RecordStore:
    return FakeRecordStore() if request.param == "fake" else FileRecordStore(tmp_path / "records")


async def test_a_record_comes_back_until_it_is_deleted(store: RecordStore) -> None:
    assert await store.get("grants", "a") is None
    assert await store.list("grants") == {}
    await store.put("grants", "a", {"tool": "write_file", "days": 30})
    assert await store.get("grants", "a") == {"tool": "write_file", "days": 30}
    await store.put("grants", "a", {"tool": "edit_file"})
    await store.put("grants", "b", {})
    assert await store.list("grants") == {"a": {"tool": "edit_file"}, "b": {}}
    await store.delete("grants", "a")
    await store.delete("grants", "a")
    assert await store.list("grants") == {"b": {}}


async def test_kinds_are_apart(store: RecordStore) -> None:
    await store.put("grants", "a", {"n": 1})
    await store.put("speeds", "a", {"n": 2})
    await store.delete("grants", "a")
    assert await store.get("speeds", "a") == {"n": 2}


async def test_a_key_is_any_text(store: RecordStore) -> None:
    for key in ("/a/folder", "../x", "owner/model", "é 😀", ""):
        await store.put("folders", key, {"key": key})
    found = await store.list("folders")
    assert {key: record["key"] for key, record in found.items()} == {key: key for key in found}
    assert len(found) == 5


async def test_what_is_kept_is_nobody_elses_to_change(store: RecordStore) -> None:
    record = {"n": 1}
    await store.put("grants", "a", record)
    record["n"] = 2
    (await store.list("grants")).clear()
    assert await store.get("grants", "a") == {"n": 1}


async def test_many_at_once_lose_nothing(store: RecordStore) -> None:
    await asyncio.gather(*(store.put("grants", str(n), {"n": n}) for n in range(20)))
    assert len(await store.list("grants")) == 20
