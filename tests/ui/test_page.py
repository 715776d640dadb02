"""The pages about models and engines that are here, or could be, open over the whole program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.leads import Leads
from rony_desktop.ui.page import Pages

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]


@pytest.mark.parametrize("name", ["installed", "discover", "downloads", "engine"])
async def test_every_page_is_made_anew_and_closes_clean(
    start: Callable[..., Any], qtbot: QtBot, name: str
) -> None:
    closing: list[Callable[[], None]] = []
    leads = Leads(print, print, print, print)
    async with start() as program:
        pages = Pages(program.app, program.window.theme, program.tasks, closing)
        shown: list[QWidget] = []
        for _ in range(2):
            page = getattr(pages, name)(leads)
            qtbot.addWidget(page)
            page.show()
            shown.append(page)
            await program.until(page.isVisible)
            for close in closing:
                close()
            closing.clear()
        assert shown[0] is not shown[1]
        pages.close()
        await program.until(lambda: not program.tasks._running)
