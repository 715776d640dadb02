"""Writes a turn to its session as it comes: words often, what must last before anything else."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO

from rony_desktop.app.feed import Feed
from rony_desktop.app.id import new_id
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import RonyError
from rony_desktop.contract.event import Notice, ToolProgress
from rony_desktop.contract.llm import StopReason, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.port import SessionStore
from rony_desktop.contract.session import (
    CallTrace,
    EntryKind,
    MessageStatus,
    NewEntry,
    Session,
    SessionMessage,
)
from rony_desktop.contract.tool import NOT_RUN, NotRun, ToolState
from rony_desktop.store.session_body import write_end, write_message, write_trace

_WHY = {
    NotRun.STOPPED: "the user stopped the turn",
    NotRun.CLOSED: "the program was closed",
    NotRun.ENDED: "the turn ended",
}


class Keeper:
    """The session of one turn, in memory and on disk.

    message is the id of the assistant message being written, "" between tools and the next words.
    owed is what could not be written at the end; whoever ran the turn writes it when it can.
    """

    def __init__(self, store: SessionStore, feed: Feed, session: Session) -> None:
        self._store = store
        self._feed = feed
        self.session = session
        self.message = ""
        self.owed: list[NewEntry] = []
        self._shown = _nothing_shown()
        self._unkept: dict[str, list[str]] = {}
        self._opening: list[NewEntry] = []
        self._calling = ""
        self._spent = TokenUsage()
        self._failing = False
        self._lock = asyncio.Lock()

    async def begin(self, question: str, text: str, answer: str, model: str) -> None:
        """Make the question durable and open the answer, in one write, before anything is sent.

        A folder chosen before the chat had a message is written with its first.

        Raises:
            StorageError, SessionError: nothing is written, and the session stays as it was.
        """
        before = self.session
        if text:
            self._opening = [_entry(Message(Role.USER, text, question), before.leaf)]
            self._add(SessionMessage(Message(Role.USER, text, question), before.leaf))
        if before.folder and not before.messages:
            self._opening.append(NewEntry(EntryKind.MARK, {"folder": before.folder}))
        self.open(answer, model)
        try:
            await self._write(durable=True)
        except RonyError:
            self.session, self._opening, self.message = before, [], ""
            raise

    def open(self, id: str, model: str) -> None:
        """Begin an assistant message; it is written together with what comes next."""
        body = write_message(Message(Role.ASSISTANT), model)
        self._opening.append(NewEntry(EntryKind.MESSAGE, body, self.session.leaf, id))
        self.message = id
        self._shown = _nothing_shown()

    def take(self, kind: str, text: str) -> None:
        """Take new text of the message being written."""
        self._unkept.setdefault(kind, []).append(text)
        self._shown[kind].write(text)

    def shown(self, kind: str) -> str:
        """The text of the message being written, so far."""
        return self._shown[kind].getvalue()

    async def keep(self) -> None:
        """Write what is not yet written; what cannot be written stays for the next time."""
        try:
            await self._write(durable=False)
            self._failing = False
        except RonyError as error:
            if not self._failing:
                self._feed.publish(Notice(error.failure()))
            self._failing = True

    async def calls(self, message: Message, usage: TokenUsage, model: str) -> None:
        """Close the message being written with the calls it asks for, before any is run.

        Raises:
            StorageError, SessionError: it is not written; the calls must not be run.
        """
        asking = Message(
            Role.ASSISTANT,
            self.shown("text"),
            self.message,
            self.shown("thinking"),
            message.tool_calls,
        )
        response = Response(asking.content, StopReason.TOOL_USE, usage=usage, model=model)
        answer = ended(asking, response)
        await self._write(NewEntry(EntryKind.END, write_end(answer), self.message), durable=True)
        self._spent += usage
        self._calling, self.message = self.message, ""
        self._add(replace(answer, parent=self.session.leaf))
        self._shown = _nothing_shown()

    async def progress(self, progress: ToolProgress) -> None:
        """Write how far a call came; durable but for its end, which its result follows.

        Raises:
            StorageError, SessionError: it is not written; the next step must not be taken.
        """
        body = write_trace(progress.call, CallTrace(progress.state, progress.params))
        entry = NewEntry(EntryKind.TOOL, body, self._calling)
        await self._write(entry, durable=progress.state is not ToolState.DONE)
        before = self.session.calls.get(progress.call)
        params = {**(before.params if before else {}), **progress.params}
        traces = {**self.session.calls, progress.call: CallTrace(progress.state, params)}
        self.session = replace(self.session, calls=traces)

    async def result(self, message: Message) -> Message:
        """Make a call's result durable; it comes back with its id.

        Raises:
            StorageError, SessionError: it is not written; the turn must end.
        """
        kept = replace(message, id=new_id())
        await self._write(_entry(kept, self.session.leaf), durable=True)
        self._add(SessionMessage(kept, self.session.leaf))
        return kept

    async def end(self, response: Response) -> Response:
        """Answer the calls that have no result, close the answer, and return it as it was kept."""
        stopped = response.stop_reason is StopReason.CANCELLED
        for rest in unanswered(self.session, NotRun.STOPPED if stopped else NotRun.ENDED):
            self._opening.append(_entry(rest.message, rest.parent))
            self._add(rest)
        if not self.message:
            self.open(new_id(), response.model)
        text = self.shown("text")
        message = Message(Role.ASSISTANT, text, self.message, self.shown("thinking"))
        response = replace(response, content=text)
        # Each message counts its own tokens; the response counts the whole turn's.
        answer = ended(message, replace(response, usage=_less(response.usage, self._spent)))
        end = NewEntry(EntryKind.END, write_end(answer), self.message)
        try:
            await self._write(end, durable=True)
        except RonyError as error:
            self.owed = [*self._opening, *self._deltas(self._unkept), end]
            self._opening, self._unkept = [], {}
            self._feed.publish(Notice(error.failure()))
        self._add(replace(answer, parent=self.session.leaf))
        return response

    async def _write(self, *entries: NewEntry, durable: bool) -> None:
        """Write what waits, then these; after a failure all that waited still waits."""
        async with self._lock:
            opening, self._opening = self._opening, []
            taken, self._unkept = self._unkept, {}
            everything = [*opening, *self._deltas(taken), *entries]
            if not everything:
                return
            try:
                await self._store.append(self.session.id, everything, durable=durable)
            except RonyError:
                self._opening = [*opening, *self._opening]
                for kind, text in taken.items():
                    self._unkept[kind] = [*text, *self._unkept.get(kind, ())]
                raise

    def _deltas(self, taken: Mapping[str, list[str]]) -> list[NewEntry]:
        return [NewEntry(EntryKind.DELTA, {k: "".join(v)}, self.message) for k, v in taken.items()]

    def _add(self, message: SessionMessage) -> None:
        self.session = replace(self.session, messages=(*self.session.messages, message))


def unanswered(session: Session, why: NotRun) -> list[SessionMessage]:
    """A result for every call that has none, so that the conversation can go on."""
    parent = session.leaf
    made: list[SessionMessage] = []
    for call in session.unanswered:
        trace = session.calls.get(call.id)
        content = _not_run(call, trace.state if trace else None, why)
        result = ToolResult(content, is_error=True, metadata={NOT_RUN: why})
        message = Message(Role.TOOL, content, new_id(), tool_call_id=call.id, tool_result=result)
        made.append(SessionMessage(message, parent))
        parent = message.id
    return made


def closing(session: Session) -> list[NewEntry]:
    """What a session needs after the program ended in the middle of its calls: nothing, mostly.

    The last entry is an answer that was interrupted, from which the user may go on.
    """
    results = unanswered(session, NotRun.CLOSED)
    if not results:
        return []
    body = write_message(Message(Role.ASSISTANT), session.messages[-1].model)
    last = NewEntry(EntryKind.MESSAGE, body, results[-1].message.id, new_id())
    end = NewEntry(EntryKind.END, {"status": MessageStatus.INTERRUPTED.value}, last.id)
    return [*(_entry(result.message, result.parent) for result in results), last, end]


def ended(message: Message, response: Response) -> SessionMessage:
    """An answer as its response ends it."""
    whole = response.stop_reason not in (StopReason.ERROR, StopReason.CANCELLED)
    return SessionMessage(
        message,
        status=MessageStatus.COMPLETE if whole else MessageStatus.INTERRUPTED,
        stop_reason=response.stop_reason,
        usage=response.usage if response.usage.total_tokens else None,
        timings=response.timings,
        failure=response.failure,
        model=response.model,
    )


def _nothing_shown() -> dict[str, StringIO]:
    return {"text": StringIO(), "thinking": StringIO()}


def _entry(message: Message, parent: str | None) -> NewEntry:
    return NewEntry(EntryKind.MESSAGE, write_message(message), parent, message.id)


def _not_run(call: ToolCall, state: ToolState | None, why: NotRun) -> str:
    if state is ToolState.DONE:
        return f"{call.name} was run, but what it said is lost: {_WHY[why]}."
    if state is ToolState.STARTED:
        return f"{call.name} was broken off: {_WHY[why]}. It may have been done in part."
    return f"{call.name} was not run: {_WHY[why]}."


def _less(whole: TokenUsage, part: TokenUsage) -> TokenUsage:
    return TokenUsage(
        max(0, whole.input_tokens - part.input_tokens),
        max(0, whole.output_tokens - part.output_tokens),
        max(0, whole.cached_tokens - part.cached_tokens),
    )
