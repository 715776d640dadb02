"""Builds are got from a server, tried, used and given up again; the engine in use stays usable."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rony_desktop.app.engine import Engines
from rony_desktop.app.install import InstallService
from rony_desktop.app.supply import Pins, Supply
from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.build import Host, Source
from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.error import (
    BuildUnknown,
    HubSilent,
    HubUnreachable,
    InstallBusy,
    InstallChecksum,
    InstallError,
    InstallFailed,
    InstallUnsafe,
    RonyError,
)
from rony_desktop.engine.published import Site
from rony_desktop.store.lock import held
from rony_desktop.store.place import Place
from tests.fake.record import FakeRecordStore
from tests.fixture.archive import scripted, tar
from tests.fixture.release_server import ReleaseServer, release_server

LINUX = Host("Linux", "x86_64", ("glibc", "2.39"), frozenset({"amd"}))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Releases: one that works, a newer one that does not, an old one, an evil one."""
    folder = tmp_path / "site"
    scripted(folder, 9860)
    scripted(folder, 9860, "vulkan")
    scripted(folder, 9900, behaviour="illegal")
    scripted(folder, 8000)
    evil = folder / "b9950" / "llama-b9950-bin-ubuntu-x64.tar.gz"
    tar(evil, {"llama-server": b"", "../../../escaped": b"evil"})
    return folder


@pytest.fixture
def server(site: Path) -> Iterator[ReleaseServer]:
    with release_server(site) as running:
        yield running


@dataclass
class Stage:
    """A service and what it works on."""

    service: InstallService
    engines: Engines
    place: Place
    server: ReleaseServer

    def left(self) -> list[str]:
        """What lies in the folder of engines, the lock aside."""
        folder = self.place.engines_dir
        return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


def pins(site: Path) -> Pins:
    """The hashes of one build, as the program would bring them along."""
    archives = (site / "b9860").iterdir()
    return {9860: {f.name: hashlib.sha256(f.read_bytes()).hexdigest() for f in sorted(archives)}}


@pytest.fixture
def stage(site: Path, server: ReleaseServer) -> Stage:
    place = Place.of()
    place.prepare()
    engines = Engines(LlamaConfig(), place, FakeRecordStore())
    web = HttpWeb(silence_s=0.5)
    supply = Supply(Site.of(server.url), web, lambda: LINUX, lambda: pins(site))
    return Stage(InstallService(engines, place, supply), engines, place, server)


def quiet(done: int, total: int) -> None:
    pass


async def test_install_use_and_back(stage: Stage) -> None:
    service, engines = stage.service, stage.engines
    first = await service.install("", quiet)
    assert (first.id, first.pinned) == ("b9860-vulkan", True)
    assert stage.server.asked()[0].startswith("/releases/download/b9860/")
    second = await service.install("b9860-cpu", quiet)
    overview = await service.overview()
    assert [build.id for build in overview.installed] == ["b9860-cpu", "b9860-vulkan"]
    assert overview.in_use is not None
    assert overview.in_use.source is not Source.INSTALLED, "installing changes nothing yet"
    assert (overview.available, overview.chosen) == ((), "")

    assert await service.use("b9860-vulkan") == first
    assert (await engines.find()).file == first.program
    assert await service.use("b9860-cpu") == second
    overview = await service.overview()
    assert overview.in_use is not None
    assert (overview.in_use.label, overview.in_use.outdated) == ("llama.cpp b9860 (cpu)", False)
    assert (overview.chosen, overview.previous) == ("b9860-cpu", "b9860-vulkan")
    assert await service.use("previous") == first
    assert (await engines.find()).file == first.program
    assert await service.use("auto") is None
    assert (await engines.find()).file not in (first.program, second.program)
    assert stage.left() == ["b9860-cpu", "b9860-vulkan"]


async def test_a_build_that_fails_its_trial_replaces_nothing(stage: Stage) -> None:
    good = await stage.service.install("b9860-cpu", quiet)
    await stage.service.use(good.id)
    with pytest.raises(InstallFailed, match=r"b9900-cpu does not run .* processor"):
        await stage.service.install("b9900", quiet)
    assert stage.left() == ["b9860-cpu"]
    assert (await stage.engines.find()).file == good.program


async def test_a_build_that_stops_working_gives_way_to_the_last_good_one(stage: Stage) -> None:
    good = await stage.service.install("b9860-cpu", quiet)
    newer = await stage.service.install("b9860-vulkan", quiet)
    for build in (good, newer):
        await stage.service.use(build.id)
    newer.program.write_text("#!/bin/sh\nkill -ILL $$\n")
    assert (await stage.engines.find()).file == good.program
    with pytest.raises(InstallFailed):
        await stage.service.use(newer.id)
    assert await stage.engines.choice() == (newer.id, good.id)
    shutil.rmtree(newer.program.parents[2])
    assert (await stage.engines.find()).file == good.program


async def test_what_is_not_pinned_comes_with_the_hash_of_its_site(stage: Stage) -> None:
    old = await stage.service.install("b8000", quiet)
    assert (old.id, old.pinned) == ("b8000-cpu", False)
    await stage.service.use("8000")
    overview = await stage.service.overview()
    assert overview.in_use is not None
    assert overview.in_use.outdated, "it is below the floor"


async def test_the_site_is_asked_only_when_wanted(stage: Stage) -> None:
    offline = await stage.service.overview()
    assert [release.id for release in offline.available] == ["b9860-vulkan", "b9860-cpu"]
    assert stage.server.asked() == []
    online = await stage.service.overview(online=True)
    ids = [release.id for release in online.available]
    assert ids[:2] == ["b9860-vulkan", "b9860-cpu"]
    assert {"b9950-cpu", "b9900-cpu", "b8000-cpu"} <= set(ids)
    assert next(each for each in online.available if each.id == "b9860-cpu").pinned
    assert stage.server.asked() == ["/releases"]


@pytest.mark.parametrize(
    ("faults", "error"),
    [
        (["", "flip"], InstallChecksum),
        (["", "long"], InstallChecksum),
        (["", "html"], InstallChecksum),
        (["", "cut"], HubUnreachable),
        (["", "stall"], HubSilent),
        (["page"], InstallError),
        (["", "page"], InstallError),
        (["404"], InstallError),
        (["500"], InstallError),
        (["round"] * 9, InstallError),
    ],
)
async def test_faults_on_the_way(stage: Stage, faults: list[str], error: type[RonyError]) -> None:
    stage.server.faults(*faults)
    with pytest.raises(error):
        await stage.service.install("b9860-cpu", quiet)
    assert stage.left() == []
    if "round" not in faults:
        assert (await stage.service.install("b9860-cpu", quiet)).id == "b9860-cpu"


async def test_an_archive_that_leads_away(stage: Stage, tmp_path: Path) -> None:
    with pytest.raises(InstallUnsafe):
        await stage.service.install("b9950", quiet)
    assert stage.left() == []
    assert not [*tmp_path.rglob("escaped"), *Path.home().rglob("escaped")]


@pytest.mark.parametrize("name", ["b9860-cuda", "rubbish", "b9860-", "../b9860-cpu"])
async def test_a_name_that_is_none(stage: Stage, name: str) -> None:
    with pytest.raises(BuildUnknown, match="b9860-vulkan, b9860-cpu"):
        await stage.service.install(name, quiet)
    assert stage.server.asked() == []
    with pytest.raises(BuildUnknown, match="Known builds: none"):
        await stage.service.use(name)
    with pytest.raises(BuildUnknown):
        await stage.service.use("previous")


async def test_a_number_the_site_does_not_have(stage: Stage) -> None:
    with pytest.raises(InstallError, match="nothing at /releases/tags/b9999"):
        await stage.service.install("b9999-cpu", quiet)


async def test_a_computer_nothing_is_published_for(stage: Stage, site: Path) -> None:
    supply = Supply(Site.of(stage.server.url), HttpWeb(), lambda: Host("Linux", "riscv64"), dict)
    service = InstallService(stage.engines, stage.place, supply)
    with pytest.raises(BuildUnknown, match=r"no engine build at all for this computer"):
        await service.install("", quiet)
    assert (await service.overview(online=True)).available == ()


async def test_installed_twice_is_fetched_once(stage: Stage) -> None:
    first = await stage.service.install("b9860-cpu", quiet)
    asked = stage.server.asked()
    assert await stage.service.install("b9860-cpu", quiet) == first
    assert stage.server.asked() == asked


async def test_two_windows_install_one_after_the_other(stage: Stage) -> None:
    release = held(stage.place.engines_dir / ".lock", InstallBusy())
    with pytest.raises(InstallBusy):
        await stage.service.install("b9860-cpu", quiet)
    release()
    await stage.service.install("b9860-cpu", quiet)


async def test_what_a_kill_left_goes_with_the_next(stage: Stage) -> None:
    left = stage.place.engines_dir / ".staging-b1-cpu-0000" / "part"
    left.mkdir(parents=True)
    await stage.service.install("b9860-cpu", quiet)
    assert stage.left() == ["b9860-cpu"]


async def test_cancelling_leaves_nothing(stage: Stage) -> None:
    stage.server.faults("", "stall")
    loop, begun = asyncio.get_running_loop(), asyncio.Event()
    task = asyncio.create_task(
        stage.service.install("b9860-cpu", lambda *_: loop.call_soon_threadsafe(begun.set))
    )
    await asyncio.wait_for(begun.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stage.left() == []
    assert (await stage.service.install("b9860-cpu", quiet)).id == "b9860-cpu"


async def test_where_no_engine_works_the_reason_is_told(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = Engines(LlamaConfig(engine="b1-cpu"), stage.place, FakeRecordStore())
    supply = Supply(Site.of(stage.server.url), HttpWeb(), lambda: LINUX, dict)
    overview = await InstallService(engines, stage.place, supply).overview()
    assert overview.in_use is None
    assert overview.failure is not None
    assert overview.failure.code == "engine.build_unknown"
    assert overview.fixed == "llama.engine"
