"""What is deleted, what it frees, and what is never touched."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rony_desktop.app.download import DownloadService, Rules
from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.app.remove import RemoveService
from rony_desktop.contract.config import Config, LlamaConfig
from rony_desktop.contract.error import DownloadBusy, ModelKept, ModelMissing, ModelUnknown
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.part import Page, page_of, part_of, place, write_page
from rony_desktop.model.split import part_name
from tests.fake.hub import FakeHub
from tests.fake.record import FakeRecordStore
from tests.fixture.store import model, put

QUANT = Quant("Q8_0", (HubFile("maker/new", "new-Q8_0.gguf", 1000, "0" * 64),))


@dataclass
class Bench:
    """Removal in a folder of ours, beside one of the user's."""

    folder: Path
    theirs: Path
    used: str = ""
    records: FakeRecordStore = field(default_factory=FakeRecordStore)

    def __post_init__(self) -> None:
        self.theirs.mkdir()
        rules = Rules(
            folder=self.folder,
            locks_dir=self.folder.with_name("lock"),
            parallel=2,
            reserve_bytes=0,
        )
        config = Config(llama=LlamaConfig(models_dirs=(self.theirs,)))
        models = Models(config, [self.folder])
        self.downloads = DownloadService(FakeHub(), self.records, Feed(), rules)
        self.service = RemoveService(models, self.downloads, self.folder, self._used)

    async def _used(self) -> str:
        return self.used

    async def begun(self) -> Path:
        """A download of which 100 bytes came; returns where its model would be."""
        target = place(self.folder, QUANT.files[0])
        put(part_of(target), bytes(100))
        write_page(page_of(target), Page(QUANT))
        await self.downloads.restore(go_on=False)
        return target


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "ours", tmp_path / "theirs")


async def test_a_model_goes_with_its_empty_folders(bench: Bench) -> None:
    own = put(bench.folder / "maker" / "a-GGUF" / "a.gguf", model("a"))
    other = put(bench.folder / "maker" / "b.gguf", model("b"))
    removal = await bench.service.plan("a")
    assert removal.files == (own,)
    assert removal.freed_bytes == own.stat().st_size
    assert not removal.linked
    await bench.service.remove(removal)
    assert not own.parent.exists()
    assert other.exists()


async def test_all_parts_go_and_what_is_left_of_its_download(bench: Bench) -> None:
    names = [part_name("big.gguf", number, 3) for number in (1, 2, 3)]
    files = [put(bench.folder / name, model(name)) for name in names]
    part = put(part_of(files[1]), b"12")
    page = put(page_of(files[0]), b"{}")
    removal = await bench.service.plan(files[0].stem)
    assert removal.files == (*files, part, page)
    assert removal.freed_bytes == sum(path.stat().st_size for path in removal.files)
    await bench.service.remove(removal)
    assert list(bench.folder.iterdir()) == []


@pytest.mark.parametrize("how", [os.link, os.symlink])
async def test_a_linked_model_loses_its_link_alone(bench: Bench, how: object) -> None:
    there = put(bench.theirs / "x.gguf", model("x"))
    link = bench.folder / "linked.gguf"
    bench.folder.mkdir()
    assert callable(how)
    how(there, link)
    removal = await bench.service.plan("linked")
    assert (removal.files, removal.freed_bytes, removal.linked) == ((link,), 0, True)
    await bench.service.remove(removal)
    assert not link.is_symlink()
    assert there.read_bytes() == model("x")


async def test_folders_of_the_user_and_what_links_lead_to_are_only_read(bench: Bench) -> None:
    put(bench.theirs / "x.gguf", model("x"))
    bench.folder.mkdir()
    (bench.folder / "shelf").symlink_to(bench.theirs)
    before = sorted(bench.theirs.rglob("*"))
    names = ("x", str(bench.theirs / "x.gguf"), str(bench.folder / "shelf" / "x.gguf"))
    for name in (*names, "scripted:rules.json"):
        with pytest.raises(ModelKept):
            await bench.service.plan(name)
    assert sorted(bench.theirs.rglob("*")) == before


async def test_the_model_in_use_stays(bench: Bench) -> None:
    own = put(bench.folder / "a.gguf", model("a"))
    bench.used = "a"
    removal = await bench.service.plan("a.gguf")
    with pytest.raises(ModelKept, match="in use"):
        await bench.service.remove(removal)
    assert own.exists()


@pytest.mark.parametrize("name", ["new-Q8_0", "new-Q8_0.gguf", "maker/new", "maker/new:Q8_0"])
async def test_what_came_of_a_download_goes_by_its_name(bench: Bench, name: str) -> None:
    target = await bench.begun()
    removal = await bench.service.plan(name)
    assert removal.unfinished
    assert removal.files == (part_of(target), page_of(target))
    assert removal.freed_bytes > 100
    await bench.service.remove(removal)
    assert list(bench.folder.iterdir()) == []
    assert bench.downloads.list() == ()


async def test_a_download_of_another_program_stays(bench: Bench) -> None:
    target = await bench.begun()
    removal = await bench.service.plan("maker/new")
    job = bench.downloads._lock(target)
    try:
        with pytest.raises(DownloadBusy):
            await bench.service.remove(removal)
    finally:
        job()
    assert part_of(target).exists()


@pytest.mark.parametrize(("name", "kind"), [("none", ModelUnknown), ("a/b.gguf", ModelMissing)])
async def test_what_is_not_there_is_said(bench: Bench, name: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        await bench.service.plan(name)


async def test_a_file_that_cannot_be_deleted_is_named(bench: Bench) -> None:
    own = put(bench.folder / "a.gguf", model("a"))
    removal = await bench.service.plan("a")
    own.unlink()
    own.mkdir()
    with pytest.raises(ModelKept, match=r"a\.gguf"):
        await bench.service.remove(removal)
