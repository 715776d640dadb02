"""Turns messages of a session into what the transcript shows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.error import Action
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import Role
from rony_desktop.contract.session import MessageStatus, Session, SessionMessage
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownMessage, ShownStatus
from rony_desktop.ui.error import button, words
from rony_desktop.ui.number import decimal_text
from rony_desktop.ui.token import THIN

tr = QCoreApplication.translate


def conversation(session: Session) -> list[ShownMessage]:
    """Every message of a session, what was skipped while reading it first."""
    notices = [
        ShownMessage(f"notice-{number}", "notice", words(failure).sentence)
        for number, failure in enumerate(session.notices)
    ]
    messages = [shown(message) for message in session.messages]
    if session.messages and was_cut(session.messages[-1]):
        messages[-1] = replace(messages[-1], error=_interrupted(), status=ShownStatus.FAILED)
    return notices + messages


def shown(message: SessionMessage, *, streaming: bool = False) -> ShownMessage:
    """One message; streaming says that more of it will come."""
    value = message.message
    return ShownMessage(
        id=value.id,
        role="user" if value.role is Role.USER else "assistant",
        text=value.content,
        thinking=value.thinking,
        foot=() if streaming or value.role is Role.USER else tuple(foot(message)),
        status=ShownStatus.STREAMING if streaming else _status(message),
        error=words(message.failure) if message.failure else None,
    )


def was_cut(message: SessionMessage) -> bool:
    """Whether an answer broke off without anybody's asking: the program ended under it."""
    return (
        message.message.role is Role.ASSISTANT
        and message.status is MessageStatus.INTERRUPTED
        and message.stop_reason is None
    )


def foot(message: SessionMessage) -> list[str]:
    """The quiet line under an answer: model, speed, and why it ended where that matters."""
    parts = [message.model] if message.model else []
    if message.timings and message.timings.predicted_n:
        parts.append(f"{decimal_text(message.timings.decode_tokens_per_s)}{THIN}tok/s")
    ending = _ending(message)
    return [*parts, ending] if ending else parts


def _ending(message: SessionMessage) -> str:
    words_of = {
        StopReason.CANCELLED: tr("answer", "stopped"),
        StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED: tr(
            "answer", "cut off: the answer reached its longest length"
        ),
        StopReason.TIMEOUT: tr("answer", "cut off: the time for one answer is over"),
        StopReason.TOKEN_CAP: tr("answer", "ended: this chat used all its tokens"),
        StopReason.MAX_STEPS: tr("answer", "ended: it took too many steps"),
        StopReason.MAX_ITERATIONS: tr("answer", "ended: it took too many steps"),
    }
    return words_of.get(message.stop_reason, "") if message.stop_reason else ""


def _status(message: SessionMessage) -> ShownStatus:
    if message.failure:
        return ShownStatus.FAILED
    # What the user stopped is no accident: the foot says so, and nothing warns of it.
    interrupted = message.status is MessageStatus.INTERRUPTED and not _ending(message)
    return ShownStatus.INTERRUPTED if interrupted else ShownStatus.COMPLETE


def _interrupted() -> ErrorText:
    return ErrorText(
        tr("answer", "This answer was interrupted."),
        tr("answer", "What came so far is kept."),
        button(Action.RETRY),
        Action.RETRY,
    )
