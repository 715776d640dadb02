"""Which engine is used: the configured one, else the build the user chose, else what there is."""

from __future__ import annotations

import asyncio

from rony_desktop.contract.build import Build
from rony_desktop.contract.config import LlamaConfig
from rony_desktop.contract.error import BuildUnknown
from rony_desktop.contract.port import RecordStore
from rony_desktop.engine.binary import find
from rony_desktop.engine.build import candidate, installed
from rony_desktop.engine.candidate import Candidate
from rony_desktop.store.place import Place

KIND = "engine"
CHOICE = "choice"
BUILD, BEFORE = "build", "before"


class Engines:
    """The engines of this computer, and the choice between installed builds."""

    def __init__(self, config: LlamaConfig, place: Place, records: RecordStore) -> None:
        self._config = config
        self._place = place
        self._records = records

    @property
    def fixed(self) -> str:
        """The setting that decides, whatever was chosen; "" where none does."""
        if self._config.binary_path:
            return "llama.binary_path"
        return "llama.engine" if self._config.engine else ""

    async def find(self) -> Candidate:
        """The engine to run; it has computed a token here.

        A chosen build that does not work any more is passed over for the one before it.

        Raises:
            EngineError: there is none that works, or what the settings name is not there.
        """
        chosen = await self.chosen()
        return await find(self._config.binary_path, self._place.cache_dir, installed=chosen)

    async def chosen(self) -> list[Candidate]:
        """The builds that stand before every other engine, the preferred first.

        None where the settings name a program.

        Raises:
            BuildUnknown: the settings name a build that is not installed.
        """
        if self._config.binary_path:
            return []
        builds = {build.id: build for build in await self.installed()}
        name = self._config.engine
        if name and name not in builds:
            known = ", ".join(builds) or "none"
            raise BuildUnknown(name=name, where="as llama.engine says", known=known)
        names = (name,) if name else await self.choice()
        if not names[0]:
            return []
        return [candidate(builds[each]) for each in names if each in builds]

    async def installed(self) -> tuple[Build, ...]:
        """Every installed build, the newest first."""
        return await asyncio.to_thread(installed, self._place.engines_dir)

    async def choice(self) -> tuple[str, str]:
        """The build the user chose, and the one that was used before it; "" for none."""
        record = await self._records.get(KIND, CHOICE) or {}
        return str(record.get(BUILD, "")), str(record.get(BEFORE, ""))

    async def choose(self, build: str) -> None:
        """Use a build from the next start of an engine on; "" is no build.

        Raises:
            StorageError: the choice cannot be kept.
        """
        now, before = await self.choice()
        if build != now:
            before = now
        await self._records.put(KIND, CHOICE, {BUILD: build, BEFORE: before})
