"""Drives what the window says of the model in use, and the choice of another."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import EngineChanged, FeedEvent, Notice
from rony_desktop.contract.launch import Fit, Offer
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.badge import Badge, badge_of
from rony_desktop.ui.task import Tasks


class ModelView(Protocol):
    """What the presenter asks of header, status bar and banner."""

    def show_engine(  # noqa: D102
        self, status: EngineStatus, quant: str = "", badge: Badge = Badge.NONE
    ) -> None: ...
    def show_models(self, models: Sequence[ModelRef], current: str) -> None: ...  # noqa: D102
    def show_offer(self, offer: Offer) -> None: ...  # noqa: D102
    def show_context(self, used: int, limit: int) -> None: ...  # noqa: D102
    def show_speed(self, response: Response) -> None: ...  # noqa: D102
    def show_failure(self, failure: Failure) -> None: ...  # noqa: D102
    def clear_failure(self) -> None: ...  # noqa: D102


class ModelPresenter:
    """Tells the window about the engine as it changes; nothing is polled.

    remember keeps the user's choice for the next start; it is told once the model runs.
    """

    def __init__(
        self,
        runtime: Runtime,
        models: Models,
        feed: Feed,
        tasks: Tasks,
        view: ModelView,
        remember: Callable[[str], Coroutine[Any, Any, None]],
    ) -> None:
        self._runtime = runtime
        self._models = models
        self._offering: asyncio.Task[None] | None = None
        self._tasks = tasks
        self._view = view
        self._remember = remember
        self._chosen = ""
        self._limit = 0
        self._used = 0
        self._leave = feed.listen(self._heard)

    def start(self) -> None:
        """Show where the engine is now; before its start the window says so itself."""
        if self._runtime.status().state is not EngineState.STOPPED:
            self._show(self._runtime.status())

    def choose(self, name: str) -> None:
        """Use another model: an id or a path."""
        self._view.clear_failure()
        self._chosen = name
        self._runtime.use(name)

    def retry(self) -> None:
        """Load the same model once more where that failed; one that runs is left alone."""
        self._view.clear_failure()
        self._tasks.spawn(self._load_again(), "load model")

    async def list(self) -> None:
        """Show the models to choose from, then how each fits as it becomes known."""
        models = await asyncio.to_thread(self._models.list)
        current = self._runtime.model
        self._view.show_models(models, str(current.path or current.id) if current else "")
        self._offering = self._tasks.spawn(self._offer(models), "look at the models")

    def stop_offers(self) -> None:
        """Nobody looks at the models any more."""
        if self._offering:
            self._offering.cancel()
            self._offering = None

    def finished(self, response: Response) -> None:
        """Show what a turn used."""
        if response.usage.total_tokens:
            self._view.show_speed(response)
            self.show_used(response.usage.total_tokens)

    def show_used(self, tokens: int) -> None:
        """Show how much of the context window the shown chat fills."""
        self._used = tokens
        self._view.show_context(self._used, self._limit)

    def close(self) -> None:
        """Stop listening."""
        self._leave()

    def _heard(self, event: FeedEvent) -> None:
        match event:
            case EngineChanged(status):
                self._show(status)
            case Notice(failure):
                self._view.show_failure(failure)

    def _show(self, status: EngineStatus) -> None:
        planned, launches = self._runtime.planned, self._runtime.launches
        quant = launches.quant(planned.model) if planned else ""
        short = planned is not None and launches.fit(planned.plan) is Fit.SHORT
        self._view.show_engine(status, quant, badge_of(planned, status, short=short))
        if status.failure and status.state is not EngineState.READY:
            self._view.show_failure(status.failure)
        elif status.state is EngineState.READY:
            self._view.clear_failure()
            self._tasks.spawn(self._read_limit(), "read context window")
            if self._chosen:
                self._tasks.spawn(self._remember(self._chosen), "remember the model")
                self._chosen = ""

    async def _offer(self, models: Sequence[ModelRef]) -> None:
        async for offer in self._runtime.launches.offers(models):
            self._view.show_offer(offer)

    async def _load_again(self) -> None:
        # What goes wrong comes as a status, like every other failure of the engine.
        with contextlib.suppress(RonyError):
            await self._runtime.ready()

    async def _read_limit(self) -> None:
        self._limit = await self._runtime.context_window()
        self._view.show_context(self._used, self._limit)
