"""The page of models over the program's own services: found, linked, merged, checked, deleted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel, QPushButton

from rony_desktop.app.adopt import AdoptService
from rony_desktop.app.model import Models, local
from rony_desktop.app.revision import RevisionService, remember
from rony_desktop.contract.check import ModelCheck, ToolMode, ToolScore
from rony_desktop.contract.config import Config
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.removal import Removal
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.shelf import Surroundings
from rony_desktop.ui.installed.desk import InstalledDesk, Updates
from rony_desktop.ui.installed.listing import Listing
from rony_desktop.ui.installed.presenter import InstalledParts
from rony_desktop.ui.installed.view import InstalledPane
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.theme import Theme
from tests.fake.download import FakeDownloads
from tests.fake.hub import FakeHub
from tests.fake.record import FakeRecordStore
from tests.fixture import store

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
DEADLINE_S = 10.0


class World:
    """Real folders and services; what deletes, adds, offers and checks is simple and here."""

    def __init__(self, home: Path, theme: Theme) -> None:
        self.folder, self.used = home / "models", list[str]()
        self.plans, self.acts = list[Path](), list[str]()
        self.folder.mkdir()
        store.put(home / ".lmstudio/models/someone/r/theirs.gguf", store.model("theirs"))
        for name in ("a", "b"):
            store.put(self.folder / f"{name}.gguf", store.model("the same"))
        self.failures: list[object] = []
        self.tasks = Tasks(self.failures.append)
        models = Models(Config(), (self.folder,))
        around = Surroundings(home, {}, "linux")
        adoption = AdoptService(
            models, GgufMetadataReader(), FakeRecordStore(), self.folder, lambda: around
        )
        parts = InstalledParts(models, self, self, self, lambda: None, self.used.append)
        self.hub, self.downloads, self.led = FakeHub(), FakeDownloads(), list[str]()
        self.records = FakeRecordStore()
        self.revisions = RevisionService(self.hub, self.records, self.folder)
        updates = Updates(self.revisions, self.downloads)
        self.desk = InstalledDesk(parts, adoption, updates, self, self.tasks)
        leads = Leads(self.led.append, self.plans.append, self.used.append, self.acts.append)
        self.pane: InstalledPane = self.desk.open(theme, self.downloads.feed, leads)

    async def offers(self, models: Sequence[ModelRef]) -> AsyncIterator[Offer]:
        for model in models:
            yield Offer(model, Fit.FITS)

    async def looked(self, path: Path) -> Removal:
        return Removal((path,), path.stat().st_size, ours=True, linked=False)

    async def remove(self, removal: Removal) -> None:
        for file in removal.files:
            file.unlink()

    async def take(self, path: Path) -> tuple[ModelRef, ...]:
        target = self.folder / path.name
        target.hardlink_to(path)
        return (local(target),)

    async def known(self, path: Path) -> ModelCheck | None:
        return None

    async def check(self, path: Path, tell: Tell) -> ModelCheck:
        return ModelCheck(build="b1", mode=ToolMode.NATIVE, native=ToolScore(8, 8, 8))

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)


async def test_every_way_through_the_page(
    tmp_path: Path, theme: Theme, child: Find, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path
    world = World(home, theme)
    pane, until = world.pane, world.until
    pane.resize(800, 600)
    pane.show()
    listing = child(pane, Listing, "installed_list")

    def names() -> list[str]:
        rows = [listing.rows.row(listing.rows.index(n)) for n in range(listing.rows.rowCount())]
        return [row.title for row in rows if row and row.key]

    def press(name: str) -> None:
        child(pane, QPushButton, name).click()

    try:
        await until(lambda: names() == ["a", "b"])
        press("installed_use")
        press("installed_plan")
        assert (world.used, world.plans) == ([f"{home}/models/a.gguf"], [home / "models/a.gguf"])
        shown: list[str] = []
        monkeypatch.setattr(
            QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile())
        )
        press("installed_reveal")
        assert shown == [f"{home}/models"]

        press("installed_check")
        said = child(pane, QLabel, "installed_health_words")
        await until(lambda: said.text().endswith("8/8"))

        press("installed_foreign")
        await until(pane.foreign.listing.key)
        pane.foreign.every.click()
        await until(lambda: len(names()) == 3)
        pane.foreign.back.click()

        press("installed_duplicates")
        await until(pane.duplicates.listing.key)
        pane.duplicates.every.click()
        await until(lambda: not pane.duplicates.listing.key())
        assert (home / "models/a.gguf").samefile(home / "models/b.gguf")
        pane.duplicates.back.click()

        had = HubFile("who/what", "old.gguf", 3, "a" * 64, "one")
        store.put(home / "models/who/what/old.gguf", b"old")
        await remember(world.records, Quant("Q4_K_M", (had,)))
        world.hub.quants = (Quant("Q4_K_M", (replace(had, sha256="b" * 64),)),)
        press("installed_revisions")
        page = pane.revisions
        await until(lambda: page.every.text() == "Ask the hub")
        page.every.click()
        await until(page.listing.key)
        await until(lambda: page.every.text().startswith("Update"))
        page.every.click()
        await until(lambda: world.downloads.asked == [("start", "Q4_K_M")])
        page.downloadsRequested.emit()
        assert world.led == ["downloads"]
        page.back.click()

        await until(lambda: not world.tasks._running)
        press("installed_delete")
        await until(pane.detail.is_asking)
        press("installed_remove")
        await until(lambda: "a" not in names())
        new = home / "new.gguf"
        store.put(new, store.model("new"))
        pane.addRequested.emit(str(new))
        await until(lambda: listing.key() == f"{home}/models/new.gguf")
        pane.discoverRequested.emit()
        pane.actionRequested.emit("open_log")
        assert (world.led, world.acts, world.failures) == (
            ["downloads", "discover"],
            ["open_log"],
            [],
        )
    finally:
        world.desk.close()
        await world.tasks.close()
        pane.close()
        pane.deleteLater()
