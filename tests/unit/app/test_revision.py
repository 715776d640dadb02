"""A model is only newer where its bytes are others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.revision import ORIGINS, RevisionService, remember
from rony_desktop.contract.error import (
    HubGated,
    HubMissing,
    HubUnauthorised,
    HubUnreachable,
    HubWithheld,
    RonyError,
)
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.revision import Revision
from tests.fake.hub import FakeHub
from tests.fake.record import FakeRecordStore

FIRST = HubFile("who/what", "what-00001-of-00002.gguf", 3, "a" * 64, "one")
SECOND = HubFile("who/what", "what-00002-of-00002.gguf", 3, "b" * 64, "one")
HAD = Quant("Q4_K_M", (FIRST, SECOND))


class World:
    """A hub, what was downloaded from it, and the folder it is in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hub = FakeHub()
        self.records = FakeRecordStore()
        self.service = RevisionService(self.hub, self.records, folder)

    async def downloaded(self, quant: Quant) -> Path:
        for file in quant.files:
            path = self.folder / file.model / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x" * file.size_bytes)
        await remember(self.records, quant)
        return self.folder / quant.model / quant.files[0].name


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def moved(file: HubFile, sha256: str) -> HubFile:
    return replace(file, sha256=sha256, revision="two")


async def test_another_commit_with_the_same_bytes_is_nothing_new(world: World) -> None:
    await world.downloaded(HAD)
    world.hub.quants = (Quant("Q4_K_M", tuple(moved(f, f.sha256) for f in HAD.files)),)
    assert [found async for found in world.service.newer()] == []


async def test_what_changed_is_named(world: World) -> None:
    path = await world.downloaded(HAD)
    offered = Quant("Q4_K_M", (moved(FIRST, FIRST.sha256), moved(SECOND, "c" * 64)))
    world.hub.quants = (offered,)
    (found,) = [each async for each in world.service.newer()]
    assert (found.path, found.had, found.offered) == (path, HAD, offered)
    assert [file.name for file in found.changed] == [SECOND.name]


async def test_what_the_hub_has_no_more_is_left_alone(world: World) -> None:
    await world.downloaded(HAD)
    assert [found async for found in world.service.newer()] == []


async def test_what_was_removed_is_not_asked_for(world: World) -> None:
    path = await world.downloaded(HAD)
    assert list(await world.service.origins()) == [path]
    path.unlink()
    assert await world.service.origins() == {}


async def test_records_of_another_version_or_that_lead_away_are_passed_over(world: World) -> None:
    await world.records.put(ORIGINS, "odd", {"quant": {"name": 3}})
    await world.records.put(ORIGINS, "none", {})
    away = Quant("Q8_0", (replace(FIRST, name="../../out.gguf"),))
    await remember(world.records, away)
    assert await world.service.origins() == {}


@pytest.mark.parametrize(
    "error",
    [
        HubMissing(host="hub", path="/gone/away"),
        HubUnauthorised(host="hub"),
        HubGated(model="gone/away", page="hub"),
    ],
)
async def test_what_the_hub_withholds_keeps_nobody_from_the_others(
    world: World, error: RonyError
) -> None:
    gone = Quant("Q8_0", (HubFile("gone/away", "away.gguf", 3, "d" * 64, "one"),))
    await world.downloaded(gone)
    await world.downloaded(HAD)
    offered = Quant("Q4_K_M", (moved(FIRST, FIRST.sha256), moved(SECOND, "c" * 64)))
    world.hub.quants, world.hub.refused["gone/away"] = (offered,), error
    found, told = list[Revision](), list[tuple[int, int]]()
    with pytest.raises(HubWithheld, match="gone/away"):
        async for revision in world.service.newer(lambda *steps: told.append(steps)):
            found.append(revision)
    assert [each.offered for each in found] == [offered]
    assert told == [(0, 2), (1, 2)]


async def test_a_hub_that_does_not_answer_ends_it(world: World) -> None:
    await world.downloaded(HAD)
    world.hub.refused["who/what"] = HubUnreachable(host="hub", detail="x")
    with pytest.raises(HubUnreachable):
        assert [found async for found in world.service.newer()] == []
