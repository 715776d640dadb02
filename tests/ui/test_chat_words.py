"""Messages as the transcript shows them."""

from __future__ import annotations

import pytest

from rony_desktop.contract.error import SessionTorn, StreamBroken
from rony_desktop.contract.llm import TURN_REASONS, StopReason, Timings
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import CallTrace, MessageStatus, Session, SessionMessage
from rony_desktop.contract.tool import NOT_RUN, NotRun, ToolState
from rony_desktop.ui.chat.block import CallState, ShownStatus
from rony_desktop.ui.chat.words import conversation, foot, shown
from rony_desktop.ui.error import words

pytestmark = [pytest.mark.ui, pytest.mark.usefixtures("qapp")]
QUESTION = SessionMessage(Message(Role.USER, "Why?", "q"))


def answer(
    text: str = "Because.",
    reason: StopReason | None = StopReason.END_TURN,
    status: MessageStatus = MessageStatus.COMPLETE,
    **more: object,
) -> SessionMessage:
    message = Message(Role.ASSISTANT, text, "a")
    return SessionMessage(message, status=status, stop_reason=reason, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("reason", "status", "ending"),
    [
        (StopReason.END_TURN, MessageStatus.COMPLETE, []),
        (StopReason.CANCELLED, MessageStatus.INTERRUPTED, ["stopped"]),
        (
            StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED,
            MessageStatus.COMPLETE,
            ["cut off: the answer reached its longest length"],
        ),
        (
            StopReason.TIMEOUT,
            MessageStatus.COMPLETE,
            ["cut off: the time for one answer is over"],
        ),
        (StopReason.TOKEN_CAP, MessageStatus.COMPLETE, ["ended: this chat used all its tokens"]),
        (StopReason.MAX_STEPS, MessageStatus.COMPLETE, ["ended: it took too many steps"]),
        (StopReason.MAX_ITERATIONS, MessageStatus.COMPLETE, ["ended: it took too many steps"]),
        (
            StopReason.REPEATED_CALL,
            MessageStatus.COMPLETE,
            ["ended: it repeated the same call"],
        ),
        (
            StopReason.PARSE_ERRORS,
            MessageStatus.COMPLETE,
            ["ended: it could not write a readable call"],
        ),
        (StopReason.UNABLE, MessageStatus.COMPLETE, ["it says it cannot do this"]),
        (StopReason.ERROR, MessageStatus.INTERRUPTED, []),
        (None, MessageStatus.INTERRUPTED, []),
        (None, MessageStatus.COMPLETE, []),
    ],
)
def test_the_foot_says_why_an_answer_ended(
    reason: StopReason | None, status: MessageStatus, ending: list[str]
) -> None:
    message = answer(reason=reason, status=status)
    assert foot(message) == ending
    assert shown(message).foot == tuple(ending)


@pytest.mark.parametrize("reason", sorted(TURN_REASONS - {StopReason.END_TURN}))
def test_no_early_end_is_silent(reason: StopReason) -> None:
    found = shown(answer(reason=reason, status=MessageStatus.INTERRUPTED))
    # Once, not twice: the foot says it, or the label "Interrupted" that is drawn beside it.
    assert bool(found.foot) != (found.status is ShownStatus.INTERRUPTED)


def test_the_foot_names_model_and_speed() -> None:
    timings = Timings(predicted_n=31, predicted_ms=2000)
    assert foot(answer(timings=timings, model="tiny")) == ["tiny", "15.5\u2009tok/s"]
    assert foot(answer(timings=Timings(), model="tiny")) == ["tiny"]


def test_a_question_and_a_running_answer_have_no_foot() -> None:
    assert (shown(QUESTION).role, shown(QUESTION).foot) == ("user", ())
    running = shown(answer(model="tiny"), streaming=True)
    assert (running.role, running.foot, running.status) == ("assistant", (), ShownStatus.STREAMING)


def test_a_failed_answer_carries_its_error() -> None:
    failure = StreamBroken(detail="gone").failure()
    found = shown(answer("Half", StopReason.ERROR, MessageStatus.INTERRUPTED, failure=failure))
    assert found.status is ShownStatus.FAILED
    assert found.error == words(failure)
    assert found.text == "Half"


def test_an_answer_the_program_died_under_may_be_tried_again() -> None:
    cut = answer("Half", None, MessageStatus.INTERRUPTED)
    found = conversation(Session("s", messages=(QUESTION, cut)))[-1]
    assert found.error is not None
    assert found.error.sentence == "This answer was interrupted."
    assert (found.error.button, found.error.action) == ("Try again", "retry")
    assert found.status is ShownStatus.FAILED


def test_an_answer_the_user_stopped_is_left_in_peace() -> None:
    stopped = answer("Half", StopReason.CANCELLED, MessageStatus.INTERRUPTED)
    assert conversation(Session("s", messages=(QUESTION, stopped)))[-1].error is None


def test_only_the_newest_answer_may_be_tried_again() -> None:
    cut = answer("Half", None, MessageStatus.INTERRUPTED)
    found = conversation(Session("s", messages=(QUESTION, cut, QUESTION)))
    assert [message.error for message in found] == [None, None, None]
    assert found[1].status is ShownStatus.INTERRUPTED


def test_what_was_skipped_is_said_first() -> None:
    torn = SessionTorn(count=1, session="s").failure()
    found = conversation(Session("s", messages=(QUESTION,), notices=(torn,)))
    assert [message.role for message in found] == ["notice", "user"]
    assert found[0].text == "1 unreadable line(s) in the chat s were skipped."


def test_an_empty_chat_shows_nothing() -> None:
    assert conversation(Session("s")) == []


CALL = ToolCall("c1", "write_file", '{"path": "a.md"}')
NEXT = ToolCall("c2", "read_file", '{"path": "b.md"}')
ASKING = SessionMessage(
    Message(Role.ASSISTANT, "Look.", "a", tool_calls=(CALL, NEXT)),
    stop_reason=StopReason.TOOL_USE,
    model="tiny",
)
CUT = answer("", None, MessageStatus.INTERRUPTED)


def result(call: ToolCall, text: str, error: bool = False, **metadata: str) -> SessionMessage:
    value = ToolResult(text, error, metadata)
    return SessionMessage(
        Message(Role.TOOL, text, f"r-{call.id}", tool_call_id=call.id, tool_result=value)
    )


def closed(call: ToolCall) -> SessionMessage:
    return result(call, "not run", True, **{NOT_RUN: NotRun.CLOSED})


def traces(**states: ToolState) -> dict[str, CallTrace]:
    return {id: CallTrace(state, {"duration_ms": "7"}) for id, state in states.items()}


def test_calls_come_after_their_answer_with_what_their_tools_said() -> None:
    session = Session(
        "s",
        messages=(QUESTION, ASKING, result(CALL, "<w>"), result(NEXT, "no", True), answer("Done.")),
        calls=traces(c1=ToolState.DONE, c2=ToolState.DONE),
    )
    found = conversation(session, lambda value: value.content.strip("<>"))
    assert [(part.id, part.role) for part in found] == [
        ("q", "user"), ("a", "assistant"), ("c1", "tool"), ("c2", "tool"), ("a", "assistant"),
    ]  # fmt: skip
    assert [part.call.words for part in found if part.call] == [
        "Wrote a.md · 7\u2009ms",
        "Read b.md · no",
    ]
    assert found[2].call is not None
    assert found[2].call.result == "w"


def test_an_answer_with_calls_has_no_line_under_it() -> None:
    found = shown(ASKING)
    assert (found.foot, found.bare, found.text) == ((), True, "Look.")
    assert not shown(answer()).bare


def test_calls_of_a_running_turn_stand_where_they_are() -> None:
    session = Session("s", messages=(QUESTION, ASKING), calls=traces(c1=ToolState.ASKED))
    found = conversation(session, live=True)
    assert [part.call.state for part in found if part.call] == [
        CallState.WAITING,
        CallState.QUEUED,
    ]
    assert found[-1].role == "tool"


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (
            CallTrace(ToolState.ASKED, {"digest": "d"}),
            "Rony was closed before you answered. Nothing was run.",
        ),
        (
            CallTrace(ToolState.STARTED, {"digest": "d"}),
            "Rony was closed while this was running. Look at the file before you go on.",
        ),
        (
            CallTrace(ToolState.STARTED),
            "Rony was closed while this was running. Nothing was changed.",
        ),
        (CallTrace(ToolState.ALLOWED, {"digest": "d"}), "This answer was interrupted."),
    ],
)
@pytest.mark.parametrize(
    "rest", [(), (closed(CALL), closed(NEXT)), (closed(CALL), closed(NEXT), CUT)]
)
def test_what_the_program_ended_under_is_said_with_another_try(
    trace: CallTrace, sentence: str, rest: tuple[SessionMessage, ...]
) -> None:
    session = Session("s", messages=(QUESTION, ASKING, *rest), calls={"c1": trace})
    found = conversation(session)
    assert [part.role for part in found] == ["user", "assistant", "tool", "tool", "assistant"]
    error = found[-1].error
    assert error is not None
    assert (error.sentence, error.button, error.action) == (sentence, "Try again", "retry")
    broken = CallState.INTERRUPTED if trace.state is ToolState.STARTED else CallState.NOT_RUN
    assert [part.call.state for part in found if part.call] == [broken, CallState.NOT_RUN]


def test_a_turn_that_ended_after_its_tools_is_interrupted() -> None:
    session = Session(
        "s",
        messages=(QUESTION, ASKING, result(CALL, "ok"), result(NEXT, "ok")),
        calls=traces(c1=ToolState.DONE, c2=ToolState.STARTED),
    )
    found = conversation(session)
    assert found[-1].error is not None
    assert found[-1].error.sentence == "This answer was interrupted."
    assert [part.call.state for part in found if part.call] == [CallState.DONE, CallState.DONE]


def test_an_answer_cut_without_calls_says_nothing_of_earlier_ones() -> None:
    messages = (QUESTION, ASKING, closed(CALL), closed(NEXT), CUT, QUESTION, CUT)
    session = Session("s", messages=messages, calls=traces(c1=ToolState.STARTED))
    error = conversation(session)[-1].error
    assert error is not None
    assert error.sentence == "This answer was interrupted."
