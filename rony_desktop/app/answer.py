"""One answer on its way: the question made durable, the turn run, every word kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rony_desktop.app.feed import Feed
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.agent import Loop, Response
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import (
    Notice,
    SessionChanged,
    TextDelta,
    ThinkingDelta,
    TurnEvent,
    TurnFinished,
    TurnStarted,
    WaitingForEngine,
)
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.port import SessionStore
from rony_desktop.contract.session import (
    EntryKind,
    MessageStatus,
    NewEntry,
    Session,
    SessionMessage,
)

KEEP_EVERY_S = 0.5
SILENCE_S = 3.0


@dataclass(frozen=True, slots=True)
class Services:
    """What an answer is made with."""

    store: SessionStore
    loop: Loop
    runtime: Runtime
    feed: Feed


@dataclass(slots=True)
class Answer:
    """Runs one turn of a session; events come through the queue.

    run() ends normally for every outcome; cancelling its task is how a turn is stopped, and it then
    ends only when the engine is at rest and the answer is marked interrupted. owed is what could
    not be written at its end; whoever ran it writes it when that is possible again, and puts the
    None that ends the queue: a task cancelled before its first step runs nothing.
    """

    services: Services
    session: Session
    text: str
    ids: tuple[str, str]
    events: asyncio.Queue[TurnEvent | None] = field(default_factory=asyncio.Queue)
    owed: list[NewEntry] = field(default_factory=list, init=False)
    _unkept: dict[str, str] = field(default_factory=dict, init=False)
    _shown: dict[str, str] = field(default_factory=lambda: {"text": "", "thinking": ""}, init=False)
    _heard_at: float = field(default_factory=time.monotonic, init=False)
    _failing: bool = field(default=False, init=False)
    _keeping: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    _begun: float = field(default_factory=time.monotonic, init=False)

    @property
    def id(self) -> str:
        """Id of the answer's message."""
        return self.ids[1]

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

    async def _begin(self) -> bool:
        """Make the question durable and open the answer, in one write, before anything is sent.

        Where that fails nothing is sent and the session stays as it was.
        """
        question, answer = self.ids
        asked = Message(Role.USER, self.text, question) if self.text else None
        parent = self.session.leaf
        entries = []
        if asked:
            body = {"role": Role.USER, "content": self.text}
            entries.append(NewEntry(EntryKind.MESSAGE, body, parent, question))
        body = {"role": Role.ASSISTANT, "content": "", "model": self._model()}
        entries.append(NewEntry(EntryKind.MESSAGE, body, question if asked else parent, answer))
        try:
            await self.services.store.append(self.session.id, entries, durable=True)
        except RonyError as error:
            refused = self._response(StopReason.ERROR, error.failure())
            self.events.put_nowait(TurnFinished(refused))
            return False
        if asked:
            self._add(SessionMessage(asked, parent))
        self.events.put_nowait(TurnStarted(self.session.id, question, answer))
        self.services.feed.publish(SessionChanged(self.session.id))
        return True

    async def _turn(self) -> None:
        runtime = self.services.runtime
        if runtime.status().state is not EngineState.READY:
            self.events.put_nowait(WaitingForEngine(runtime.status()))
            await runtime.ready()
        async with aclosing(self.services.loop.run_stream("", self.session)) as events:
            async for event in events:
                self._heard_at = time.monotonic()
                match event:
                    case TextDelta(text):
                        self._take("text", text)
                    case ThinkingDelta(text):
                        self._take("thinking", text)
                    case TurnFinished(response):
                        await self._end(response)
                        return
                self.events.put_nowait(event)

    def _take(self, kind: str, text: str) -> None:
        self._unkept[kind] = self._unkept.get(kind, "") + text
        self._shown[kind] += text

    async def _keep_often(self) -> None:
        """Write new text twice a second, and have a silent engine looked at."""
        while True:
            await asyncio.sleep(KEEP_EVERY_S)
            if time.monotonic() - self._heard_at > SILENCE_S:
                self.services.runtime.suspect()
            await self._keep()

    async def _keep(self, *end: NewEntry) -> None:
        """Write what is not yet written; what cannot be written stays for the next time."""
        async with self._keeping:
            await self._write(end)

    async def _write(self, end: tuple[NewEntry, ...]) -> None:
        taken, self._unkept = self._unkept, {}
        deltas = [NewEntry(EntryKind.DELTA, {k: v}, self.id) for k, v in taken.items()]
        if not deltas and not end:
            return
        try:
            await self.services.store.append(self.session.id, [*deltas, *end], durable=bool(end))
            self._failing = False
        except RonyError as error:
            if end:
                self.owed, taken = [*deltas, *end], {}
            for kind, text in taken.items():
                self._unkept[kind] = text + self._unkept.get(kind, "")
            if not self._failing or end:
                self.services.feed.publish(Notice(error.failure()))
            self._failing = True

    async def _interrupted(self, beginning: asyncio.Task[bool]) -> None:
        # Stop may come while the question is being written: it is then kept, and said to be.
        if not await beginning:
            return
        await self.services.runtime.settle()
        await self._end(self._response(StopReason.CANCELLED))

    async def _end(self, response: Response) -> None:
        """Close the answer durably, then say so."""
        text = self._shown["text"]
        response = replace(response, content=text, model=response.model or self._model())
        message = Message(Role.ASSISTANT, text, self.id, thinking=self._shown["thinking"])
        answer = ended(message, response)
        await self._keep(NewEntry(EntryKind.END, _end_body(answer.status, response), self.id))
        self._add(replace(answer, parent=self.session.leaf))
        self.events.put_nowait(TurnFinished(response))
        self.services.feed.publish(SessionChanged(self.session.id))

    def _add(self, message: SessionMessage) -> None:
        self.session = replace(self.session, messages=(*self.session.messages, message))

    def _model(self) -> str:
        model = self.services.runtime.model
        return model.id if model else ""

    def _response(self, reason: StopReason, failure: Failure | None = None) -> Response:
        return Response(
            content=self._shown["text"],
            stop_reason=reason,
            duration_s=time.monotonic() - self._begun,
            failure=failure,
            model=self._model(),
        )


def ended(message: Message, response: Response) -> SessionMessage:
    """An answer as its response ends it."""
    whole = response.stop_reason not in (StopReason.ERROR, StopReason.CANCELLED)
    return SessionMessage(
        message,
        status=MessageStatus.COMPLETE if whole else MessageStatus.INTERRUPTED,
        stop_reason=response.stop_reason,
        usage=response.usage,
        timings=response.timings,
        failure=response.failure,
        model=response.model,
    )


def _end_body(status: MessageStatus, response: Response) -> Mapping[str, Any]:
    body: dict[str, Any] = {
        "status": status,
        "stop_reason": response.stop_reason,
        "model": response.model,
    }
    if response.usage.total_tokens:
        body["usage"] = asdict(response.usage)
        body["timings"] = asdict(response.timings)
    if response.failure:
        body["failure"] = {"code": response.failure.code, "params": dict(response.failure.params)}
    return body
