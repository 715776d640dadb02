"""Drives an examination of this computer; what it found stays while the pane is closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.check import Check


@dataclass(frozen=True, slots=True)
class Report:
    """What was found so far; stopped says that not all was looked at."""

    checks: tuple[Check, ...] = ()
    running: bool = False
    stopped: bool = False


class DoctorView(Protocol):
    """What the presenter asks of the pane."""

    def show_report(self, report: Report) -> None: ...  # noqa: D102


class DoctorPresenter:
    """Runs one examination at a time; it outlives the views that show it."""

    def __init__(self, examine: Callable[[], AsyncIterator[Check]], tasks: Tasks) -> None:
        self._examine = examine
        self._tasks = tasks
        self._view: DoctorView | None = None
        self._task: asyncio.Task[None] | None = None
        self._report = Report()

    def attach(self, view: DoctorView) -> None:
        """Show what is known on a view; the first one starts an examination."""
        self._view = view
        if self._report == Report():
            self.run()
        else:
            view.show_report(self._report)

    def detach(self) -> None:
        """Show nothing any more; an examination goes on."""
        self._view = None

    def run(self) -> None:
        """Look at everything again, unless it is looked at now."""
        if self._report.running:
            return
        self._show(Report(running=True))
        self._task = self._tasks.spawn(self._run(), "examine this computer")
        self._task.add_done_callback(lambda _: self._ended())

    def cancel(self) -> None:
        """End the examination; what was found so far stays."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        async for check in self._examine():
            self._show(replace(self._report, checks=(*self._report.checks, check)))
        self._show(replace(self._report, running=False))

    def _ended(self) -> None:
        if self._report.running:
            self._show(replace(self._report, running=False, stopped=True))

    def _show(self, report: Report) -> None:
        self._report = report
        if self._view is not None:
            self._view.show_report(report)
