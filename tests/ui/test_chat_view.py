"""The conversation pane: what it shows for what it is told, and what it reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.approval import ApprovalRequest, AskReason
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import DiskFull, NoModel, StreamBroken
from rony_desktop.contract.llm import Progress, StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import CallTrace, MessageStatus, Session, SessionMessage
from rony_desktop.contract.tool import ToolState
from rony_desktop.ui.chat.view import ChatPane
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
QUESTION = SessionMessage(Message(Role.USER, "Why?", "q"))
ANSWER = SessionMessage(
    Message(Role.ASSISTANT, "Because.", "a"),
    stop_reason=StopReason.END_TURN,
    timings=Timings(predicted_n=3, predicted_ms=100),
    model="tiny",
)
CUT = SessionMessage(Message(Role.ASSISTANT, "Half", "a"), status=MessageStatus.INTERRUPTED)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> ChatPane:
    pane = ChatPane(theme)
    qtbot.addWidget(pane)
    pane.resize(900, 700)
    pane.show()
    return pane


def labels(pane: ChatPane) -> str:
    return "\n".join(label.text() for label in pane.findChildren(QLabel) if label.isVisible())


def test_a_chat_is_shown_whole_and_its_title_told(pane: ChatPane, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.titled) as caught:
        pane.show_session(Session("s", title="On why", messages=(QUESTION, ANSWER)))
    assert caught.args == ["On why"]
    assert pane.transcript.plain_text() == "Why?\n\nBecause."
    assert pane.transcript.isVisible()
    assert not pane.empty.isVisible()


def test_an_empty_chat_shows_what_to_do(pane: ChatPane) -> None:
    pane.show_session(Session("s", messages=(QUESTION,)))
    pane.show_session(Session("t"))
    assert pane.empty.isVisible()
    assert pane.transcript.plain_text() == ""


def test_a_turn_streams_into_the_transcript(pane: ChatPane) -> None:
    pane.show_session(Session("s"))
    pane.add_question(QUESTION)
    assert pane.transcript.isVisible()
    pane.begin_answer(SessionMessage(Message(Role.ASSISTANT, "", "a")))
    pane.append_thinking("Let me see.")
    for piece in ("Be", "cause", "."):
        pane.append_text(piece)
    assert pane.transcript.plain_text() == "Why?\n\nLet me see.\n\nBecause."
    whole = Message(Role.ASSISTANT, "Because.", "a", thinking="Let me see.")
    pane.end_answer(SessionMessage(whole, stop_reason=StopReason.END_TURN))
    assert pane.transcript.plain_text() == "Why?\n\nLet me see.\n\nBecause."


def test_a_running_answer_goes_on_with_its_text_so_far(pane: ChatPane) -> None:
    pane.show_session(Session("s", messages=(QUESTION,)))
    pane.begin_answer(SessionMessage(Message(Role.ASSISTANT, "Be", "a")))
    pane.append_text("cause.")
    assert pane.transcript.plain_text() == "Why?\n\nBecause."


def test_an_answer_the_program_died_under_offers_another_try(
    pane: ChatPane, qtbot: QtBot, child: Find
) -> None:
    pane.show_session(Session("s", messages=(QUESTION, CUT)))
    assert "This answer was interrupted." in pane.transcript.plain_text()
    button = child(pane.transcript, QPushButton, "error_action")
    assert button.text() == "Try again"
    with qtbot.waitSignal(pane.actionTriggered) as caught:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert caught.args == ["retry"]


def test_a_failed_answer_says_why_under_its_words(pane: ChatPane) -> None:
    pane.show_session(Session("s"))
    pane.add_question(QUESTION)
    pane.begin_answer(SessionMessage(Message(Role.ASSISTANT, "", "a")))
    pane.append_text("Half")
    failure = StreamBroken(detail="gone").failure()
    pane.end_answer(
        SessionMessage(
            Message(Role.ASSISTANT, "Half", "a"),
            status=MessageStatus.INTERRUPTED,
            stop_reason=StopReason.ERROR,
            failure=failure,
        )
    )
    assert "Half\n\nThe answer broke off: gone." in pane.transcript.plain_text()


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (EngineStatus(EngineState.LOADING, "tiny"), "Loading tiny"),
        (EngineStatus(EngineState.FAILED, failure=NoModel().failure()), "No model yet"),
        (EngineStatus(EngineState.READY, "tiny"), "What would you like to know?"),
        (
            EngineStatus(EngineState.FAILED, failure=DiskFull(path="x").failure()),
            "Free some space and try again",
        ),
    ],
)
def test_the_empty_state_says_what_there_is_to_do(
    pane: ChatPane, status: EngineStatus, words: str
) -> None:
    pane.show_model(status)
    assert words in labels(pane)


def test_without_a_model_the_button_asks_for_one(pane: ChatPane, qtbot: QtBot, child: Find) -> None:
    pane.show_model(EngineStatus(EngineState.FAILED, failure=NoModel().failure()))
    with qtbot.waitSignal(pane.actionTriggered) as caught:
        qtbot.mouseClick(child(pane, QPushButton, "empty_action"), Qt.MouseButton.LeftButton)
    assert caught.args == ["find_model"]


def test_with_a_model_the_button_leads_to_the_composer(
    pane: ChatPane, qtbot: QtBot, child: Find
) -> None:
    pane.activateWindow()
    pane.transcript.setFocus()
    pane.show_model(EngineStatus(EngineState.READY, "tiny"))
    with qtbot.assertNotEmitted(pane.actionTriggered):
        qtbot.mouseClick(child(pane, QPushButton, "empty_action"), Qt.MouseButton.LeftButton)
    assert pane.focusWidget() is child(pane, QPlainTextEdit, "composer_text")


def test_progress_counts_what_is_read_and_then_is_silent(pane: ChatPane) -> None:
    pane.show_progress(Progress(900, 0, 250))
    assert pane.progress.text() == "Reading 250 of 900 tokens"
    pane.show_progress(Progress(900, 0, 900))
    assert pane.progress.text() == ""
    pane.show_progress(Progress(900, 0, 500))
    pane.show_progress(None)
    assert pane.progress.text() == ""


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (EngineState.LOADING, "Loading the model"),
        (EngineState.WAITING, "Starting the engine again"),
    ],
)
def test_what_an_answer_waits_for_is_said(pane: ChatPane, state: EngineState, words: str) -> None:
    pane.show_session(Session("s", messages=(QUESTION,)))
    pane.show_waiting(EngineStatus(state, "tiny"))
    assert pane.progress.text() == words


def test_busy_offers_stop_in_the_place_of_send(pane: ChatPane, qtbot: QtBot, child: Find) -> None:
    send, stop = (child(pane, QPushButton, f"{name}_button") for name in ("send", "stop"))
    pane.set_draft("Hi")
    with qtbot.waitSignal(pane.sendRequested) as caught:
        qtbot.mouseClick(send, Qt.MouseButton.LeftButton)
    assert caught.args == ["Hi"]
    pane.show_busy(True)
    assert (send.isVisible(), stop.isVisible()) == (False, True)
    with qtbot.waitSignal(pane.stopRequested):
        qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    pane.show_busy(False)
    assert (send.isVisible(), stop.isVisible()) == (True, False)


def test_a_failure_without_a_message_is_passed_on(pane: ChatPane, qtbot: QtBot) -> None:
    failure = DiskFull(path="data").failure()
    with qtbot.waitSignal(pane.failed) as caught:
        pane.show_failure(failure)
    assert caught.args == [failure]


def test_what_is_typed_is_told(pane: ChatPane, qtbot: QtBot, child: Find) -> None:
    with qtbot.waitSignal(pane.draftChanged) as caught:
        qtbot.keyClicks(child(pane, QPlainTextEdit, "composer_text"), "H")
    assert caught.args == ["H"]


def test_opening_a_chat_tells_how_much_of_the_context_it_fills(theme: Theme, qtbot: QtBot) -> None:
    pane = ChatPane(theme)
    qtbot.addWidget(pane)
    told: list[int] = []
    pane.filled.connect(told.append)
    answer = SessionMessage(Message(Role.ASSISTANT, "x", "a"), usage=TokenUsage(100, 20))
    pane.show_session(Session("s", messages=(answer,)))
    pane.show_session(Session("t"))
    assert told == [120, 0]


CALL = ToolCall("c", "read_file", '{"path": "a.md"}')
ASKING = SessionMessage(
    Message(Role.ASSISTANT, "", "a", tool_calls=(CALL,)), stop_reason=StopReason.TOOL_USE
)
REQUEST = ApprovalRequest("s", CALL, AskReason.CHANGES, "/notes", "open", "digest")


def answer_to(text: str) -> Message:
    return Message(Role.TOOL, text, "r", tool_call_id="c", tool_result=ToolResult(text))


def test_a_turn_with_a_tool_is_told_step_by_step(pane: ChatPane) -> None:
    pane.plain = lambda result: result.content.strip("<>")
    pane.show_session(Session("s"))
    pane.add_question(QUESTION)
    pane.begin_answer(SessionMessage(Message(Role.ASSISTANT, "", "a")))
    pane.show_forming("read_file", 2_400)
    assert pane.progress.text() == "Preparing: Read … 2\u2009kB"
    pane.end_answer(ASKING)
    pane.add_call(CALL)
    assert pane.transcript.plain_text() == "Why?\n\nRead a.md"
    pane.update_call("c", ToolState.STARTED, {})
    assert pane.transcript.plain_text() == "Why?\n\nReading a.md"
    pane.update_call("c", ToolState.DONE, {"duration_ms": "3"})
    pane.end_call(answer_to("<words>"))
    assert pane.transcript.plain_text() == "Why?\n\nRead a.md · 3\u2009ms\nwords"
    pane.begin_answer(SessionMessage(Message(Role.ASSISTANT, "", "b")))
    pane.append_text("Done.")
    pane.end_answer(SessionMessage(Message(Role.ASSISTANT, "Done.", "b")))
    assert pane.transcript.plain_text().endswith("words\n\nDone.")


def test_steps_of_a_call_nobody_shows_are_nothing(pane: ChatPane) -> None:
    pane.show_session(Session("s", messages=(QUESTION,)))
    pane.update_call("c", ToolState.STARTED, {})
    pane.end_call(answer_to("words"))
    assert pane.transcript.plain_text() == "Why?"


def test_a_running_turn_is_shown_as_it_stands(pane: ChatPane) -> None:
    calls = {"c": CallTrace(ToolState.ASKED)}
    session = Session("s", messages=(QUESTION, ASKING), calls=calls)
    pane.show_session(session, live=True)
    assert pane.transcript.plain_text() == "Why?\n\nRead a.md · waiting for you"
    pane.show_session(session)
    assert "Rony was closed before you answered. Nothing was run." in pane.transcript.plain_text()


def test_a_question_is_told_and_taken_back(pane: ChatPane, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.approvalAsked) as asked:
        pane.ask(REQUEST)
    with qtbot.waitSignal(pane.approvalSettled) as settled:
        pane.dismiss(REQUEST)
    assert asked.args == settled.args == [REQUEST]


def test_a_card_stands_in_the_conversation(pane: ChatPane) -> None:
    pane.show_session(Session("s"))
    card = QLabel("May I?", pane)
    pane.show_card(card)
    assert card.isVisible()
    assert not pane.empty.isVisible()
    pane.hide_card()
    assert not card.isVisible()
