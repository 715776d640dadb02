"""Drives the page of the models that are here: looks, offers, adds and deletes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rony_desktop.app.model import LOCAL
from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import DownloadChanged, EngineChanged, FeedEvent
from rony_desktop.contract.launch import Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.removal import Removal
from rony_desktop.contract.root import Root, RootState
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:
    from rony_desktop.app.feed import Feed


Work = Callable[[], Coroutine[Any, Any, None]]


class File(Protocol):
    """A model as a folder has it; its size is of all of its files."""

    @property
    def path(self) -> Path: ...  # noqa: D102
    @property
    def size_bytes(self) -> int: ...  # noqa: D102


class Folder(Protocol):
    """A folder, and the models in it."""

    @property
    def root(self) -> Root: ...  # noqa: D102
    @property
    def models(self) -> Sequence[File]: ...  # noqa: D102


class Folders(Protocol):
    """Every folder that is looked into. Blocking."""

    def scan(self) -> Sequence[Folder]: ...  # noqa: D102


class Offering(Protocol):
    """Tells how models fit, one after the other."""

    def offers(self, models: Sequence[ModelRef]) -> AsyncIterator[Offer]: ...  # noqa: D102


class Removing(Protocol):
    """Deletes models; looked() tells before what that would do."""

    async def looked(self, path: Path) -> Removal: ...  # noqa: D102
    async def remove(self, removal: Removal) -> None: ...  # noqa: D102


class Adding(Protocol):
    """Makes a file ours, or every model of a folder."""

    async def take(self, path: Path) -> tuple[ModelRef, ...]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class InstalledParts:
    """What InstalledPresenter works with.

    current is the model in use, use goes over to another by its path. named are the folders the
    user added: only they are missed where they are not there.
    """

    folders: Folders
    offering: Offering
    removing: Removing
    adding: Adding
    current: Callable[[], ModelRef | None]
    use: Callable[[str], None]
    named: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A folder and its models, in the order of their names."""

    root: Root
    models: tuple[ModelRef, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A model that shall be deleted, and what that would do."""

    model: ModelRef
    removal: Removal
    in_use: bool

    @property
    def allowed(self) -> bool:
        """Whether it can be deleted."""
        return self.removal.ours and not self.in_use


class InstalledView(Protocol):
    """What the presenter asks of the pane."""

    def show_looking(self) -> None: ...  # noqa: D102
    def show_groups(self, groups: Sequence[Group], chosen: Path | None) -> None:
        """Show all that is there; chosen is to be chosen, None: as it was."""
        ...

    def show_offer(self, offer: Offer) -> None: ...  # noqa: D102
    def show_current(self, path: Path | None) -> None: ...  # noqa: D102
    def show_asked(self, asked: Asked | None) -> None: ...  # noqa: D102
    def show_failure(self, failure: Failure | None) -> None: ...  # noqa: D102


class InstalledPresenter:
    """Shows the models while a view is attached; a deletion or a link on its way goes on without.

    Looks anew whenever it is attached.
    """

    def __init__(self, parts: InstalledParts, tasks: Tasks) -> None:
        self._parts = parts
        self._tasks = tasks
        self._view: InstalledView | None = None
        self._looking: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] | None = None
        self._asked: Asked | None = None
        self._models: dict[Path, ModelRef] = {}

    def attach(self, view: InstalledView, feed: Feed) -> None:
        """Show what is there on a view, and follow which model is used."""
        self._view = view
        self._leave = feed.listen(self._heard)
        view.show_current(self._current())
        view.show_looking()
        self.look()

    def detach(self) -> None:
        """Show nothing any more, and look at nothing."""
        self._view = None
        self._asked = None
        if self._leave:
            self._leave()
            self._leave = None
        if self._looking:
            self._looking.cancel()

    def look(self, chosen: Path | None = None) -> None:
        """Look into every folder again."""
        if self._looking:
            self._looking.cancel()
        if self._view:
            self._view.show_failure(None)
            self._looking = self._spawn(lambda: self._look(chosen), "look for models")

    def use(self, path: Path) -> None:
        """Go over to a model; what goes wrong is told by the main window."""
        self._parts.use(str(path))

    def add(self, path: Path) -> None:
        """Link a file of the user's among ours."""
        self._spawn(lambda: self._add(path), "add a model")

    def ask_remove(self, path: Path) -> None:
        """Say what deleting a model would do."""
        self._spawn(lambda: self._ask(path), "look what deleting frees")

    def keep(self) -> None:
        """Delete nothing."""
        self._ask_about(None)

    def remove(self) -> None:
        """Delete the model that was asked about."""
        asked = self._asked
        if asked and asked.allowed:
            self._ask_about(None)
            self._spawn(lambda: self._remove(asked), "delete a model")

    async def _look(self, chosen: Path | None) -> None:
        found = await asyncio.to_thread(self._parts.folders.scan)
        groups = tuple(_group(folder) for folder in found if self._is_shown(folder))
        models = [model for group in groups for model in group.models]
        self._models = {model.path: model for model in models if model.path}
        if self._view:
            self._view.show_groups(groups, chosen)
        async for offer in self._parts.offering.offers(models):
            if self._view:
                self._view.show_offer(offer)

    def _is_shown(self, folder: Folder) -> bool:
        """Whether a folder is worth a line: the program's own is not while nothing is in it."""
        root = folder.root
        idle = root.state in (RootState.READY, RootState.MISSING)
        return bool(folder.models) or root.folder in self._parts.named or not idle

    async def _add(self, path: Path) -> None:
        added = await self._parts.adding.take(path)
        self.look(added[0].path if added else None)

    async def _ask(self, path: Path) -> None:
        removal = await self._parts.removing.looked(path)
        model = self._models.get(path) or ModelRef(LOCAL, path.stem, path)
        self._ask_about(Asked(model, removal, path == self._current()))

    async def _remove(self, asked: Asked) -> None:
        # Another window or a load may have begun to use it while the question stood there.
        path = asked.model.path
        if path and path == self._current():
            await self._ask(path)
            return
        await self._parts.removing.remove(asked.removal)
        self.look()

    def _ask_about(self, asked: Asked | None) -> None:
        self._asked = asked
        if self._view:
            self._view.show_asked(asked)

    def _current(self) -> Path | None:
        model = self._parts.current()
        return model.path if model else None

    def _heard(self, event: FeedEvent) -> None:
        if isinstance(event, EngineChanged) and self._view:
            self._view.show_current(self._current())
        elif isinstance(event, DownloadChanged) and _is_done(event):
            self.look()

    def _spawn(self, work: Work, name: str) -> asyncio.Task[None]:
        return self._tasks.spawn(self._caught(work), name)

    async def _caught(self, work: Work) -> None:
        try:
            await work()
        except RonyError as error:
            if self._view is None:
                raise
            self._view.show_failure(error.failure())


def _is_done(event: DownloadChanged) -> bool:
    return event.download.state is DownloadState.DONE and not event.removed


def _group(folder: Folder) -> Group:
    models = (
        ModelRef(LOCAL, file.path.stem, file.path.absolute(), file.size_bytes)
        for file in folder.models
    )
    return Group(folder.root, tuple(sorted(models, key=lambda model: model.id.lower())))
