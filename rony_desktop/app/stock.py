"""What gets models and engines: the hub, downloads, what other programs have, builds."""

from __future__ import annotations

import asyncio
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rony_desktop.app.base import Base
from rony_desktop.app.launch import LaunchService
from rony_desktop.app.neighbour import model_in_use
from rony_desktop.contract.download import DOWNLOADS, PAGE

if TYPE_CHECKING:  # most starts need none of them
    from rony_desktop.app.adopt import AdoptService
    from rony_desktop.app.discover import DiscoverService
    from rony_desktop.app.download import DownloadService
    from rony_desktop.app.install import InstallService
    from rony_desktop.app.remove import RemoveService
    from rony_desktop.app.revision import RevisionService
    from rony_desktop.contract.port import ModelHub

MIB = 1 << 20
LOCKS = "locks"


class Stock:
    """Each part is made when it is first asked for."""

    def __init__(self, base: Base, launches: LaunchService) -> None:
        self._base = base
        self._launches = launches
        self._downloads: DownloadService | None = None

    @cached_property
    def hub(self) -> ModelHub:
        """Where models are found; nothing is sent yet."""
        from rony_desktop.app.hub import create_hub

        return create_hub(self._base.config, os.environ)

    @property
    def downloads(self) -> DownloadService:
        """The list of downloads."""
        from rony_desktop.app.download import DownloadService, Rules

        if self._downloads is None:
            base = self._base
            rules = Rules(
                folder=base.place.models_dir,
                locks_dir=base.place.cache_dir / LOCKS,
                parallel=base.config.hub.parallel,
                reserve_bytes=base.config.llama.disk_reserve_mb * MIB,
            )
            self._downloads = DownloadService(self.hub, base.records, base.feed, rules)
        return self._downloads

    @cached_property
    def discovery(self) -> DiscoverService:
        """Models that could be downloaded."""
        from rony_desktop.app.discover import DiscoverService

        return DiscoverService(self.hub, self._launches, self._base.place.models_dir)

    @cached_property
    def revisions(self) -> RevisionService:
        """Newer revisions of what was downloaded."""
        from rony_desktop.app.revision import RevisionService

        base = self._base
        return RevisionService(self.hub, base.records, base.place.models_dir)

    @cached_property
    def adoption(self) -> AdoptService:
        """Models of other programs, and files that are there twice."""
        from rony_desktop.app.adopt import AdoptService

        base = self._base
        return AdoptService(base.models, base.reader, base.records, base.place.models_dir)

    @cached_property
    def removal(self) -> RemoveService:
        """What deletes models."""
        from rony_desktop.app.remove import RemoveService

        place = self._base.place
        return RemoveService(
            self._base.models, self.downloads, place.models_dir, lambda: model_in_use(place.run_dir)
        )

    @cached_property
    def installs(self) -> InstallService:
        """Builds of the engine."""
        from rony_desktop.app.install import InstallService
        from rony_desktop.app.supply import Supply

        base = self._base
        supply = Supply.of(base.config.llama.releases_url)
        return InstallService(base.engines, base.place, supply)

    async def restore(self) -> None:
        """Go on with the downloads an earlier run left; where it left none nothing is imported."""
        folder = self._base.place.models_dir
        noted = bool(await self._base.records.list(DOWNLOADS))
        if noted or await asyncio.to_thread(_has_page, folder):
            await self.downloads.restore()

    async def close(self) -> None:
        """Stop downloads; the next start goes on with them."""
        if self._downloads:
            await self._downloads.close()


def _has_page(folder: Path) -> bool:
    """Whether something below a folder was begun and is not finished. Blocking."""
    return any(folder.rglob(f"*{PAGE}"))
