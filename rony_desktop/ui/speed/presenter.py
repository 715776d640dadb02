"""Drives measuring and tuning of the model in use; what they found outlives the pane."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.speed import Tuning
from rony_desktop.ui.task import Tasks

if TYPE_CHECKING:  # its package is imported after the first paint
    from rony_desktop.app.bench import Benchmarked


class Job(StrEnum):
    """What is done with the model."""

    MEASURE = "measure"
    TUNE = "tune"


class Bench(Protocol):
    """Measures and tunes the model in use; tell hears how many of how many runs are done."""

    async def benchmark(self, tell: Callable[[int, int], None]) -> Benchmarked: ...  # noqa: D102
    async def tune(  # noqa: D102
        self, tell: Callable[[int, int, Mapping[str, object]], None]
    ) -> Tuning: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """A job on its way: runs done of every one, 0 of 0 until the first; changes are tried now."""

    job: Job
    done: int = 0
    every: int = 0
    changes: Mapping[str, object] = field(default_factory=dict)
    stopping: bool = False


@dataclass(frozen=True, slots=True)
class SpeedState:
    """What is known of the speed of a model; "" where no model is in use that could be measured."""

    model: str = ""
    progress: Progress | None = None
    measured: Benchmarked | None = None
    tuning: Tuning | None = None
    failed: Job | None = None
    failure: Failure | None = None


class SpeedView(Protocol):
    """What the presenter asks of the pane."""

    def show_state(self, state: SpeedState) -> None: ...  # noqa: D102


class SpeedPresenter:
    """Runs one job at a time, with or without a view; model names the one in use, "" for none.

    The end of its tasks, when the program is closed, cancels a job.
    """

    def __init__(self, bench: Bench, model: Callable[[], str], tasks: Tasks) -> None:
        self._bench = bench
        self._model = model
        self._tasks = tasks
        self._view: SpeedView | None = None
        self._task: asyncio.Task[None] | None = None
        self._state = SpeedState()

    def attach(self, view: SpeedView) -> None:
        """Show what is known on a view; what was found of another model is forgotten."""
        self._view = view
        if self._state.progress is None:
            self._look()
        self._show(self._state)

    def detach(self) -> None:
        """Show nothing any more; a job goes on."""
        self._view = None

    def measure(self) -> None:
        """Measure the model in use, unless a job is on its way."""
        self._begin(Job.MEASURE, self._measured)

    def tune(self) -> None:
        """Look for a faster setting, unless a job is on its way."""
        self._begin(Job.TUNE, self._tuned)

    def retry(self) -> None:
        """Do again what failed."""
        if self._state.failed is Job.TUNE:
            self.tune()
        elif self._state.failed is Job.MEASURE:
            self.measure()

    def cancel(self) -> None:
        """End the job; the model is loaded again, and what was found before stays."""
        progress = self._state.progress
        if progress is not None and self._task is not None and not progress.stopping:
            self._show(replace(self._state, progress=replace(progress, stopping=True)))
            self._task.cancel()

    def _look(self) -> None:
        model = self._model()
        if model != self._state.model:
            self._state = SpeedState(model)

    def _begin(self, job: Job, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._state.progress is not None:
            return
        self._look()
        self._show(replace(self._state, progress=Progress(job), failed=None, failure=None))
        self._task = self._tasks.spawn(self._caught(job, work), f"{job} the model")
        self._task.add_done_callback(lambda _: self._ended())

    async def _caught(self, job: Job, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except RonyError as error:
            self._show(replace(self._state, failed=job, failure=error.failure()))

    async def _measured(self) -> None:
        found = await self._bench.benchmark(self._tell)
        self._show(replace(self._state, measured=found))

    async def _tuned(self) -> None:
        found = await self._bench.tune(self._tell)
        self._show(replace(self._state, tuning=found))

    def _tell(self, done: int, every: int, changes: Mapping[str, object] | None = None) -> None:
        progress = self._state.progress
        if progress is not None:
            told = replace(progress, done=done, every=every, changes=changes or {})
            self._show(replace(self._state, progress=told))

    def _ended(self) -> None:
        self._show(replace(self._state, progress=None))

    def _show(self, state: SpeedState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_state(state)
