"""The build the user chose stands before every other engine, and the one before it behind it."""

from __future__ import annotations

import sys

import pytest

from rony_desktop.app.engine import Engines
from rony_desktop.contract.build import Build, Source, Variant
from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.error import BuildUnknown
from rony_desktop.engine.build import write_page
from rony_desktop.store.place import Place
from tests.fake.record import FakeRecordStore
from tests.fixture.archive import program


def put(place: Place, number: int, behaviour: str = "serve") -> Build:
    home = place.engines_dir / f"b{number}-cpu"
    home.mkdir(parents=True)
    file = home / "llama-server"
    file.write_bytes(program(behaviour))
    file.chmod(0o755)
    build = Build(number, Variant.CPU, file, pinned=True)
    write_page(home, build, "llama-server")
    return build


@pytest.fixture
def place() -> Place:
    place = Place.of()
    place.prepare()
    return place


@pytest.fixture
def records() -> FakeRecordStore:
    return FakeRecordStore()


def engines(place: Place, records: FakeRecordStore, **values: object) -> Engines:
    return Engines(LlamaConfig.model_validate(values), place, records)


async def test_nothing_is_chosen_at_first(place: Place, records: FakeRecordStore) -> None:
    put(place, 1)
    found = engines(place, records)
    assert await found.chosen() == []
    assert (await found.find()).source is not Source.INSTALLED
    assert found.fixed == ""


async def test_the_choice_and_the_one_before_it(place: Place, records: FakeRecordStore) -> None:
    builds = [put(place, number) for number in (1, 2, 3)]
    found = engines(place, records)
    for build in builds:
        await found.choose(build.id)
    assert [each.build for each in await found.chosen()] == ["b3", "b2"]
    await found.choose("b3-cpu")
    assert await found.choice() == ("b3-cpu", "b2-cpu")
    best = await found.find()
    assert (best.source, best.file) == (Source.INSTALLED, builds[2].program)
    await found.choose("")
    assert await found.choice() == ("", "b3-cpu")


async def test_a_build_that_does_not_work_any_more_gives_way(
    place: Place, records: FakeRecordStore
) -> None:
    put(place, 1)
    put(place, 2, "illegal")
    found = engines(place, records)
    for id in ("b1-cpu", "b2-cpu"):
        await found.choose(id)
    assert (await found.find()).build == "b1"


async def test_a_build_that_was_deleted_is_no_candidate(
    place: Place, records: FakeRecordStore
) -> None:
    found = engines(place, records)
    await found.choose("b7-cpu")
    assert await found.chosen() == []
    records.kept["engine"]["choice"] = {"build": 5}
    assert await found.chosen() == []


async def test_the_settings_outrank_the_choice(place: Place, records: FakeRecordStore) -> None:
    for number in (1, 2):
        put(place, number)
    found = engines(place, records, engine="b1-cpu")
    await found.choose("b2-cpu")
    assert [each.build for each in await found.chosen()] == ["b1"]
    assert found.fixed == "llama.engine"
    with pytest.raises(BuildUnknown, match=r"no engine build b9-cpu.*Known builds: b2-cpu, b1-cpu"):
        await engines(place, records, engine="b9-cpu").find()
    named = engines(place, records, engine="b9-cpu", binary_path=sys.executable)
    assert await named.chosen() == []
    assert named.fixed == "llama.binary_path"
