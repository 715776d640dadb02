"""From a search to an answering model by keys alone, over the whole program and a real engine."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rony_desktop.contract.engine import EngineState
from rony_desktop.ui.discover.view import DiscoverPane
from rony_desktop.ui.download.view import DownloadsPane
from tests.fixture.hub_server import hub_server

pytestmark = [
    pytest.mark.ui,
    pytest.mark.engine,
    pytest.mark.qt_log_ignore("does not support", extend=True),
]
DEADLINE_S = 90.0
MODEL = "owner/Starter-GGUF"


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not condition():
            await asyncio.sleep(0.005)


async def test_a_model_is_found_downloaded_and_used(
    start: Callable[..., Any],
    starter_model: Path,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "hub" / MODEL
    folder.mkdir(parents=True)
    shutil.copy(starter_model, folder / "Starter-Q4_K_M.gguf")
    with hub_server(tmp_path / "hub") as server:
        monkeypatch.setenv("RONY_HUB__ENDPOINT", server.url)
        async with start() as program:
            program.shell.open_page("discover")
            pane = program.window.findChild(DiscoverPane)
            await until(pane._field.hasFocus)
            qtbot.keyClicks(pane._field, "starter")
            qtbot.keyClick(pane._field, Qt.Key.Key_Return)
            await until(lambda: pane._found.models)
            qtbot.keyClick(pane._field, Qt.Key.Key_Down)
            qtbot.keyClick(pane._results, Qt.Key.Key_Return)
            detail = program.shell._workbench._pages._discover.detail
            await until(lambda: not detail.opened.reading)
            assert pane._opened._list.line(0).tag == "Recommended"
            qtbot.keyClick(pane._opened._list, Qt.Key.Key_Return)
            await until(lambda: detail.opened.item.path)
            program.shell.open_page("downloads")
            (row,) = program.window.findChild(DownloadsPane)._rows.values()
            row.setFocus()
            assert QApplication.focusWidget() is row
            qtbot.keyClick(row, Qt.Key.Key_Return)
            await until(lambda: program.app.runtime.model.path)
            assert program.app.runtime.model.id == "Starter-Q4_K_M"
            await until(lambda: program.app.runtime.status().state is EngineState.READY)
            await until(lambda: not program.tasks._running)
