"""Tools for models that cannot call them: one JSON object a reply, written in plain text.

A reply is {"tool": name, "args": {...}} or {"final": text}; a schema sent with the request lets the
server write nothing else, and parser.py reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rony_desktop.agent import repair
from rony_desktop.agent.context import alternating
from rony_desktop.agent.parser import Final, aside, parse_object, parse_tool_call
from rony_desktop.contract.error import ToolReplyError
from rony_desktop.contract.llm import CompletionResponse, InferRequest, StopReason
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolSchema

_RULE = """\
# Tools
Reply with one JSON object and nothing else.
To use a tool: {"tool": "NAME", "args": {"ARGUMENT": "VALUE"}}
To answer the user: {"final": "TEXT"}
The result of a tool comes in the next message. Arguments marked ? may be left out.
Tools:"""


def instructions(tools: Iterable[ToolSchema]) -> str:
    """The section of the system prompt that tells the form and the tools, one line each."""
    return "\n".join((_RULE, *(_line(tool) for tool in tools)))


def schema(tools: Iterable[ToolSchema]) -> Mapping[str, Any]:
    """The JSON Schema of a reply; its order is the order in which a model writes."""
    calls = [
        _closed({"tool": {"const": tool.name}, "args": dict(tool.parameters)}) for tool in tools
    ]
    return {"oneOf": [*calls, _closed({"final": {"type": "string"}})]}


def messages(request: InferRequest) -> tuple[Message, ...]:
    """Everything that is said, with calls and results as plain text; repairs stay as they are."""
    spoken = (*request.examples, *request.messages)
    return (*alternating(_plain(spoken)), *request.repairs)


async def opened(response: CompletionResponse, shown: str) -> CompletionResponse:
    """Read a whole reply; shown is what was streamed of it.

    A reply that was cut is never a call. problem is set where it cannot be read; one without a word
    stays as it is.
    """
    if response.stop_reason is StopReason.MAX_TOKENS:
        return replace(response, content=shown, tool_calls=())
    if not response.content.strip():
        return response
    try:
        said = await aside(parse_tool_call, response.content)
    except ToolReplyError as error:
        return replace(response, problem=repair.reason(error))
    if isinstance(said, Final):
        return replace(response, content=said.text, tool_calls=(), stop_reason=StopReason.END_TURN)
    return replace(response, content="", tool_calls=(said,), stop_reason=StopReason.TOOL_USE)


def _line(tool: ToolSchema) -> str:
    required = tool.parameters.get("required", ())
    names = (name if name in required else f"{name}?" for name in _properties(tool))
    return f"- {tool.name}({', '.join(names)}): {tool.description}"


def _properties(tool: ToolSchema) -> Mapping[str, Any]:
    properties = tool.parameters.get("properties", {})
    return properties if isinstance(properties, Mapping) else {}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _plain(history: Iterable[Message]) -> Iterator[Message]:
    """Put each result right behind its call: in the envelope a reply holds one call.

    What was said beside a call has no place there and is left out.
    """
    spoken = list(history)
    results = {m.tool_call_id: m.content for m in spoken if m.role is Role.TOOL}
    for message in spoken:
        if message.role is Role.ASSISTANT:
            for call in message.tool_calls:
                yield Message(Role.ASSISTANT, _call(call))
                result = results.get(call.id, "nothing, it was not run")
                yield Message(Role.USER, f"Result of {call.name}: {result}")
            if not message.tool_calls:
                final = json.dumps({"final": message.content}, ensure_ascii=False)
                yield Message(Role.ASSISTANT, final)
        elif message.role is not Role.TOOL:
            yield message


def _call(call: ToolCall) -> str:
    """A call as a reply; arguments that could not be read are left out, as they were not run."""
    try:
        args = parse_object(call.arguments)
    except ToolReplyError:
        args = {}
    return json.dumps({"tool": call.name, "args": args}, ensure_ascii=False)
