"""Builds of the engine: which there are for this computer, getting one, and going over to it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from rony_desktop.app.engine import Engines
from rony_desktop.app.errand import errand
from rony_desktop.app.supply import Supply
from rony_desktop.contract.build import Build, Release, Source
from rony_desktop.contract.error import (
    BuildUnknown,
    EngineError,
    Failure,
    InstallBusy,
    InstallFailed,
    ModelFileError,
    fill,
)
from rony_desktop.contract.progress import Tell
from rony_desktop.engine.build import candidate
from rony_desktop.engine.install import commit, discard, stage, sweep
from rony_desktop.engine.probe import probe
from rony_desktop.engine.record import reap
from rony_desktop.engine.release import is_below_floor
from rony_desktop.store.lock import held
from rony_desktop.store.place import Place

PREVIOUS, AUTOMATIC = "previous", "auto"
_NAME = re.compile(r"b?(\d{1,9})(?:-[a-z]+)?")
T = TypeVar("T", Build, Release)


@dataclass(frozen=True, slots=True)
class InUse:
    """The engine that is used: what it is, where it comes from, whether it has known holes."""

    label: str
    build: str
    source: Source
    outdated: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """Builds of the engine here; in_use is None where none works, which failure explains.

    chosen is the build the user chose, "" for none, previous the installed one before it; fixed
    names the setting that outranks both.
    """

    installed: tuple[Build, ...]
    available: tuple[Release, ...]
    chosen: str
    fixed: str
    in_use: InUse | None = None
    failure: Failure | None = None
    previous: str = ""


class InstallService:
    """Installs builds into the program's folder, side by side, and chooses between them."""

    def __init__(self, engines: Engines, place: Place, supply: Supply) -> None:
        self._engines = engines
        self._place = place
        self._folder = place.engines_dir
        self._supply = supply

    @property
    def fixed(self) -> str:
        """The setting that outranks what is chosen; "" where none does."""
        return self._engines.fixed

    async def overview(self, *, online: bool = False) -> Overview:
        """What is installed, what could be, and what is used; online asks the site for more.

        Raises:
            HubError, InstallError: the site does not answer.
        """
        offered = await asyncio.to_thread(self._supply.pinned)
        if online:
            offered += await errand(self._supply.newest)
        builds = await self._engines.installed()
        there = {build.id for build in builds}
        available: dict[str, Release] = {}
        for release in offered:
            if release.id not in there:
                available.setdefault(release.id, release)
        chosen, previous = await self._engines.choice()
        overview = Overview(
            installed=builds,
            available=tuple(available.values()),
            chosen=chosen,
            fixed=self._engines.fixed,
            previous=previous if previous in there else "",
        )
        try:
            engine = await self._engines.find()
        except EngineError as error:
            return replace(overview, failure=error.failure())
        outdated = is_below_floor(engine.build)
        return replace(overview, in_use=InUse(engine.label, engine.build, engine.source, outdated))

    async def install(self, name: str, tell: Tell) -> Build:
        """Get a build, "" for the best that comes with a hash of ours, and try it; tell gets bytes.

        It stands beside the others and is not used before use(). Cancel the task to stop; nothing
        is left then.

        Raises:
            BuildUnknown: there is no such build for this computer.
            InstallError: it cannot be had or written, or fails its trial.
            HubError: the site cannot be reached.
        """
        release = await self._release(name)
        busy = InstallBusy(name=release.id)
        unlock = await asyncio.to_thread(held, self._folder / ".lock", busy)
        try:
            for build in await self._engines.installed():
                if build.id == release.id:
                    return build
            await asyncio.to_thread(sweep, self._folder)
            build = await errand(
                lambda halt: stage(release, self._folder, self._supply.web, halt, tell)
            )
            try:
                await self._try(build)
                return await asyncio.to_thread(commit, build, self._folder)
            finally:
                await asyncio.to_thread(discard, build, self._folder)
        finally:
            unlock()

    async def use(self, name: str) -> Build | None:
        """Go over to an installed build after a trial; "previous" goes back, "auto" to none.

        It counts from the next start of an engine on. Where the trial fails nothing is changed.

        Raises:
            BuildUnknown: it is not installed.
            InstallFailed: it does not run here.
            StorageError: the choice cannot be kept.
        """
        if name == AUTOMATIC:
            await self._engines.choose("")
            return None
        builds = await self._engines.installed()
        if name == PREVIOUS:
            name = (await self._engines.choice())[1] or PREVIOUS
        build = _match(name, builds)
        if build is None:
            known = ", ".join(each.id for each in builds) or "none"
            raise BuildUnknown(name=name, where="on this computer", known=known)
        await self._try(build)
        await self._engines.choose(build.id)
        return build

    async def _release(self, name: str) -> Release:
        pinned = await asyncio.to_thread(self._supply.pinned)
        if not name and pinned:
            return pinned[0]
        release = _match(name, pinned) if name else None
        known = pinned
        number = _numbered(name)
        if release is None and number and all(each.build != number for each in pinned):
            known = await errand(lambda halt: self._supply.published(number, halt))
            release = _match(name, known)
        if release is None:
            shown = ", ".join(each.id for each in known) or "none"
            raise BuildUnknown(name=name or "at all", where="for this computer", known=shown)
        return release

    async def _try(self, build: Build) -> None:
        """Have it compute a token. Raises InstallFailed, FolderUnwritable."""
        folder = self._place.cache_dir
        await asyncio.to_thread(reap, folder)
        try:
            await probe(candidate(build), folder)
        except (EngineError, ModelFileError) as error:
            detail = fill(error.sentence, error.params).rstrip(".")
            raise InstallFailed(name=build.id, detail=detail) from error


def _match(name: str, builds: Iterable[T]) -> T | None:
    """The build of that name, or the first of that number: b9860-vulkan, b9860 or 9860."""
    for build in builds:
        if name in (build.id, f"b{build.build}", str(build.build)):
            return build
    return None


def _numbered(name: str) -> int:
    """The number in a build's name, 0 where it is no such name."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else 0
