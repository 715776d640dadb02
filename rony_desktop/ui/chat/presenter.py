"""Drives one conversation pane: what is opened, sent, streamed and stopped."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Protocol

from rony_desktop.app.chat import ChatService
from rony_desktop.app.id import new_id
from rony_desktop.app.keep import ended
from rony_desktop.contract.agent import Response
from rony_desktop.contract.approval import ApprovalRequest
from rony_desktop.contract.engine import EngineStatus
from rony_desktop.contract.error import Failure, RonyError
from rony_desktop.contract.event import (
    AnswerStarted,
    Append,
    ApprovalAsked,
    CallForming,
    Iteration,
    Prefill,
    TextDelta,
    ThinkingDelta,
    ToolProgress,
    TurnEvent,
    TurnFinished,
    TurnStarted,
    WaitingForEngine,
)
from rony_desktop.contract.llm import Progress, StopReason
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.session import Session, SessionMessage
from rony_desktop.contract.tool import ToolState


class ChatView(Protocol):
    """What the presenter asks of the pane; the pane turns values into words."""

    def show_session(self, session: Session, *, live: bool = False) -> None: ...  # noqa: D102
    def add_question(self, message: SessionMessage) -> None: ...  # noqa: D102
    def begin_answer(self, message: SessionMessage) -> None: ...  # noqa: D102
    def append_text(self, text: str) -> None: ...  # noqa: D102
    def append_thinking(self, text: str) -> None: ...  # noqa: D102
    def end_answer(self, message: SessionMessage) -> None: ...  # noqa: D102
    def show_forming(self, name: str, characters: int) -> None: ...  # noqa: D102
    def add_call(self, call: ToolCall) -> None: ...  # noqa: D102
    def update_call(self, id: str, state: ToolState, params: Mapping[str, str]) -> None: ...  # noqa: D102
    def end_call(self, message: Message) -> None: ...  # noqa: D102
    def ask(self, request: ApprovalRequest) -> None: ...  # noqa: D102
    def dismiss(self, request: ApprovalRequest) -> None: ...  # noqa: D102
    def show_busy(self, busy: bool) -> None: ...  # noqa: D102
    def show_progress(self, progress: Progress | None) -> None: ...  # noqa: D102
    def show_waiting(self, status: EngineStatus) -> None: ...  # noqa: D102
    def show_failure(self, failure: Failure) -> None: ...  # noqa: D102
    def set_draft(self, text: str) -> None: ...  # noqa: D102


@dataclass(slots=True)
class _Running:
    """A turn on its way, shown or not: enough to show it again after a change of chat.

    answer, text and thinking are of the message being written; between a call and the next words
    there is none, and everything is in the store. steps counts what the store has more of.
    """

    session: str
    question: str
    answer: str = ""
    text: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    pending: ApprovalRequest | None = None
    steps: int = 0

    def take(self, event: TurnEvent) -> bool:
        """Take in what an event adds; true for the first piece of text of a message."""
        match event:
            case TextDelta(text):
                first = not self.text
                self.text.append(text)
                return first
            case ThinkingDelta(text):
                self.thinking.append(text)
                return False
            case TurnStarted(answer=answer) | AnswerStarted(answer=answer):
                self.begin(answer)
            case ApprovalAsked(request):
                self.pending = request
        self.steps += 1
        return False

    def begin(self, answer: str) -> None:
        """Begin the message of this id, "" for none."""
        self.answer, self.text, self.thinking = answer, [], []

    def message(self, calls: tuple[ToolCall, ...] = ()) -> SessionMessage:
        """The message being written as it stands, or as it ends with calls."""
        text, thinking = "".join(self.text), "".join(self.thinking)
        message = Message(Role.ASSISTANT, text, self.answer, thinking, calls)
        return SessionMessage(message, stop_reason=StopReason.TOOL_USE if calls else None)

    def settled(self, event: TurnEvent) -> ApprovalRequest | None:
        """The question that an event has settled, once."""
        request = self.pending
        match event:
            case ToolProgress(call=id, state=state) if state is not ToolState.ASKED:
                over = request is not None and request.call.id == id
            case Append(message):
                over = request is not None and request.call.id == message.tool_call_id
            case TurnFinished():
                over = True
            case _:
                over = False
        if over:
            self.pending = None
        return request if over else None


class ChatPresenter:
    """Shows one chat at a time; turns of other chats go on unseen.

    shown is told the id of the chat that is shown; finished is told of the responses in it.
    Questions of every chat are passed to the view: whoever shows them knows which chat is shown.
    """

    def __init__(
        self,
        chat: ChatService,
        view: ChatView,
        shown: Callable[[str], None] = lambda _: None,
        finished: Callable[[Response], None] = lambda _: None,
    ) -> None:
        self._chat = chat
        self._view = view
        self._shown = shown
        self._finished = finished
        self._running: dict[str, _Running] = {}
        self._drafts: dict[str, str] = {}
        self.session = new_id()
        self._wanted = self.session

    def new(self) -> None:
        """Show an empty chat; nothing is written until its first message."""
        self._wanted = new_id()
        self._show(Session(self._wanted))

    async def open(self, session: str) -> None:
        """Show a chat as it stands, its running answer included."""
        self._wanted = session
        if session in self._running or session != self.session:
            try:
                found = await self._read(session)
            except RonyError:
                self._shown(self.session)  # the mark goes back to the chat that is still shown
                raise
            # Whoever chose another chat meanwhile wants that one.
            if self._wanted == session:
                self._show(found)

    async def _read(self, session: str) -> Session:
        """A chat as it stands; read again where its turn went on meanwhile."""
        while True:
            turn = self._running.get(session)
            steps = turn.steps if turn else 0
            found = await self._chat.open(session)
            if self._running.get(session) is turn and (turn is None or turn.steps == steps):
                return found

    def draft(self, text: str) -> None:
        """Remember what is typed, by chat."""
        self._drafts[self.session] = text

    async def send(self, text: str) -> None:
        """Ask in the shown chat; an empty question or a busy chat changes nothing."""
        text = text.strip()
        if text and self.session not in self._running:
            await self._run(text, self._chat.send(self.session, text))

    async def retry(self) -> None:
        """Answer the shown chat's newest question again."""
        if self.session not in self._running:
            await self._run("", self._chat.retry(self.session))

    async def stop(self) -> None:
        """Stop the shown chat's answer."""
        if self.session in self._running:
            await self._chat.stop(self.session)

    def _show(self, session: Session) -> None:
        self.session = session.id
        running = self._running.get(session.id)
        if running:
            messages = tuple(m for m in session.messages if m.message.id != running.answer)
            session = replace(session, messages=messages)
        self._view.show_session(session, live=running is not None)
        self._view.show_progress(None)
        self._view.show_busy(running is not None)
        self._view.set_draft(self._drafts.get(session.id, ""))
        if running and running.answer:
            self._view.begin_answer(running.message())
        if running and running.pending:
            self._view.ask(running.pending)
        self._shown(session.id)

    async def _run(self, text: str, events: AsyncGenerator[TurnEvent, None]) -> None:
        turn = _Running(self.session, text)
        self._running[turn.session] = turn
        self._view.show_busy(True)
        try:
            async with aclosing(events) as stream:
                async for event in stream:
                    self._take(turn, event)
                    # The question is answered anew on a branch of its own.
                    anew = isinstance(event, TurnStarted) and not text
                    if anew and self._wanted == turn.session:
                        await self.open(turn.session)
        finally:
            del self._running[turn.session]
            if turn.session == self.session:
                self._view.show_busy(False)
                self._view.show_progress(None)

    def _take(self, turn: _Running, event: TurnEvent) -> None:
        first = turn.take(event)
        if isinstance(event, TurnStarted) and turn.question:
            # The question is durable now: only here may the draft be forgotten, and of it no
            # more than was sent.
            draft = self._drafts.pop(turn.session, "").lstrip()
            self._drafts[turn.session] = draft.removeprefix(turn.question).lstrip()
        if isinstance(event, ApprovalAsked):
            self._view.ask(event.request)
        elif request := turn.settled(event):
            self._view.dismiss(request)
        if turn.session == self.session:
            self._show_event(turn, event, first=first)
        if isinstance(event, Iteration) and event.message.tool_calls:
            turn.begin("")

    def _show_event(self, turn: _Running, event: TurnEvent, *, first: bool) -> None:
        view = self._view
        match event:
            case TurnStarted():
                self._show_start(turn, event)
            case WaitingForEngine(status):
                view.show_waiting(status)
            case Prefill(progress):
                view.show_progress(progress)
            case TextDelta(text):
                if first:
                    view.show_progress(None)
                view.append_text(text)
            case ThinkingDelta(text):
                view.append_thinking(text)
            case TurnFinished(response):
                self._show_end(turn, response)
            case _:
                self._show_step(turn, event)

    def _show_step(self, turn: _Running, event: TurnEvent) -> None:
        """Show what a turn with tools adds."""
        view = self._view
        match event:
            case CallForming(name, characters):
                view.show_forming(name, characters)
            case Iteration(message=message) if message.tool_calls:
                view.show_progress(None)
                view.end_answer(turn.message(message.tool_calls))
                for call in message.tool_calls:
                    view.add_call(call)
            case ToolProgress(call, state, params):
                view.update_call(call, state, params)
            case Append(message) if message.role is Role.TOOL:
                view.end_call(message)
            case AnswerStarted():
                view.begin_answer(turn.message())

    def _show_start(self, turn: _Running, event: TurnStarted) -> None:
        if turn.question:
            self._view.set_draft(self._drafts.get(turn.session, ""))
            question = Message(Role.USER, turn.question, event.run)
            self._view.add_question(SessionMessage(question))
            self._view.begin_answer(turn.message())

    def _show_end(self, turn: _Running, response: Response) -> None:
        if turn.answer:
            self._view.end_answer(ended(turn.message().message, response))
        elif response.failure:
            self._view.show_failure(response.failure)
        self._finished(response)
