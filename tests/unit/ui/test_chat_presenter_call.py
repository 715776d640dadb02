"""A turn with tools in the conversation pane: calls, questions, and coming back to them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from rony_desktop.contract.agent import Response
from rony_desktop.contract.approval import ApprovalRequest, AskReason
from rony_desktop.contract.event import (
    AnswerStarted,
    Append,
    ApprovalAsked,
    CallForming,
    Iteration,
    Prefill,
    TextDelta,
    ToolProgress,
    TurnEvent,
    TurnFinished,
    TurnStarted,
)
from rony_desktop.contract.llm import Progress, StopReason, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import MessageStatus, Session, SessionMessage
from rony_desktop.contract.tool import ToolState
from rony_desktop.ui.chat.presenter import ChatPresenter
from tests.fake.chat_view import FakeChatView

CALL = ToolCall("c1", "write_file", '{"path": "a.md"}')
OTHER = ToolCall("c2", "read_file", '{"path": "b.md"}')
REQUEST = ApprovalRequest("s", CALL, AskReason.CHANGES, "/notes", "open", "digest")


def asks(*calls: ToolCall) -> Iteration:
    message = Message(Role.ASSISTANT, "", "a", tool_calls=calls)
    return Iteration(1, message, TokenUsage(10, 3), 0.1)


def result(call: ToolCall, text: str) -> Append:
    return Append(Message(Role.TOOL, text, "r", tool_call_id=call.id, tool_result=ToolResult(text)))


def step(call: ToolCall, state: ToolState, **params: str) -> ToolProgress:
    return ToolProgress(call.id, state, params)


class Steps:
    """A ChatService whose one turn is told event by event; open gives what is in the store."""

    def __init__(self) -> None:
        self.events: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
        self.sessions: dict[str, Session] = {}
        self.reading: asyncio.Event | None = None
        self.read = 0

    async def send(self, session: str, text: str) -> AsyncIterator[TurnEvent]:
        while event := await self.events.get():
            yield event

    async def open(self, session: str) -> Session:
        self.read += 1
        found = self.sessions.get(session, Session(session))
        if self.reading:
            await self.reading.wait()
        return found


class Staged:
    """A presenter whose turn is played by hand."""

    def __init__(self) -> None:
        self.view = FakeChatView()
        self.chat = Steps()
        self.presenter = ChatPresenter(self.chat, self.view)  # type: ignore[arg-type]
        self.presenter.new()
        self.session = self.presenter.session
        self.sending = asyncio.create_task(self.presenter.send("Hi"))
        self.play(TurnStarted(self.session, "q", "a"))

    def play(self, *events: TurnEvent | None) -> None:
        for event in events:
            self.chat.events.put_nowait(event)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(5):
            while not condition():
                await asyncio.sleep(0)

    async def finish(self, reason: StopReason = StopReason.END_TURN) -> None:
        self.play(TurnFinished(Response("", reason)), None)
        await self.sending


async def test_calls_are_shown_one_by_one_and_the_answer_goes_on_after_them() -> None:
    staged = Staged()
    staged.play(
        TextDelta("Let me look."),
        CallForming("write_file", 10),
        CallForming("write_file", 20),
        asks(CALL, OTHER),
        step(CALL, ToolState.STARTED),
        step(CALL, ToolState.DONE, duration_ms="1"),
        result(CALL, "written"),
        step(OTHER, ToolState.STARTED),
        result(OTHER, "read"),
        AnswerStarted("b"),
        TextDelta("It is "),
        TextDelta("done."),
    )
    await staged.finish()
    view = staged.view
    assert view.contents() == ["Hi", "Let me look.", "It is done."]
    assert [message.message.id for message in view.messages[1:]] == ["a", "b"]
    first, last = view.messages[1:]
    assert (first.stop_reason, first.message.tool_calls) == (StopReason.TOOL_USE, (CALL, OTHER))
    assert (first.status, last.stop_reason) == (MessageStatus.COMPLETE, StopReason.END_TURN)
    assert view.forming == [("write_file", 10), ("write_file", 20)]
    assert view.calls == {
        "c1": [ToolState.STARTED, ToolState.DONE, "written"],
        "c2": [ToolState.STARTED, "read"],
    }
    assert view.progress[-1] is None


async def test_the_first_word_after_tools_ends_the_progress_again() -> None:
    staged = Staged()
    half = Progress(10, 0, 5)
    staged.play(TextDelta("x"), asks(CALL), result(CALL, "ok"))
    staged.play(Prefill(half), AnswerStarted("b"), TextDelta("y"))
    await staged.until(lambda: staged.view.text == "y")
    assert staged.view.progress[-2:] == [half, None]
    await staged.finish()


@pytest.mark.parametrize(
    "answer",
    [
        step(CALL, ToolState.ALLOWED),
        step(CALL, ToolState.DENIED, reason="no"),
        result(CALL, "not run"),
        TurnFinished(Response("", StopReason.CANCELLED)),
    ],
)
async def test_a_question_stands_until_its_call_goes_on(answer: TurnEvent) -> None:
    staged = Staged()
    staged.play(asks(CALL, OTHER), step(CALL, ToolState.ASKED), ApprovalAsked(REQUEST))
    await staged.until(lambda: staged.view.asked)
    staged.play(step(OTHER, ToolState.STARTED), step(CALL, ToolState.ASKED), result(OTHER, "x"))
    await staged.until(lambda: staged.view.calls["c2"][1:])
    assert staged.view.asked == [REQUEST]
    staged.play(answer)
    await staged.until(lambda: not staged.view.asked)
    staged.play(None)
    await staged.sending


async def test_a_question_of_another_chat_is_passed_on_as_well() -> None:
    staged = Staged()
    await staged.until(lambda: staged.view.open)
    staged.presenter.new()
    staged.play(asks(CALL), ApprovalAsked(REQUEST))
    await staged.until(lambda: staged.view.asked)
    assert staged.view.calls == {}
    await staged.finish()
    assert staged.view.asked == []


async def test_coming_back_between_words_and_tools_shows_what_is_in_the_store() -> None:
    staged = Staged()
    staged.play(TextDelta("Look."), asks(CALL), ApprovalAsked(REQUEST))
    await staged.until(lambda: staged.view.asked)
    asked = Message(Role.ASSISTANT, "Look.", "a", tool_calls=(CALL,))
    staged.chat.sessions[staged.session] = Session(
        staged.session, messages=(SessionMessage(asked),), folder="/notes"
    )
    staged.presenter.new()
    assert not staged.view.live
    staged.view.asked.clear()  # whoever shows questions has taken it away
    await staged.presenter.open(staged.session)
    assert staged.view.live
    assert staged.view.contents() == ["Look."]
    assert staged.view.open is None
    assert staged.view.asked == [REQUEST]
    assert staged.view.session.folder == "/notes"
    staged.play(step(CALL, ToolState.ALLOWED), result(CALL, "ok"), AnswerStarted("b"))
    staged.play(TextDelta("Done."))
    await staged.finish()
    assert staged.view.contents() == ["Look.", "Done."]
    assert staged.view.calls["c1"] == [ToolState.ALLOWED, "ok"]


async def test_coming_back_in_mid_answer_after_tools_shows_its_words_so_far() -> None:
    staged = Staged()
    staged.play(TextDelta("Look."), asks(CALL), result(CALL, "ok"), AnswerStarted("b"))
    staged.play(TextDelta("Do"))
    await staged.until(lambda: staged.view.text == "Do")
    written = (Message(Role.ASSISTANT, "Look.", "a"), Message(Role.ASSISTANT, "D", "b"))
    staged.chat.sessions[staged.session] = Session(
        staged.session, messages=tuple(SessionMessage(message) for message in written)
    )
    staged.presenter.new()
    await staged.presenter.open(staged.session)
    assert (staged.view.contents(), staged.view.text) == (["Look."], "Do")
    staged.play(TextDelta("ne."))
    await staged.finish()
    assert staged.view.contents() == ["Look.", "Done."]


async def test_a_chat_whose_turn_goes_on_while_it_is_read_is_read_again() -> None:
    staged = Staged()
    staged.play(TextDelta("Look."))
    await staged.until(lambda: staged.view.text)
    staged.presenter.new()
    staged.chat.reading = asyncio.Event()
    opening = asyncio.create_task(staged.presenter.open(staged.session))
    await staged.until(lambda: staged.chat.read == 1)
    asked = Message(Role.ASSISTANT, "Look.", "a", tool_calls=(CALL,))
    staged.chat.sessions[staged.session] = Session(
        staged.session, messages=(SessionMessage(asked),)
    )
    staged.play(asks(CALL))
    await staged.until(staged.chat.events.empty)
    await asyncio.sleep(0)
    staged.chat.reading.set()
    await opening
    assert staged.chat.read == 2
    assert staged.view.contents() == ["Look."]
    assert list(staged.view.calls) == ["c1"]
    await staged.finish()


async def test_the_turns_end_is_that_of_the_last_message() -> None:
    staged = Staged()
    staged.play(asks(CALL), result(CALL, "again"), AnswerStarted("b"))
    await staged.finish(StopReason.REPEATED_CALL)
    last = staged.view.messages[-1]
    assert (last.message.id, last.stop_reason) == ("b", StopReason.REPEATED_CALL)
    assert staged.view.messages[-2].stop_reason is StopReason.TOOL_USE
