"""Builds what the model is sent: system, history exactly as it was sent before, the new input.

Nothing is cut here in silence: what does not fit is refused by the engine as ContextOverflow and
the user is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rony_desktop.contract.agent import System
from rony_desktop.contract.llm import InferRequest
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.session import Session

# An answer may take a quarter of the context window: a small model that never stops must not fill
# it, and the conversation keeps the rest.
OUTPUT_SHARE = 4


class ContextBuilder:
    """Assembles requests in the prefix-stable order of docs/architecture.md.

    few_shot are a persona's example messages, sent before every history.
    """

    def __init__(self, system: System, few_shot: tuple[Message, ...] = ()) -> None:
        self._system = system
        self._few_shot = few_shot

    def build(self, text: str, session: Session, window: int = 0) -> InferRequest:
        """The request for a new input; text "" continues from the session's last message.

        window is the context window in tokens, 0 where it is not known.
        """
        history = [entry.message for entry in session.messages]
        if text:
            history.append(Message(Role.USER, text))
        return InferRequest(
            self._system.prompt(),
            (*self._few_shot, *_alternate(_spoken(history))),
            max_tokens=window // OUTPUT_SHARE or None,
        )


def _spoken(messages: Iterable[Message]) -> Iterator[Message]:
    """Leave out answers that never got a word (interrupted before the first token)."""
    return (m for m in messages if m.content or m.tool_calls or m.tool_result)


def _alternate(messages: Iterable[Message]) -> Iterator[Message]:
    """Join user messages that follow each other: many chat templates refuse two in a row."""
    waiting: Message | None = None
    for message in messages:
        if waiting and message.role is Role.USER:
            waiting = Message(Role.USER, f"{waiting.content}\n\n{message.content}", waiting.id)
            continue
        if waiting:
            yield waiting
        waiting = message if message.role is Role.USER else None
        if waiting is None:
            yield message
    if waiting:
        yield waiting
