"""The words of a tool call: one line, and what the tool answered as far as it is shown."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.tool import DURATION_MS, NOT_RUN, NotRun, ToolState
from rony_desktop.ui.chat.block import CallState, ShownCall
from rony_desktop.ui.chat.html import visible
from rony_desktop.ui.chat.verb import icon_of, verb_of
from rony_desktop.ui.number import count_text, decimal_text
from rony_desktop.ui.token import THIN

# The words of a result that are shown; of a result from outside its wrapping is no part.
Plain = Callable[[ToolResult], str]

LINES = 200
CHARACTERS = 20_000
_ARGUMENT_LINES = 100
_ARGUMENTS = 4_000  # characters
_NOTHING = frozenset({"", "{}"})
_PARSED = 256 * 1024  # characters; of longer arguments only the start is looked at
_START = 4_096
_OBJECT = 1_000
_NOTE = 200
_NAME = 64
_SECOND_MS = 1_000
_KEYS = ("pattern", "query", "path", "ref", "id")
_QUOTED = frozenset({"pattern", "query"})
_FIELD = re.compile(rf'"({"|".join(_KEYS)})"\s*:\s*("(?:[^"\\]|\\.)*")')
# What visible leaves as it is: blank, joining or private, as in approval/escape.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u2800\u3164\ue000-\uf8ff"
    "\ufe00-\ufe0f\uffa0\U000e0080-\U000e0fff]"
)
_BREAKS = re.compile("[\n\t\u061c\u00ad\u180e\u2028\u2029\ue000-\uf8ff]")

_LIVE = {
    ToolState.ASKED: CallState.WAITING,
    ToolState.ALLOWED: CallState.QUEUED,  # nothing was run yet
    ToolState.DENIED: CallState.REFUSED,
    ToolState.STARTED: CallState.RUNNING,
    ToolState.DONE: CallState.DONE,
}
_LEFT = {
    None: CallState.NOT_RUN,
    ToolState.ASKED: CallState.NOT_RUN,
    ToolState.ALLOWED: CallState.NOT_RUN,
    ToolState.DENIED: CallState.REFUSED,
    ToolState.STARTED: CallState.INTERRUPTED,
    ToolState.DONE: CallState.DONE,
}


def content_of(result: ToolResult) -> str:
    """The words of a result as they are."""
    return result.content


def called(call: ToolCall) -> ShownCall:
    """A call that was asked for and has not begun."""
    line = ShownCall(call.id, call.name, icon_of(call.name), "", _object(call.arguments))
    if call.arguments.strip() not in _NOTHING:
        exact, left_out = _shown(call.arguments, _ARGUMENT_LINES, _ARGUMENTS)
        line = replace(line, arguments=_exact(exact), left_out=left_out)
    return _at(line, CallState.QUEUED)


def moved(call: ShownCall, state: ToolState, params: Mapping[str, str]) -> ShownCall:
    """The call as far as it came; params are those of the session's entry."""
    duration = _duration(params.get(DURATION_MS, "")) or call.duration
    return _at(replace(call, duration=duration), _LIVE[state], params.get("reason", ""))


def left(call: ShownCall, state: ToolState | None, params: Mapping[str, str]) -> ShownCall:
    """A call that has no result and will get none: the program ended under it."""
    return _at(call, _LEFT[state], params.get("reason", ""))


def answered(call: ShownCall, result: ToolResult, plain: Plain = content_of) -> ShownCall:
    """The call with what the tool said, or with why it said nothing; what was refused stays so."""
    if call.state is CallState.DONE and NOT_RUN in result.metadata:
        return call  # it was run; only what it said is lost
    if call.state is not CallState.REFUSED and NOT_RUN in result.metadata:
        broken = call.state is CallState.RUNNING
        state = CallState.INTERRUPTED if broken else CallState.NOT_RUN
        return _at(call, state, result.metadata[NOT_RUN])
    words = plain(result)
    text, rest = _shown(words, LINES, CHARACTERS)
    call = replace(call, result=text, rest=rest)
    if call.state is CallState.REFUSED:
        return call
    if not result.is_error:
        duration = call.duration or _duration(result.metadata.get(DURATION_MS, ""))
        return _at(replace(call, duration=duration), CallState.DONE)
    # The line names the object already, and how long a failure took matters to nobody.
    return _at(replace(call, duration=""), CallState.FAILED, words.removeprefix(f"{call.object}: "))


def forming(name: str, characters: int) -> str:
    """What is said while the model still writes a call."""
    tr = QCoreApplication.translate
    kilobytes = count_text(characters // 1_000)
    verb = verb_of(name, CallState.QUEUED) or _line(name, _NAME)
    words = tr("call", "Preparing: {0}").format(verb)
    return f"{words} … {kilobytes}{THIN}kB" if characters >= 1_000 else f"{words} …"  # noqa: PLR2004


def _at(call: ShownCall, state: CallState, detail: str = "") -> ShownCall:
    verb = verb_of(call.name, state) or _line(call.name, _NAME)
    return replace(call, state=state, verb=verb, note=_note(state, detail))


def _note(state: CallState, detail: str) -> str:
    """What is said of a state; detail is a reason, an error, or a NotRun."""
    tr = QCoreApplication.translate
    lines = detail[:_START].splitlines()
    first = _line(next((line for line in lines if line.strip()), ""), _NOTE)
    refused = tr("call", "you refused: {0}").format(first)
    stopped = tr("call", "not run: you stopped the answer")
    notes = {
        CallState.WAITING: tr("call", "waiting for you"),
        CallState.FAILED: first or tr("call", "failed"),
        CallState.REFUSED: refused if first else tr("call", "you refused"),
        CallState.NOT_RUN: stopped if detail == NotRun.STOPPED else tr("call", "not run"),
        CallState.INTERRUPTED: tr("call", "interrupted"),
    }
    return notes.get(state, "")


def _object(arguments: str) -> str:
    """What a call is about: its path, pattern or reference."""
    found = _fields(arguments)
    key = next((key for key in _KEYS if isinstance(found.get(key), str)), "")
    words = _line(str(found[key]), _OBJECT) if key else ""
    return f"“{words}”" if words and key in _QUOTED else words


def _fields(arguments: str) -> Mapping[str, object]:
    try:
        if len(arguments) > _PARSED:
            field = _FIELD.search(arguments, 0, _START)
            return {field[1]: json.loads(field[2])} if field else {}
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}  # the executor says what is wrong with them
    return found if isinstance(found, dict) else {}


def _line(text: str, limit: int) -> str:
    """A text as one line that hides nothing; what is too long loses its middle."""
    if len(text) > limit:
        text = f"{text[: limit // 2]}…{text[-limit // 2 :]}"
    return _BREAKS.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text.strip()))


def _exact(text: str) -> str:
    """A text with every character that cannot be seen written out; line ends stay."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))


def _shown(text: str, most_lines: int, most: int) -> tuple[str, str]:
    """What of a text is shown, and a line that says so where that is not all."""
    text = text.strip("\n")
    part = "".join(text[: most + 1].splitlines(keepends=True)[:most_lines])[:most]
    if len(part) == len(text):
        return part, ""
    words = QCoreApplication.translate("call", "The first {0} of {1} lines are shown.")
    lines = text.count("\n") + 1
    shown = part.rstrip("\n").count("\n") + 1
    if shown == lines:
        words = QCoreApplication.translate("call", "The first {0} of {1} characters are shown.")
        shown, lines = len(part), len(text)
    return part.rstrip("\n"), words.format(count_text(shown), count_text(lines))


def _duration(milliseconds: str) -> str:
    try:
        value = float(milliseconds)
    except ValueError:
        return ""
    if not math.isfinite(value):
        return ""
    if value < _SECOND_MS:
        return f"{count_text(round(value))}{THIN}ms"
    return f"{decimal_text(value / _SECOND_MS)}{THIN}s"
