"""Drives the search for models that are on the disk twice, and sharing their bytes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rony_desktop.contract.adopt import Duplicate
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.progress import Tell
from rony_desktop.ui.progress import on_loop
from rony_desktop.ui.task import Tasks


class Sharing(Protocol):
    """Finds duplicates, and lets our copies share the bytes of what is kept."""

    async def duplicates(self, tell: Tell) -> tuple[Duplicate, ...]: ...  # noqa: D102
    async def merge(self, duplicate: Duplicate) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class DuplicateState:
    """What was found, None before.

    done and every are bytes that are read; freed_bytes is what merging gave back.
    """

    found: tuple[Duplicate, ...] | None = None
    looking: bool = False
    merging: Duplicate | None = None
    done: int = 0
    every: int = 0
    stopping: bool = False
    freed_bytes: int = 0
    failure: Failure | None = None

    @property
    def busy(self) -> bool:
        """Whether something is on its way."""
        return self.looking or self.merging is not None

    @property
    def saved_bytes(self) -> int:
        """What merging all of them would free."""
        return sum(each.saved_bytes for each in self.found or ())


class DuplicateView(Protocol):
    """What the presenter asks of the pane."""

    def show_duplicates(self, state: DuplicateState) -> None: ...  # noqa: D102


class DuplicatePresenter:
    """Reads files with or without a view, until it is cancelled; changed: something was merged."""

    def __init__(self, sharing: Sharing, tasks: Tasks, changed: Callable[[], None]) -> None:
        self._sharing = sharing
        self._tasks = tasks
        self._changed = changed
        self._view: DuplicateView | None = None
        self._task: asyncio.Task[None] | None = None
        self._state = DuplicateState()

    def attach(self, view: DuplicateView) -> None:
        """Show what is known on a view."""
        self._view = view
        view.show_duplicates(self._state)

    def detach(self) -> None:
        """Show nothing any more; what is on its way goes on."""
        self._view = None

    def look(self) -> None:
        """Compare every file again."""
        if not self._state.busy:
            self._show(DuplicateState(looking=True))
            self._begin(self._look, "look for duplicates")

    def merge(self, sha256: str) -> None:
        """Share the bytes of one of them."""
        self._begin_merging([e for e in self._state.found or () if e.sha256 == sha256])

    def merge_all(self) -> None:
        """Share the bytes of every one."""
        self._begin_merging(self._state.found or ())

    def cancel(self) -> None:
        """Stop; what is hashed is remembered, what is merged stays so."""
        if self._task is not None and self._state.busy and not self._state.stopping:
            self._show(replace(self._state, stopping=True))
            self._task.cancel()

    def _begin_merging(self, wanted: Sequence[Duplicate]) -> None:
        if wanted and not self._state.busy:
            self._show(replace(self._state, merging=wanted[0], failure=None))
            self._begin(lambda: self._merge(wanted), "merge duplicates")

    def _begin(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._task = self._tasks.spawn(self._caught(work), name)
        self._task.add_done_callback(lambda _: self._ended())

    async def _caught(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except RonyError as error:
            self._show(replace(self._state, failure=error.failure()))

    async def _look(self) -> None:
        found = await self._sharing.duplicates(on_loop(self._told))
        self._show(replace(self._state, found=found))

    async def _merge(self, wanted: Sequence[Duplicate]) -> None:
        for duplicate in wanted:
            self._show(replace(self._state, merging=duplicate))
            freed = self._state.freed_bytes + await self._sharing.merge(duplicate)
            left = tuple(each for each in self._state.found or () if each != duplicate)
            self._show(replace(self._state, found=left, freed_bytes=freed))
            self._changed()

    def _told(self, done: int, every: int) -> None:
        if self._state.looking:
            self._show(replace(self._state, done=done, every=every))

    def _ended(self) -> None:
        self._show(replace(self._state, looking=False, merging=None, stopping=False))

    def _show(self, state: DuplicateState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_duplicates(state)
