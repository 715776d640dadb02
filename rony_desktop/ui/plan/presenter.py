"""Drives the plan view: what the user fixes of a launch, planned anew as it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import EngineChanged, FeedEvent
from rony_desktop.contract.launch import Fit, PlannedLaunch
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.plan import PlanResult, Wanted
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:
    from rony_desktop.app.feed import Feed

DELAY_S = 0.12
RESTING = (EngineState.READY, EngineState.FAILED, EngineState.STOPPED)


class Launches(Protocol):
    """Where plans come from, and where what the user wants is kept."""

    async def planned(self, path: Path, wanted: Wanted | None = None) -> PlannedLaunch:
        """The launch of a file; wanted None: as it will be, with what is kept for the model."""
        ...

    async def kept(self, path: Path) -> Wanted: ...  # noqa: D102
    async def keep(self, path: Path, wanted: Wanted) -> None: ...  # noqa: D102


class ModelInUse(Protocol):
    """The model in use."""

    @property
    def model(self) -> ModelRef | None: ...  # noqa: D102
    def use(self, name: str = "", *, anyway: bool = False) -> object: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class ShownPlan:
    """A plan, how it fits, and what the user fixed of it."""

    planned: PlannedLaunch
    fit: Fit
    wanted: Wanted


class PlanView(Protocol):
    """What the presenter asks of the view."""

    def show_plan(self, shown: ShownPlan) -> None: ...  # noqa: D102
    def show_working(self, name: str) -> None:
        """Say that a file's first plan is being made."""
        ...

    def show_nothing(self, *, elsewhere: bool) -> None:
        """Say that no model is in use, or one that runs elsewhere."""
        ...

    def show_failure(self, failure: Failure | None) -> None:
        """Show what went wrong beside the plan that is shown; None: nothing."""
        ...

    def show_started(self) -> None:
        """The launch that is shown is being started."""
        ...


class PlanPresenter:
    """Plans the model in use, or the file it was opened for, until it is closed.

    fit_of tells how well a plan fits.
    """

    def __init__(
        self,
        launches: Launches,
        runtime: ModelInUse,
        tasks: Tasks,
        view: PlanView,
        fit_of: Callable[[PlanResult], Fit],
    ) -> None:
        self._launches = launches
        self._runtime = runtime
        self._tasks = tasks
        self._view = view
        self._fit_of = fit_of
        self._path: Path | None = None
        self._pinned = False
        self._kept = Wanted()
        self._wanted = Wanted()
        self._planning: asyncio.Task[None] | None = None
        self._acting = False
        self._leave: Callable[[], None] | None = None

    def open(self, feed: Feed, path: Path | None = None) -> None:
        """Show the plan of a file, else of the model in use, and follow the engine."""
        self.close()
        self._leave = feed.listen(self._heard)
        self._pinned = path is not None
        self._begin(path or self._in_use())

    def change(self, values: Mapping[str, Any]) -> None:
        """Fix values of the launch by name; None gives one back to the plan."""
        self._wanted = replace(self._wanted, **values)
        self._plan(DELAY_S)

    def load(self, *, anyway: bool) -> None:
        """Keep what is wanted and load the model so; anyway where it was shown not to fit."""
        if self._path:
            self._act(self._load(self._path, anyway), "load as planned")

    def back(self) -> None:
        """Forget what was wanted, and what is kept."""
        self._wanted = Wanted()
        if self._path:
            self._act(self._forget(self._path), "forget what is kept")

    def close(self) -> None:
        """Stop planning, and listening."""
        self._stop()
        if self._leave:
            self._leave()
            self._leave = None

    def _in_use(self) -> Path | None:
        return self._runtime.model.path if self._runtime.model else None

    def _heard(self, event: FeedEvent) -> None:
        resting = isinstance(event, EngineChanged) and event.status.state in RESTING
        if not resting or self._acting:
            return
        if not self._pinned and self._in_use() != self._path:
            self._begin(self._in_use())
        elif self._path:
            self._plan()  # another amount of memory is free now

    def _begin(self, path: Path | None) -> None:
        self._stop()
        self._path = path
        self._view.show_failure(None)
        if path is None:
            self._view.show_nothing(elsewhere=self._runtime.model is not None)
            return
        self._view.show_working(path.stem)
        self._planning = self._tasks.spawn(self._first(path), "plan a model")

    def _plan(self, delay_s: float = 0.0) -> None:
        """Plan anew; what is planned at the moment is out of date."""
        if self._path:
            self._stop()
            self._planning = self._tasks.spawn(self._again(self._path, delay_s), "plan anew")

    def _act(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Do what the user asked for; the engine's news wait for its end."""
        self._stop()
        self._acting = True
        self._planning = self._tasks.spawn(self._acted(work), name)

    async def _acted(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except RonyError as error:
            self._view.show_failure(error.failure())
        finally:
            self._acting = False

    def _stop(self) -> None:
        if self._planning:
            self._planning.cancel()
            self._planning = None
            self._acting = False

    async def _first(self, path: Path) -> None:
        try:
            self._kept = self._wanted = await self._launches.kept(path)
            await self._show(path)
        except RonyError as error:
            self._view.show_failure(error.failure())

    async def _again(self, path: Path, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        try:
            await self._show(path)
        except RonyError as error:
            self._view.show_failure(error.failure())

    async def _show(self, path: Path) -> ShownPlan:
        # What is kept already is planned as it will be launched: tuned, and lowered where it was.
        wanted = None if self._wanted == self._kept else self._wanted
        planned = await self._launches.planned(path, wanted)
        shown = ShownPlan(planned, self._fit_of(planned.plan), self._wanted)
        self._view.show_plan(shown)
        self._view.show_failure(None)
        return shown

    async def _load(self, path: Path, anyway: bool) -> None:
        shown = await self._show(path)
        if not (shown.planned.plan.fits or anyway):
            return  # less is free than a moment ago: now the view says so
        await self._keep(path)
        self._view.show_started()
        self._runtime.use(str(path), anyway=not shown.planned.plan.fits)

    async def _forget(self, path: Path) -> None:
        await self._keep(path)
        await self._show(path)

    async def _keep(self, path: Path) -> None:
        if self._wanted != self._kept:
            await self._launches.keep(path, self._wanted)
            self._kept = self._wanted
