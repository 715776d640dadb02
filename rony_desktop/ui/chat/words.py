"""Turns messages of a session into what the transcript shows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.error import Action
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import Role, ToolCall, ToolResult
from rony_desktop.contract.session import CallTrace, MessageStatus, Session, SessionMessage
from rony_desktop.contract.tool import NOT_RUN, ToolState
from rony_desktop.ui.card import ErrorText
from rony_desktop.ui.chat.block import ShownCall, ShownMessage, ShownStatus
from rony_desktop.ui.chat.call import Plain, answered, called, content_of, left, moved
from rony_desktop.ui.error import button, words
from rony_desktop.ui.number import rate_text

tr = QCoreApplication.translate


def conversation(
    session: Session, plain: Plain = content_of, *, live: bool = False
) -> list[ShownMessage]:
    """Every message of a session, what was skipped while reading it first.

    plain gives the words of a tool's result. live says that a turn of the session goes on: calls
    without a result will get one.
    """
    parts = [
        ShownMessage(f"notice-{number}", "notice", words(failure).sentence)
        for number, failure in enumerate(session.notices)
    ]
    results = {m.message.tool_call_id: m.message.tool_result for m in session.messages}
    for message in session.messages:
        if message.message.role is Role.TOOL:
            continue
        parts.append(shown(message))
        for call in message.message.tool_calls:
            line = _call(call, session.calls.get(call.id), results.get(call.id), plain, live=live)
            parts.append(ShownMessage(call.id, "tool", call=line))
    if session.messages and not live:
        _tell_of_cut(session, parts)
    return parts


def _call(
    call: ToolCall,
    trace: CallTrace | None,
    result: ToolResult | None,
    plain: Plain,
    *,
    live: bool,
) -> ShownCall:
    """A call as far as it came."""
    line = called(call)
    if result is None and not live:
        return left(line, trace.state if trace else None, trace.params if trace else {})
    if trace:
        line = moved(line, trace.state, trace.params)
    return answered(line, result, plain) if result else line


def shown(message: SessionMessage, *, streaming: bool = False) -> ShownMessage:
    """One message; streaming says that more of it will come. Its calls are shown by themselves."""
    value = message.message
    footless = streaming or value.role is Role.USER or value.tool_calls
    return ShownMessage(
        id=value.id,
        role="user" if value.role is Role.USER else "assistant",
        text=value.content,
        thinking=value.thinking,
        foot=() if footless else tuple(foot(message)),
        status=ShownStatus.STREAMING if streaming else _status(message),
        error=words(message.failure) if message.failure else None,
        bare=bool(value.tool_calls),
    )


def _tell_of_cut(session: Session, parts: list[ShownMessage]) -> None:
    """Say what the program ended under, where nobody asked for the end."""
    last = session.messages[-1]
    if was_cut(last) and not last.message.tool_calls:
        cut = parts.pop()
    elif last.message.role is Role.TOOL or last.message.tool_calls:
        cut = ShownMessage(f"{last.message.id}-cut", "assistant")
    else:
        return
    error = _interrupted() if cut.text else _interrupted_calls(session)
    parts.append(replace(cut, error=error, status=ShownStatus.FAILED))


def _interrupted_calls(session: Session) -> ErrorText:
    """What became of the calls at the end, the worst first."""
    traces = _broken_off(session)
    running = [trace for trace in traces if trace.state is ToolState.STARTED]
    # Only what changes something was asked about.
    if any("digest" in trace.params for trace in running):
        sentence = tr(
            "call", "Rony was closed while this was running. Look at the file before you go on."
        )
    elif running:
        sentence = tr("call", "Rony was closed while this was running. Nothing was changed.")
    elif any(trace.state is ToolState.ASKED for trace in traces):
        sentence = tr("call", "Rony was closed before you answered. Nothing was run.")
    else:
        return _interrupted()
    return ErrorText(sentence, "", button(Action.RETRY), Action.RETRY)


def _broken_off(session: Session) -> list[CallTrace]:
    """How far the calls at the end came that have no answer of their tool."""
    ran: set[str] = set()
    for entry in reversed(session.messages):
        message = entry.message
        if message.role is Role.TOOL:
            result = message.tool_result
            if result and NOT_RUN not in result.metadata:
                ran.add(message.tool_call_id)
        elif message.tool_calls:
            rest = (call.id for call in message.tool_calls if call.id not in ran)
            return [session.calls[id] for id in rest if id in session.calls]
        elif message.role is Role.USER:
            break
    return []


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
        parts.append(rate_text(message.timings.decode_tokens_per_s))
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
        StopReason.REPEATED_CALL: tr("answer", "ended: it repeated the same call"),
        StopReason.PARSE_ERRORS: tr("answer", "ended: it could not write a readable call"),
        StopReason.UNABLE: tr("answer", "it says it cannot do this"),
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
