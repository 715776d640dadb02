"""The pages about the model in use, over the whole program in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton, QTabWidget

from rony_desktop.contract.error import Action
from rony_desktop.ui.manager import ManagerDialog
from rony_desktop.ui.wizard.view import WizardDialog
from rony_desktop.ui.workbench import Workbench

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Start = Callable[..., Any]
PAGES = ("plan", "launch", "speed", "doctor")


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
