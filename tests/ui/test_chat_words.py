"""Messages as the transcript shows them."""

from __future__ import annotations

import pytest

from rony_desktop.contract.error import SessionTorn, StreamBroken
from rony_desktop.contract.llm import TURN_REASONS, StopReason, Timings
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.session import MessageStatus, Session, SessionMessage
from rony_desktop.ui.chat.block import ShownStatus
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
