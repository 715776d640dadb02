"""One answer on its way: the question made durable, the turn run, every word and call kept."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol

from rony_desktop.app.feed import Feed
from rony_desktop.app.id import new_id
from rony_desktop.app.keep import Keeper
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.agent import Loop, Response
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import (
    AnswerStarted,
    Append,
    Iteration,
    SessionChanged,
    TextDelta,
    ThinkingDelta,
    ToolProgress,
    TurnEvent,
    TurnFinished,
    TurnStarted,
    WaitingForEngine,
)
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.port import SessionStore
from rony_desktop.contract.session import NewEntry, Session
from rony_desktop.store.lock import whole

KEEP_EVERY_S = 0.5
SILENCE_S = 3.0


class Surroundings(Protocol):
    """What has to be read before a turn: the folder of its session."""

    async def prepare(self, session: Session) -> None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Services:
    """What an answer is made with."""

    store: SessionStore
    loop: Loop
    runtime: Runtime
    feed: Feed
    surroundings: Surroundings | None = None


@dataclass(slots=True)
class Answer:
    """Runs one turn of a session; events come through the queue.

    run() ends normally for every outcome; cancelling its task is how a turn is stopped, and it then
    ends only when the engine is at rest and the answer is marked interrupted. Whoever ran it puts
    the None that ends the queue: a task cancelled before its first step runs nothing.
    """

    services: Services
    first: Session
    text: str
    ids: tuple[str, str]
    events: asyncio.Queue[TurnEvent | None] = field(default_factory=asyncio.Queue)
    _kept: Keeper = field(init=False)
    _heard_at: float = field(default_factory=time.monotonic, init=False)
    _begun: float = field(default_factory=time.monotonic, init=False)
    _over: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._kept = Keeper(self.services.store, self.services.feed, self.first)

    @property
    def session(self) -> Session:
        """The session as it stands, what was added by this turn included."""
        return self._kept.session

    @property
    def owed(self) -> list[NewEntry]:
        """What could not be written at the end; it has to be written when that is possible."""
        return self._kept.owed

    async def run(self) -> None:
        """Run the turn to its end."""
        keeping: asyncio.Task[None] | None = None
        beginning = asyncio.create_task(self._begin(), name="begin answer")
        try:
            if not await asyncio.shield(beginning):
                return
            keeping = asyncio.create_task(self._keep_often(), name="keep answer")
            await self._turn()
        except RonyError as error:
            await self._end(self._response(StopReason.ERROR, error.failure()))
        except asyncio.CancelledError:
            await asyncio.shield(asyncio.ensure_future(self._interrupted(beginning)))
            raise
        finally:
            if keeping:
                keeping.cancel()

    async def note(self, progress: ToolProgress) -> None:
        """Make durable how far a call came, then say so; a stop waits for both.

        Raises:
            StorageError, SessionError: it is not written; the next step must not be taken.
        """
        await whole(self._note(progress))

    async def _note(self, progress: ToolProgress) -> None:
        await self._kept.progress(progress)
        self._heard_at = time.monotonic()
        self.events.put_nowait(progress)

    async def _begin(self) -> bool:
        question, answer = self.ids
        try:
            await self._kept.begin(question, self.text, answer, self._model())
        except RonyError as error:
            refused = self._response(StopReason.ERROR, error.failure())
            self.events.put_nowait(TurnFinished(refused))
            return False
        self.events.put_nowait(TurnStarted(self.session.id, question, answer))
        self.services.feed.publish(SessionChanged(self.session.id))
        return True

    async def _turn(self) -> None:
        with self.services.runtime.idle.busy():
            await self._answered()

    async def _answered(self) -> None:
        services, runtime = self.services, self.services.runtime
        if services.surroundings:
            await services.surroundings.prepare(self.session)
        if runtime.status().state is not EngineState.READY:
            self.events.put_nowait(WaitingForEngine(runtime.status()))
            await runtime.ready()
        async with aclosing(services.loop.run_stream("", self.session)) as events:
            async for event in events:
                self._heard_at = time.monotonic()
                if isinstance(event, TurnFinished):
                    await self._end(event.response)
                    return
                # A stop waits for what is being written: half known, it would be written twice.
                taking = self._take(event)
                await (whole(taking) if isinstance(event, Iteration | Append) else taking)

    async def _take(self, event: TurnEvent) -> None:
        """Keep what an event brings, then show it."""
        match event:
            case TextDelta(text):
                self._open()
                self._kept.take("text", text)
            case ThinkingDelta(text):
                self._open()
                self._kept.take("thinking", text)
            case Iteration(message=message, usage=usage) if message.tool_calls:
                self._open()
                id = self._kept.message
                await self._kept.calls(message, usage, self._model())
                event = replace(event, message=replace(message, id=id))
            case Append(message):
                event = Append(await self._kept.result(message))
        self.events.put_nowait(event)

    def _open(self) -> None:
        """After tools, words begin a new message."""
        if not self._kept.message:
            self._kept.open(new_id(), self._model())
            self.events.put_nowait(AnswerStarted(self._kept.message))

    async def _keep_often(self) -> None:
        """Write new text twice a second, and have a silent engine looked at."""
        while True:
            await asyncio.sleep(KEEP_EVERY_S)
            # While a tool runs or the user is asked, nobody expects the engine to speak.
            silent = time.monotonic() - self._heard_at > SILENCE_S
            if silent and not self.session.unanswered:
                self.services.runtime.suspect()
            await self._kept.keep()

    async def _interrupted(self, beginning: asyncio.Task[bool]) -> None:
        # Stop may come while the question is being written: it is then kept, and said to be.
        if not await beginning:
            return
        await self.services.runtime.settle()
        await self._end(self._response(StopReason.CANCELLED))

    async def _end(self, response: Response) -> None:
        """Close the answer, once: a stop that comes meanwhile finds it ended."""
        if not self._over:
            self._over = True
            await whole(self._close(response))

    async def _close(self, response: Response) -> None:
        """Close the answer durably, then say so."""
        response = replace(response, model=response.model or self._model())
        known, was_open = len(self.session.messages), self._kept.message
        response = await self._kept.end(response)
        for rest in self.session.messages[known:-1]:
            self.events.put_nowait(Append(rest.message))
        if not was_open and self.session.leaf:
            self.events.put_nowait(AnswerStarted(self.session.leaf))
        self.events.put_nowait(TurnFinished(response))
        self.services.feed.publish(SessionChanged(self.session.id))
        self.services.runtime.learned(response.timings)

    def _model(self) -> str:
        model = self.services.runtime.model
        return model.id if model else ""

    def _response(self, reason: StopReason, failure: Failure | None = None) -> Response:
        return Response(
            content=self._kept.shown("text"),
            stop_reason=reason,
            duration_s=time.monotonic() - self._begun,
            failure=failure,
            model=self._model(),
        )
