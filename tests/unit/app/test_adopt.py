"""What is on this computer already is found, shared and remembered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rony_desktop.app.adopt import HASHES, AdoptService
from rony_desktop.app.model import Models
from rony_desktop.contract.adopt import Program
from rony_desktop.contract.config import Config
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.shelf import Surroundings
from tests.fake.record import FakeRecordStore
from tests.fixture import store


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    (tmp_path / "ours").mkdir()
    return tmp_path / "ours"


@pytest.fixture
def records() -> FakeRecordStore:
    return FakeRecordStore()


@pytest.fixture
def service(tmp_path: Path, ours: Path, records: FakeRecordStore) -> AdoptService:
    def around() -> Surroundings:
        return Surroundings(tmp_path / "home", {}, "linux")

    models = Models(Config(), [ours])
    return AdoptService(models, GgufMetadataReader(), records, ours, around)


def quiet(done: int, total: int) -> None:
    pass


async def test_what_was_adopted_is_ours_and_not_found_again(
    tmp_path: Path, ours: Path, service: AdoptService
) -> None:
    store.ollama(tmp_path / "home/.ollama/models", "m", "1b", store.model("a"))
    store.put(tmp_path / "home/.lmstudio/models/p/r/b.gguf", store.model("b"))
    before = store.contents(tmp_path / "home")
    found = await service.find()
    assert [model.program for model in found] == [Program.OLLAMA, Program.LM_STUDIO]
    model = await service.adopt(found[0])
    assert (model.id, model.path, model.size_bytes) == (
        "m-1b",
        ours / "m-1b.gguf",
        found[0].size_bytes,
    )
    assert await service.find() == found[1:]
    assert store.contents(tmp_path / "home") == before


async def test_our_copy_of_their_model_becomes_a_link_and_is_remembered(
    tmp_path: Path, ours: Path, service: AdoptService, records: FakeRecordStore
) -> None:
    blob = store.ollama(tmp_path / "home/.ollama/models", "m", "1b", store.model("a"))
    own = store.put(ours / "deep" / "a.gguf", store.model("a"))
    read: list[int] = []
    (found,) = await service.duplicates(lambda done, total: read.append(done))
    assert (found.kept, found.copies) == (blob, (own,))
    assert max(read) == 2 * own.stat().st_size
    assert len(records.kept[HASHES]) == 2
    read.clear()
    assert await service.duplicates(lambda done, total: read.append(done)) == (found,)
    assert read == []
    assert await service.merge(found) == found.saved_bytes == blob.stat().st_size
    assert own.samefile(blob)
    assert await service.duplicates(quiet) == ()


async def test_what_a_link_leads_to_is_not_ours(
    tmp_path: Path, ours: Path, service: AdoptService
) -> None:
    """A folder of another program that was linked into ours stays untouched."""
    foreign = tmp_path / "foreign"
    for name in ("1.gguf", "2.gguf"):
        store.put(foreign / name, store.model("a"))
    (ours / "linked").symlink_to(foreign)
    assert await service.duplicates(quiet) == ()


async def test_a_search_that_is_cancelled_keeps_what_it_learned(
    ours: Path, service: AdoptService, records: FakeRecordStore
) -> None:
    size = store.put(ours / "1.gguf", store.model("a")).stat().st_size
    store.put(ours / "2.gguf", store.model("b"))
    loop, task = asyncio.get_running_loop(), None

    def tell(done: int, total: int) -> None:
        if done == size and task:
            loop.call_soon_threadsafe(task.cancel)
            while not task.cancelling():
                pass

    task = asyncio.create_task(service.duplicates(tell))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(records.kept[HASHES]) == 1
