"""Builds what the model is sent: system, history exactly as it was sent before, the new input.

Nothing is cut here in silence: what does not fit is refused by the engine as ContextOverflow and
the user is told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rony_desktop.agent.limit import Limits
from rony_desktop.contract.agent import System
from rony_desktop.contract.llm import InferRequest
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolSpec

# An answer may take a quarter of the context window: a small model that never stops must not fill
# it, and the conversation keeps the rest.
OUTPUT_SHARE = 4
EXAMPLES = 2


@dataclass(frozen=True, slots=True)
class Frame:
    """What surrounds a session's turns.

    few_shot are a persona's example messages, sent before every history.
    """

    system: System
    limits: Limits
    few_shot: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


class ContextBuilder:
    """Assembles requests in the prefix-stable order of docs/architecture.md."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def build(self, text: str, session: Session, window: int = 0) -> InferRequest:
        """The request for a new input; text "" continues from the session's last message.

        window is the context window in tokens, 0 where it is not known.
        """
        history = [entry.message for entry in session.messages]
        if text:
            history.append(Message(Role.USER, text))
        tools = sorted(self._frame.tools, key=lambda tool: tool.name)
        return InferRequest(
            self._frame.system.prompt(),
            (*self._frame.few_shot, *alternating(_spoken(history))),
            tuple(tool.schema() for tool in tools),
            max_tokens=window // OUTPUT_SHARE or None,
            examples=tuple(_examples(tools)),
        )


def alternating(messages: Iterable[Message]) -> Iterator[Message]:
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


def _spoken(messages: Iterable[Message]) -> Iterator[Message]:
    """Leave out answers that never got a word (interrupted before the first token)."""
    return (m for m in messages if m.content or m.tool_calls or m.tool_result)


def _examples(tools: Sequence[ToolSpec]) -> Iterator[Message]:
    """A whole exchange for each of the first tools that have an example, those that read first."""
    shown = [tool for tool in tools if tool.examples]
    shown.sort(key=lambda tool: tool.permission is not Permission.ALLOW)
    for tool in shown[:EXAMPLES]:
        example = tool.examples[0]
        call = ToolCall(f"example-{tool.name}", tool.name, json.dumps(example.arguments))
        yield Message(Role.USER, example.request)
        yield Message(Role.ASSISTANT, tool_calls=(call,))
        result = ToolResult(example.result)
        yield Message(Role.TOOL, example.result, tool_call_id=call.id, tool_result=result)
        yield Message(Role.ASSISTANT, example.result)
