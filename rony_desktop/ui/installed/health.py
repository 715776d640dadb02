"""Drives the check of a model: whether its template works, and how it calls tools."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from rony_desktop.contract.check import ModelCheck
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.progress import Tell
from rony_desktop.ui.progress import on_loop
from rony_desktop.ui.task import Tasks


class Checks(Protocol):
    """Checks models, and remembers what it found."""

    async def known(self, path: Path) -> ModelCheck | None: ...  # noqa: D102
    async def check(self, path: Path, tell: Tell) -> ModelCheck: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class HealthState:
    """What is known of the model that is shown; done and every count steps of a running check.

    checking is the model that is checked now, which may be another one.
    """

    path: Path | None = None
    health: ModelCheck | None = None
    checking: Path | None = None
    done: int = 0
    every: int = 0
    stopping: bool = False
    failure: Failure | None = None


class HealthView(Protocol):
    """What the presenter asks of the pane."""

    def show_health(self, state: HealthState) -> None: ...  # noqa: D102


class HealthPresenter:
    """Checks one model at a time, with or without a view."""

    def __init__(self, checks: Checks, tasks: Tasks) -> None:
        self._checks = checks
        self._tasks = tasks
        self._view: HealthView | None = None
        self._task: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self._state = HealthState()

    def attach(self, view: HealthView) -> None:
        """Show what is known on a view."""
        self._view = view
        view.show_health(self._state)

    def detach(self) -> None:
        """Show nothing any more; a check goes on."""
        self._view = None

    def show(self, path: Path | None) -> None:
        """Show another model, None for none."""
        if self._reading is not None:
            self._reading.cancel()
        self._show(replace(self._state, path=path, health=None, failure=None))
        if path is not None:
            self._reading = self._tasks.spawn(self._read(path), "read what a check found")

    def check(self) -> None:
        """Check the model that is shown, unless one is checked."""
        path = self._state.path
        if path is None or self._state.checking is not None:
            return
        self._show(replace(self._state, checking=path, done=0, every=0, failure=None))
        self._task = self._tasks.spawn(self._check(path), "check a model")
        self._task.add_done_callback(lambda _: self._ended())

    def cancel(self) -> None:
        """End the check."""
        if self._task is not None and self._state.checking and not self._state.stopping:
            self._show(replace(self._state, stopping=True))
            self._task.cancel()

    async def _read(self, path: Path) -> None:
        # A file that cannot be read says so in its row; here it is only one that is not checked.
        with suppress(RonyError):
            self._learn(path, await self._checks.known(path))

    async def _check(self, path: Path) -> None:
        try:
            self._learn(path, await self._checks.check(path, on_loop(self._told)))
        except RonyError as error:
            if self._state.path == path:
                self._show(replace(self._state, failure=error.failure()))

    def _learn(self, path: Path, health: ModelCheck | None) -> None:
        if self._state.path == path:
            self._show(replace(self._state, health=health))

    def _told(self, done: int, every: int) -> None:
        if self._state.checking is not None:
            self._show(replace(self._state, done=done, every=every))

    def _ended(self) -> None:
        self._show(replace(self._state, checking=None, stopping=False))

    def _show(self, state: HealthState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_health(state)
