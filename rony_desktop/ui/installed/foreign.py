"""Drives the list of models that other programs have, and linking them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from rony_desktop.contract.adopt import Found
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.task import Tasks


class Adoption(Protocol):
    """Finds what other programs have, and makes it ours by a link."""

    async def find(self) -> tuple[Found, ...]: ...  # noqa: D102
    async def adopt(self, found: Found) -> ModelRef: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class ForeignState:
    """What was found, None before; linking is the one being linked now.

    linked are the paths that are ours by now, failures those of what could not be linked.
    """

    found: tuple[Found, ...] | None = None
    looking: bool = False
    linking: Found | None = None
    linked: frozenset[Path] = frozenset()
    failures: Mapping[Path, Failure] = field(default_factory=dict)
    failure: Failure | None = None

    @property
    def left(self) -> tuple[Found, ...]:
        """What is not linked yet."""
        return tuple(each for each in self.found or () if each.path not in self.linked)


class ForeignView(Protocol):
    """What the presenter asks of the pane."""

    def show_foreign(self, state: ForeignState) -> None: ...  # noqa: D102


class ForeignPresenter:
    """Does one thing at a time; changed is called when something was linked."""

    def __init__(self, adoption: Adoption, tasks: Tasks, changed: Callable[[], None]) -> None:
        self._adoption = adoption
        self._tasks = tasks
        self._changed = changed
        self._view: ForeignView | None = None
        self._task: asyncio.Task[None] | None = None
        self._state = ForeignState()

    def attach(self, view: ForeignView) -> None:
        """Show what is known on a view."""
        self._view = view
        view.show_foreign(self._state)

    def detach(self) -> None:
        """Show nothing any more; linking goes on."""
        self._view = None

    def look(self) -> None:
        """Look into the stores of the other programs again."""
        if not self._busy():
            self._show(ForeignState(looking=True))
            self._begin(self._look(), "look for models of other programs")

    def link(self, path: Path) -> None:
        """Link one of them."""
        self._begin_linking(tuple(each for each in self._state.left if each.path == path))

    def link_all(self) -> None:
        """Link every one that is left."""
        self._begin_linking(self._state.left)

    def cancel(self) -> None:
        """Look no further, or link no more of them."""
        if self._task is not None:
            self._task.cancel()

    def _busy(self) -> bool:
        return self._state.looking or self._state.linking is not None

    def _begin_linking(self, wanted: tuple[Found, ...]) -> None:
        if wanted and not self._busy():
            self._show(replace(self._state, linking=wanted[0]))
            self._begin(self._link(wanted), "link models")

    def _begin(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self._task = self._tasks.spawn(work, name)
        self._task.add_done_callback(lambda _: self._ended())

    async def _look(self) -> None:
        try:
            found = await self._adoption.find()
        except RonyError as error:
            self._show(replace(self._state, failure=error.failure()))
        else:
            self._show(replace(self._state, found=found))

    async def _link(self, wanted: tuple[Found, ...]) -> None:
        for found in wanted:
            failures = {k: v for k, v in self._state.failures.items() if k != found.path}
            self._show(replace(self._state, linking=found, failures=failures))
            try:
                await self._adoption.adopt(found)
            except RonyError as error:
                failures = {**failures, found.path: error.failure()}
                self._show(replace(self._state, failures=failures))
            else:
                linked = self._state.linked | {found.path}
                self._show(replace(self._state, linked=linked))
                self._changed()

    def _ended(self) -> None:
        self._show(replace(self._state, looking=False, linking=None))

    def _show(self, state: ForeignState) -> None:
        self._state = state
        if self._view is not None:
            self._view.show_foreign(state)
