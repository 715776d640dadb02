"""The models that are here: looked for, offered, used, added, and deleted only when asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rony_desktop.app.feed import Feed
from rony_desktop.app.launch import LaunchService
from rony_desktop.app.model import Models
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import Failure, FolderUnwritable, ModelNotLinked, RonyError
from rony_desktop.contract.event import DownloadChanged, EngineChanged
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.removal import Removal
from rony_desktop.contract.root import Root, RootState
from rony_desktop.ui.installed.presenter import Asked, Group, InstalledParts, InstalledPresenter
from rony_desktop.ui.task import Tasks
from tests.fixture.download import download

DEADLINE_S = 5.0
OURS, THEIRS, AWAY = Path("/ours"), Path("/theirs"), Path("/away")
ONE, TWO = OURS / "one.gguf", THEIRS / "deep" / "two.gguf"


@dataclass(frozen=True)
class File:
    path: Path
    size_bytes: int = 7


@dataclass(frozen=True)
class Folder:
    root: Root
    models: tuple[File, ...] = ()


def ready(folder: Path, *files: Path) -> Folder:
    return Folder(Root(folder, RootState.READY, len(files), True), tuple(map(File, files)))


@dataclass
class World:
    """Every service and the view in one."""

    folders: list[Folder] = field(default_factory=lambda: [ready(OURS, ONE), ready(THEIRS, TWO)])
    removal: Removal = field(default_factory=lambda: Removal((ONE,), 7, ours=True, linked=False))
    model: ModelRef | None = None
    error: RonyError | None = None
    used: list[str] = field(default_factory=list)
    removed: list[Path] = field(default_factory=list)
    groups: list[tuple[Sequence[Group], Path | None]] = field(default_factory=list)
    offered: list[Path | None] = field(default_factory=list)
    current: list[Path | None] = field(default_factory=list)
    asked: list[Asked | None] = field(default_factory=list)
    failures: list[Failure | None] = field(default_factory=list)
    lost: list[Failure] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.feed, self.tasks = Feed(), Tasks(self.lost.append)
        parts = InstalledParts(
            folders=self,
            offering=self,
            removing=self,
            adding=self,
            current=lambda: self.model,
            use=self.used.append,
            named=(AWAY, THEIRS),
        )
        self.presenter = InstalledPresenter(parts, self.tasks)

    def scan(self) -> Sequence[Folder]:
        return self.folders

    async def offers(self, models: Sequence[ModelRef]) -> AsyncIterator[Offer]:
        for model in models:
            yield Offer(model, Fit.FITS)

    async def looked(self, path: Path) -> Removal:
        self.fail()
        return self.removal

    async def remove(self, removal: Removal) -> None:
        self.fail()
        self.removed.extend(removal.files)

    async def take(self, path: Path) -> tuple[ModelRef, ...]:
        self.fail()
        self.folders[0] = ready(OURS, ONE, OURS / path.name)
        return (ModelRef("llamacpp", path.stem, OURS / path.name),)

    def fail(self) -> None:
        if self.error:
            raise self.error

    def show_looking(self) -> None:
        self.groups.clear()

    def show_groups(self, groups: Sequence[Group], chosen: Path | None) -> None:
        self.groups.append((groups, chosen))

    def show_offer(self, offer: Offer) -> None:
        self.offered.append(offer.model.path)

    def show_current(self, path: Path | None) -> None:
        self.current.append(path)

    def show_asked(self, asked: Asked | None) -> None:
        self.asked.append(asked)

    def show_failure(self, failure: Failure | None) -> None:
        self.failures.append(failure)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.001)

    async def open(self) -> None:
        self.presenter.attach(self, self.feed)
        await self.until(lambda: len(self.offered) >= sum(len(f.models) for f in self.folders))

    async def ask(self, path: Path = ONE) -> Asked:
        self.presenter.ask_remove(path)
        await self.until(lambda: self.asked and self.asked[-1])
        asked = self.asked[-1]
        assert asked
        return asked


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    yield world
    await world.tasks.close()


def test_the_programs_services_are_what_it_works_with(
    models: Models | None = None, launches: LaunchService | None = None
) -> None:
    if models and launches:  # read by mypy
        world = World()
        InstalledParts(models, launches, world, world, lambda: None, world.used.append)


async def test_every_model_is_shown_by_its_folder_then_how_it_fits(world: World) -> None:
    await world.open()
    ((groups, chosen),) = world.groups
    assert [(g.root.folder, [m.path for m in g.models]) for g in groups] == [
        (OURS, [ONE]),
        (THEIRS, [TWO]),
    ]
    assert (chosen, world.offered, world.current) == (None, [ONE, TWO], [None])
    assert groups[0].models[0].size_bytes == 7


async def test_a_folder_is_missed_only_where_the_user_named_it(world: World) -> None:
    gone = RootState.MISSING
    world.folders = [
        Folder(Root(Path("/start"), gone)),
        ready(OURS),
        ready(THEIRS),
        Folder(Root(AWAY, gone)),
        Folder(Root(Path("/silent"), RootState.SILENT)),
    ]
    world.presenter.attach(world, world.feed)
    await world.until(lambda: world.groups)
    assert [g.root.folder for g in world.groups[0][0]] == [THEIRS, AWAY, Path("/silent")]


async def test_it_follows_which_model_is_used_while_it_is_shown(world: World) -> None:
    await world.open()
    world.presenter.use(ONE)
    assert world.used == [str(ONE)]
    world.model = ModelRef("llamacpp", "one", ONE)
    world.feed.publish(EngineChanged(EngineStatus(EngineState.READY)))
    assert world.current == [None, ONE]
    world.presenter.detach()
    world.feed.publish(EngineChanged(EngineStatus(EngineState.READY)))
    assert world.current == [None, ONE]


async def test_a_deletion_is_asked_about_and_done_once(world: World) -> None:
    await world.open()
    assert await world.ask() == Asked(ModelRef("llamacpp", "one", ONE, 7), world.removal, False)
    world.presenter.keep()
    world.presenter.remove()
    assert (world.asked[-1], world.removed) == (None, [])
    await world.ask()
    world.presenter.remove()
    world.presenter.remove()
    await world.until(lambda: len(world.groups) == 2)
    assert world.removed == [ONE]


@pytest.mark.parametrize("case", ["in use", "not ours"])
async def test_what_cannot_be_deleted_is_not(world: World, case: str) -> None:
    await world.open()
    if case == "in use":
        world.model = ModelRef("llamacpp", "one", ONE)
    else:
        world.removal = Removal((ONE,), 0, ours=False, linked=False)
    asked = await world.ask()
    assert (asked.in_use, asked.allowed) == (case == "in use", False)
    world.presenter.remove()
    await asyncio.gather(*world.tasks._running)
    assert world.removed == []


async def test_a_model_that_came_into_use_meanwhile_stays(world: World) -> None:
    await world.open()
    await world.ask()
    world.model = ModelRef("llamacpp", "one", ONE)
    world.presenter.remove()
    await world.until(lambda: world.asked[-1] and world.asked[-1].in_use)
    assert world.removed == []


async def test_an_added_file_is_chosen(world: World) -> None:
    await world.open()
    world.presenter.add(Path("/down/three.gguf"))
    await world.until(lambda: len(world.groups) == 2)
    groups, chosen = world.groups[-1]
    assert chosen == OURS / "three.gguf"
    assert chosen in [m.path for m in groups[0].models]


async def test_what_goes_wrong_is_said_on_the_page(world: World) -> None:
    await world.open()
    world.error = ModelNotLinked(path="x", detail="no links")
    world.presenter.add(Path("/down/three.gguf"))
    await world.until(lambda: world.failures[-1])
    assert world.failures[-1] == world.error.failure()
    world.presenter.look()
    assert world.failures[-1] is None


async def test_what_goes_wrong_without_a_page_is_said_by_the_window(world: World) -> None:
    await world.open()
    await world.ask()
    world.error = FolderUnwritable(folder="/ours", detail="read only")
    world.presenter.remove()
    world.presenter.detach()
    await world.until(lambda: world.lost)
    assert world.lost == [world.error.failure()]


async def test_closed_while_it_looks_nothing_is_left(world: World) -> None:
    world.presenter.attach(world, world.feed)
    world.presenter.detach()
    await world.until(lambda: not world.tasks._running)
    world.presenter.look()
    assert (world.groups, world.tasks._running) == ([], set())


async def test_a_download_that_is_done_is_looked_for_while_it_is_shown(world: World) -> None:
    await world.open()
    for state in (DownloadState.RUNNING, DownloadState.DONE):
        world.feed.publish(DownloadChanged(download("new", state)))
    await world.until(lambda: len(world.groups) == 2)
    world.feed.publish(DownloadChanged(download("new", DownloadState.DONE), removed=True))
    world.presenter.detach()
    world.feed.publish(DownloadChanged(download("new", DownloadState.DONE)))
    await world.until(lambda: not world.tasks._running)
    assert len(world.groups) == 2
