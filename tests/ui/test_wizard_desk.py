"""The wizard's dialog is opened once, and what it began outlives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton

from rony_desktop.ui.leads import Leads
from rony_desktop.ui.wizard.desk import WizardDesk
from rony_desktop.ui.wizard.presenter import Means
from rony_desktop.ui.wizard.view import WizardDialog

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]


async def test_one_dialog_at_a_time_that_leads_on(
    start: Callable[..., Any], child: Callable[..., Any]
) -> None:
    led: list[str] = []
    async with start() as program:
        app, window = program.app, program.window
        means = Means(
            discovery=app.stock.discovery,
            downloads=app.stock.downloads,
            bench=app.benches,
            checks=app.checks,
            use=led.append,
            ready=app.runtime.ready,
            listen=app.feed.listen,
        )
        desk = WizardDesk(means, program.tasks)
        leads = Leads(led.append, print, print, print)
        for _ in range(2):
            desk.show(window.theme, window, leads)
        (dialog,) = window.findChildren(WizardDialog)
        child(dialog, QPushButton, "wizard_first").click()
        await program.until(lambda: dialog._state.suggestion is not None)
        child(dialog, QPushButton, "wizard_first").click()
        assert led == ["discover"]
        assert not dialog.isVisible()
        await program.until(lambda: not program.tasks._running)
        desk.close()
