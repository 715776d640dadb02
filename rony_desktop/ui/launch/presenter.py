"""Drives "Explain my launch": the launch that runs, else the one that would be made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import EngineChanged, FeedEvent
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:
    from rony_desktop.app.feed import Feed


class Launches(Protocol):
    """Where plans come from."""

    async def planned(self, path: Path, wanted: Wanted | None = None) -> PlannedLaunch:
        """The launch of a file as it will be."""
        ...


class ModelInUse(Protocol):
    """The model in use, and how it was launched."""

    @property
    def model(self) -> ModelRef | None: ...  # noqa: D102
    @property
    def planned(self) -> PlannedLaunch | None: ...  # noqa: D102
    def status(self) -> EngineStatus: ...  # noqa: D102


class LaunchView(Protocol):
    """What the presenter asks of the view."""

    def show_launch(self, planned: PlannedLaunch, status: EngineStatus) -> None:
        """Show a launch; whether it runs is in the status."""
        ...

    def show_working(self, name: str) -> None: ...  # noqa: D102
    def show_nothing(self, *, elsewhere: bool) -> None: ...  # noqa: D102
    def show_failure(self, failure: Failure | None) -> None: ...  # noqa: D102


class LaunchPresenter:
    """Follows the engine from open to close."""

    def __init__(
        self, launches: Launches, runtime: ModelInUse, tasks: Tasks, view: LaunchView
    ) -> None:
        self._launches = launches
        self._runtime = runtime
        self._tasks = tasks
        self._view = view
        self._planning: asyncio.Task[None] | None = None
        self._leave: Callable[[], None] | None = None

    def open(self, feed: Feed) -> None:
        """Explain the launch there is, and the next ones as they come."""
        self.close()
        self._leave = feed.listen(self._heard)
        self._show()

    def close(self) -> None:
        """Stop listening, and planning."""
        self._stop()
        if self._leave:
            self._leave()
            self._leave = None

    def _heard(self, event: FeedEvent) -> None:
        if isinstance(event, EngineChanged):
            self._show()

    def _show(self) -> None:
        self._stop()
        self._view.show_failure(None)
        model, planned = self._runtime.model, self._runtime.planned
        status = self._runtime.status()
        if planned:
            self._view.show_launch(planned, status)
        elif model and model.path and status.state is not EngineState.LOADING:
            self._planning = self._tasks.spawn(self._plan(model.path), "plan a launch")
        elif status.state is EngineState.LOADING:
            self._view.show_working(status.model)
        else:
            self._view.show_nothing(elsewhere=model is not None)

    async def _plan(self, path: Path) -> None:
        self._view.show_working(path.stem)
        try:
            planned = await self._launches.planned(path)
        except RonyError as error:
            self._view.show_failure(error.failure())
        else:
            self._view.show_launch(planned, self._runtime.status())

    def _stop(self) -> None:
        if self._planning:
            self._planning.cancel()
            self._planning = None
