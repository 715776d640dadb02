"""Drives the page of the engine's builds: getting one, going over to it, and back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from rony_desktop.contract.build import Build
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.progress import Tell
from rony_desktop.ui.progress import on_loop
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.install import Overview


class Deed(StrEnum):
    """What is done with builds; SEARCH asks the site."""

    LOOK = "look"
    SEARCH = "search"
    INSTALL = "install"
    USE = "use"


class Builds(Protocol):
    """The builds of the engine; app/install.py says what each raises."""

    async def overview(self, *, online: bool = False) -> Overview: ...  # noqa: D102
    async def install(self, name: str, tell: Tell) -> Build: ...  # noqa: D102
    async def use(self, name: str) -> Build | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Work:
    """A deed on its way, and the build it is about; done and every are bytes."""

    deed: Deed
    name: str = ""
    done: int = 0
    every: int = 0
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class BuildState:
    """What is known of the builds, None before the first look.

    searched says that the site was asked; waiting that another build runs than is chosen now;
    failed is the deed that went wrong.
    """

    overview: Overview | None = None
    work: Work | None = None
    searched: bool = False
    waiting: bool = False
    failed: Work | None = None
    failure: Failure | None = None


class EngineView(Protocol):
    """What the presenter asks of the pane."""

    def show_builds(self, state: BuildState) -> None: ...  # noqa: D102


class EnginePresenter:
    """Does one thing at a time; an installation goes on while no view is there.

    pid is that of the engine that runs now, None for none; restart starts it again.
    """

    def __init__(
        self,
        builds: Builds,
        tasks: Tasks,
        pid: Callable[[], int | None],
        restart: Callable[[], object],
    ) -> None:
        self._builds = builds
        self._tasks = tasks
        self._pid = pid
        self._left: int | None = None  # the engine that runs and is not the chosen one
        self._restart = restart
        self._view: EngineView | None = None
        self._task: asyncio.Task[None] | None = None
        self._state = BuildState()

    def attach(self, view: EngineView) -> None:
        """Show what is known on a view, and look again."""
        self._view = view
        waiting = self._state.waiting and self._pid() == self._left
        self._show(replace(self._state, waiting=waiting))
        self.look()

    def detach(self) -> None:
        """Show nothing any more."""
        self._view = None

    def look(self) -> None:
        """Look at what is here; nobody is asked."""
        self._begin(Work(Deed.LOOK))

    def search(self) -> None:
        """Ask the site for newer builds."""
        self._begin(Work(Deed.SEARCH))

    def install(self, name: str) -> None:
        """Get a build."""
        self._begin(Work(Deed.INSTALL, name))

    def use(self, name: str) -> None:
        """Go over to a build; "previous" goes back, "auto" leaves it to the program."""
        self._begin(Work(Deed.USE, name))

    def retry(self) -> None:
        """Do again what failed."""
        if self._state.failed:
            self._begin(self._state.failed)

    def cancel(self) -> None:
        """End what is on its way; of a build that is not whole nothing stays."""
        work = self._state.work
        if work and self._task and not work.stopping:
            self._show(replace(self._state, work=replace(work, stopping=True)))
            self._task.cancel()

    def restart(self) -> None:
        """Start the engine again, with the build that is chosen."""
        self._show(replace(self._state, waiting=False))
        self._restart()

    def _begin(self, work: Work) -> None:
        if self._state.work is not None:
            return
        self._show(replace(self._state, work=work, failed=None, failure=None))
        self._task = self._tasks.spawn(self._caught(work), f"{work.deed} a build of the engine")
        self._task.add_done_callback(lambda _: self._show(replace(self._state, work=None)))

    async def _caught(self, work: Work) -> None:
        try:
            await self._deed(work)
        except RonyError as error:
            failure = error.failure()
            self._show(replace(self._state, failed=work, failure=failure))

    def _deed(self, work: Work) -> Coroutine[Any, Any, None]:
        match work.deed:
            case Deed.INSTALL:
                return self._install(work.name)
            case Deed.USE:
                return self._use(work.name)
            case _:
                return self._look(online=work.deed is Deed.SEARCH)

    async def _install(self, name: str) -> None:
        await self._builds.install(name, on_loop(self._told))
        await self._look()

    async def _use(self, name: str) -> None:
        before = self._chosen()
        await self._builds.use(name)
        await self._look()
        self._left = self._pid()
        changed = self._chosen() != before and self._left is not None
        self._show(replace(self._state, waiting=self._state.waiting or changed))

    async def _look(self, *, online: bool = False) -> None:
        overview = await self._builds.overview(online=online)
        searched = online or self._state.searched
        if not online and self._state.overview and self._state.searched:
            overview = _with_found(overview, self._state.overview)
        self._show(replace(self._state, overview=overview, searched=searched))

    def _chosen(self) -> str:
        return self._state.overview.chosen if self._state.overview else ""

    def _told(self, done: int, every: int) -> None:
        work = self._state.work
        if work is not None:
            self._show(replace(self._state, work=replace(work, done=done, every=every)))

    def _show(self, state: BuildState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_builds(state)


def _with_found(overview: Overview, before: Overview) -> Overview:
    """With what the site was found to have before."""
    there = {build.id for build in overview.installed} | {r.id for r in overview.available}
    more = tuple(release for release in before.available if release.id not in there)
    return replace(overview, available=(*overview.available, *more))
