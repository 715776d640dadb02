"""Conversations that a chat template has to render, and what of them is in the prompt it made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from rony_desktop.contract.check import Part, Shape, ShapeCheck
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolSchema

# Words that no template says by itself, and that none has a reason to write otherwise.
_MARKS: Mapping[Part, str] = {part: f"mark7{part}" for part in Part}
_SAID = "Jinja Exception: "
_TOOL = ToolSchema(
    _MARKS[Part.TOOL],
    "Looks a word up.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)
_SYSTEM = Message(Role.SYSTEM, _MARKS[Part.SYSTEM])
_LAST = Message(Role.USER, _MARKS[Part.LAST])
_CALL = ToolCall("call00001", _TOOL.name, json.dumps({"word": _MARKS[Part.CALL]}))


@dataclass(frozen=True, slots=True)
class Conversation:
    """One shape: what is rendered, and the parts whose marks have to be in the prompt."""

    shape: Shape
    messages: tuple[Message, ...]
    parts: tuple[Part, ...]
    tools: tuple[ToolSchema, ...] = ()


CONVERSATIONS = (
    Conversation(Shape.SYSTEM, (_SYSTEM, _LAST), (Part.SYSTEM, Part.LAST)),
    Conversation(
        Shape.TURNS,
        (
            _SYSTEM,
            Message(Role.USER, _MARKS[Part.FIRST]),
            Message(Role.ASSISTANT, _MARKS[Part.ANSWER]),
            _LAST,
        ),
        (Part.SYSTEM, Part.FIRST, Part.ANSWER, Part.LAST),
    ),
    Conversation(
        Shape.TOOLS, (_SYSTEM, _LAST), (Part.SYSTEM, Part.LAST, Part.TOOL), tools=(_TOOL,)
    ),
    Conversation(
        Shape.RESULT,
        (
            _SYSTEM,
            _LAST,
            Message(Role.ASSISTANT, tool_calls=(_CALL,)),
            Message(Role.TOOL, _MARKS[Part.RESULT], tool_call_id=_CALL.id),
        ),
        (Part.SYSTEM, Part.LAST, Part.TOOL, Part.CALL, Part.RESULT),
        tools=(_TOOL,),
    ),
)


def rendered(conversation: Conversation, prompt: str) -> ShapeCheck:
    """What a prompt has left out of the conversation it was made of."""
    dropped = tuple(part for part in conversation.parts if _MARKS[part] not in prompt)
    return ShapeCheck(conversation.shape, dropped)


def failed(conversation: Conversation, words: str) -> ShapeCheck:
    """A conversation of which no prompt was made, and why: in the template's words, if it has any.

    The engine puts them behind a description of where in the template they stand.
    """
    said = words.rpartition(_SAID)[2].strip() or words
    return ShapeCheck(conversation.shape, words=said or "?")
