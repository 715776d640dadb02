"""The pages about the model in use, over the whole program in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton, QTabWidget

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import Action
from rony_desktop.contract.event import DownloadChanged
from rony_desktop.ui.discover.view import DiscoverPane
from rony_desktop.ui.download.view import DownloadsPane
from rony_desktop.ui.manager import ManagerDialog
from rony_desktop.ui.wizard.view import WizardDialog
from rony_desktop.ui.workbench import Workbench
from tests.fixture.download import GB, download

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Start = Callable[..., Any]
PAGES = (
    "installed",
    "discover",
    "downloads",
    "plan",
    "launch",
    "speed",
    "engine",
    "doctor",
)


async def test_every_page_opens_in_one_dialog_and_closes_clean(start: Start) -> None:
    acted: list[str] = []
    async with start() as program:
        bench = Workbench(
            program.app, program.window.theme, program.window, program.tasks, acted.append, print
        )
        for page in PAGES:
            bench.show(page)
        (dialog,) = program.window.findChildren(ManagerDialog)
        tabs = dialog.findChild(QTabWidget, "manager_tabs")
        assert isinstance(tabs, QTabWidget)
        assert tabs.count() == len(PAGES)
        assert tabs.currentIndex() == PAGES.index("doctor")
        dialog.close()
        await program.until(lambda: not program.tasks._running)
        bench.show("speed")
        assert sum(d.isVisible() for d in program.window.findChildren(ManagerDialog)) == 1
        bench._do(Action.OPEN_LOG)
        bench._do(Action.CHOOSE_MODEL)
        assert acted == [Action.OPEN_LOG, Action.CHOOSE_MODEL]
        assert not any(d.isVisible() for d in program.window.findChildren(ManagerDialog))
        await program.until(lambda: not program.tasks._running)


async def test_a_scripted_model_is_said_to_run_elsewhere(
    start: Start, child: Callable[..., Any]
) -> None:
    async with start() as program:
        bench = Workbench(
            program.app, program.window.theme, program.window, program.tasks, lambda _: None, print
        )
        bench.show("plan")
        (dialog,) = program.window.findChildren(ManagerDialog)
        assert not [b for b in dialog.findChildren(QPushButton, "plan_load") if b.isVisible()]
        dialog.close()
        await program.until(lambda: not program.tasks._running)


async def test_the_wizard_opens_closes_and_opens_again(
    start: Start, child: Callable[..., Any]
) -> None:
    async with start() as program:
        bench = Workbench(
            program.app, program.window.theme, program.window, program.tasks, lambda _: None, print
        )
        for _ in range(2):
            bench.show("wizard")
            bench.show("wizard")
            (dialog,) = [d for d in program.window.findChildren(WizardDialog) if d.isVisible()]
            first = child(dialog, QPushButton, "wizard_first")
            await program.until(first.isEnabled)
            dialog.close()
            await program.until(lambda: not program.tasks._running)
        bench.close()


async def test_a_search_outlives_the_dialog_and_what_is_done_is_used(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RONY_HUB__ENDPOINT", "http://127.0.0.1:9")
    used: list[str] = []
    async with start() as program:
        bench = Workbench(
            program.app,
            program.window.theme,
            program.window,
            program.tasks,
            lambda _: None,
            used.append,
        )
        bench.show("discover")
        (dialog,) = program.window.findChildren(ManagerDialog)
        discover = dialog.findChild(DiscoverPane)
        assert discover
        await program.until(discover._field.hasFocus)
        discover.searchRequested.emit("something")
        await program.until(lambda: discover._found.failure)
        bench.show("downloads")
        downloads = dialog.findChild(DownloadsPane)
        assert downloads
        downloads.discoverRequested.emit()
        assert discover.isVisible()
        bench._use("/models/a.gguf")
        assert used == ["/models/a.gguf"]
        assert bench._dialog is None
        bench.show("discover")
        assert bench._dialog
        again = bench._dialog.findChild(DiscoverPane)
        assert again
        assert again._field.text() == "something"
        bench._dialog.close()
        await program.until(lambda: not program.tasks._running)


async def test_a_download_is_seen_in_the_status_bar_and_leads_to_its_page(
    start: Start, child: Callable[..., Any]
) -> None:
    async with start() as program:
        segment = child(program.window.status, QPushButton, "status_download")
        running = download("a", DownloadState.RUNNING, GB)
        program.app.feed.publish(DownloadChanged(running))
        await program.until(segment.isVisible)
        program.app.feed.publish(DownloadChanged(download("a", DownloadState.DONE, GB)))
        await program.until(lambda: segment.text().startswith("Downloaded"))
        segment.click()
        assert not segment.isVisible()
        (dialog,) = program.window.findChildren(ManagerDialog)
        assert child(dialog, DownloadsPane, "downloads_pane").isVisible()
        dialog.close()
        await program.until(lambda: not program.tasks._running)
