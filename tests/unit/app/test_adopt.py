"""What is on this computer already is found, shared and remembered."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from rony_desktop.app.adopt import HASHES, AdoptService
from rony_desktop.app.model import Models
from rony_desktop.contract.adopt import Program
from rony_desktop.contract.config import Config
from rony_desktop.contract.error import ModelForeign, ModelMissing
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.shelf import Surroundings
from rony_desktop.model.split import part_name
from tests.fake.record import FakeRecordStore
from tests.fixture import store
from tests.fixture.gguf import LLAMA, Typed, gguf


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


async def test_a_file_the_user_names_becomes_ours_by_a_link(
    tmp_path: Path, ours: Path, service: AdoptService
) -> None:
    there = store.put(tmp_path / "Мои файлы" / "модель.gguf", store.model("a"))
    (taken,) = await service.take(there)
    assert taken.path == ours / "модель.gguf"
    assert taken.path.samefile(there)
    assert await service.take(there) == (taken,)


async def test_every_model_of_a_folder_and_all_its_parts(
    tmp_path: Path, ours: Path, service: AdoptService
) -> None:
    folder = tmp_path / "set"
    for number in (1, 2):
        values = {**LLAMA} if number == 1 else {}
        values |= {"split.count": Typed(2, 2), "split.no": Typed(2, number - 1)}
        store.put(folder / part_name("big.gguf", number, 2), gguf(values))
    store.put(folder / "deep" / "one.gguf", store.model("one"))
    taken = await service.take(folder)
    assert {model.id for model in taken} == {"big-00001-of-00002", "one"}
    assert sorted(path.name for path in ours.iterdir()) == [
        *(part_name("big.gguf", number, 2) for number in (1, 2)),
        "one.gguf",
    ]


async def test_what_is_ours_already_is_not_linked_again(ours: Path, service: AdoptService) -> None:
    own = store.put(ours / "maker" / "a.gguf", store.model("a"))
    (taken,) = await service.take(own)
    assert taken.path == own
    assert [path.name for path in ours.iterdir()] == ["maker"]


async def test_what_cannot_be_taken_is_said(
    tmp_path: Path, ours: Path, service: AdoptService
) -> None:
    page = store.put(tmp_path / "page.gguf", b"<html>")
    (tmp_path / "empty").mkdir()
    for path, kind in ((page, ModelForeign), (tmp_path / "empty", ModelMissing)):
        with pytest.raises(kind):
            await service.take(path)
    with pytest.raises(ModelMissing):
        await service.take(tmp_path / "none.gguf")
    assert list(ours.iterdir()) == []
