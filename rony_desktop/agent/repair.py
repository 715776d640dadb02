"""What the model is told about a call that was not run: the error, and the right form.

Each text is an observation of at most 400 characters, so that a row of errors fills no context.
"""

from __future__ import annotations

from rony_desktop.contract.error import ToolReplyError
from rony_desktop.contract.llm import StopReason

LIMIT = 400
_FORM = '{"tool": NAME, "args": {...}} to use a tool, or {"final": TEXT} to answer'
_NOT_RUN = {
    StopReason.TIMEOUT: "the time of this turn is over",
    StopReason.REPEATED_CALL: "the same call was made again and again",
    StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED: "the reply was cut off before its end",
}


def observation(text: str) -> str:
    """A text at its longest as an observation may be."""
    return text if len(text) <= LIMIT else f"{text[: LIMIT - 1]}…"


def reason(error: ToolReplyError) -> str:
    """Why something could not be read, short enough to leave room for the right form."""
    detail = error.params["detail"]
    return detail if len(detail) <= LIMIT // 2 else f"{detail[: LIMIT // 2 - 1]}…"


def reply(problem: str) -> str:
    """For a reply that is no envelope."""
    return observation(
        f"Your reply could not be read: {problem}. "
        f"Reply with one JSON object and nothing else: {_FORM}."
    )


def arguments(name: str, problem: str) -> str:
    """For a call whose arguments are no JSON object."""
    return observation(
        f"{name[:64]} was not run: its arguments could not be read: {problem}. "
        "Call it again with one JSON object as the arguments, and nothing else."
    )


def not_run(ending: StopReason | None) -> str:
    """For a call that the end of the turn leaves without a run."""
    why = _NOT_RUN.get(ending) if ending else None
    return f"Not run: {why or 'the turn ended before it'}."


def repeated(content: str) -> str:
    """For a call answered from the record: the warning, then what it said before."""
    return (
        "This very call was already made, so it was not run again; do something else, or answer. "
        f"It said:\n{content}"
    )
