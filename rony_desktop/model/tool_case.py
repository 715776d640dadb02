"""Eight small requests that show whether a model can call tools.

All are asked with the same system text and the same tools, so that an engine reads these only once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rony_desktop.contract.check import ToolScore
from rony_desktop.contract.llm import CompletionResponse, StopReason
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolSchema

SYSTEM = "You are a helpful assistant. Use a tool where the request needs one; else answer."


class Outcome(StrEnum):
    """What a reply was: right, readable but not what was asked for, or of no use at all."""

    RIGHT = "right"
    WRONG = "wrong"
    BROKEN = "broken"


def _tool(name: str, says: str, **properties: Mapping[str, Any]) -> ToolSchema:
    return ToolSchema(
        name,
        says,
        {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        },
    )


_TEXT = {"type": "string"}
TOOLS = (
    _tool("get_time", "Tell the local time of a city.", city=_TEXT),
    _tool("get_weather", "Tell the weather of a city.", city=_TEXT),
    _tool(
        "send_message",
        "Send a text to people.",
        to={"type": "array", "items": _TEXT},
        text=_TEXT,
    ),
    _tool(
        "set_light",
        "Turn the light of a room on or off.",
        room={"type": "string", "enum": ["kitchen", "bedroom", "office"]},
        on={"type": "boolean"},
    ),
    _tool("set_timer", "Start a timer.", minutes={"type": "integer"}),
)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "array": (list,),
}

Wanted = Callable[[Mapping[str, Any]], bool]
"""Whether the arguments of a call are those that the request asks for."""


@dataclass(frozen=True, slots=True)
class Case:
    """One request; tool is the one to be called, "" where an answer with these words is wanted."""

    name: str
    messages: tuple[Message, ...]
    tool: str = ""
    wanted: Wanted = bool
    words: str = ""

    def outcome(self, response: CompletionResponse) -> Outcome:
        """Judge a reply."""
        if response.stop_reason is StopReason.MAX_TOKENS and (self.tool or response.tool_calls):
            return Outcome.BROKEN
        if response.problem or not (response.tool_calls or response.content.strip()):
            return Outcome.BROKEN
        calls = [_arguments(call) for call in response.tool_calls]
        if None in calls:
            return Outcome.BROKEN
        return Outcome.RIGHT if self._right(response, calls) else Outcome.WRONG

    def _right(
        self, response: CompletionResponse, calls: Sequence[Mapping[str, Any] | None]
    ) -> bool:
        if not self.tool:
            return not calls and self.words in response.content.casefold()
        return any(
            call.name == self.tool and arguments is not None and self.wanted(arguments)
            for call, arguments in zip(response.tool_calls, calls, strict=True)
        )


def _asked(text: str) -> tuple[Message, ...]:
    return (Message(Role.USER, text),)


def _city(name: str) -> Wanted:
    return lambda arguments: name in arguments["city"].casefold()


def _reported(question: str) -> tuple[Message, ...]:
    """A question whose first call was answered."""
    call = ToolCall("call00001", "get_weather", '{"city": "Lisbon"}')
    return (
        *_asked(question),
        Message(Role.ASSISTANT, tool_calls=(call,)),
        Message(Role.TOOL, "Lisbon: 17 degrees, light rain", tool_call_id=call.id),
    )


CASES = (
    Case("argument", _asked("What is the weather in Lisbon?"), "get_weather", _city("lisbon")),
    Case("choice", _asked("What time is it in Tokyo?"), "get_time", _city("tokyo")),
    Case(
        "number",
        _asked("Start a timer for 25 minutes."),
        "set_timer",
        lambda arguments: arguments["minutes"] == 25,  # noqa: PLR2004 - as asked
    ),
    Case(
        "flag",
        _asked("Turn off the light in the bedroom."),
        "set_light",
        lambda arguments: arguments["room"] == "bedroom" and arguments["on"] is False,
    ),
    Case(
        "list",
        _asked('Send "I am late" to Ann and Bob.'),
        "send_message",
        lambda arguments: {name.casefold() for name in arguments["to"]} == {"ann", "bob"},
    ),
    Case("answer", _asked("Thank you. Say goodbye in one short sentence.")),
    Case("result", _reported("How warm is it in Lisbon?"), words="17"),
    Case(
        "next",
        _reported("Compare the weather in Lisbon with the weather in Oslo."),
        "get_weather",
        _city("oslo"),
    ),
)


def score(outcomes: Sequence[Outcome]) -> ToolScore:
    """Sum up the cases of one form."""
    right = outcomes.count(Outcome.RIGHT)
    return ToolScore(right, right + outcomes.count(Outcome.WRONG), len(outcomes))


def _arguments(call: ToolCall) -> Mapping[str, Any] | None:
    """The arguments of a call that can be run; None where no tool takes them."""
    tool = next((tool for tool in TOOLS if tool.name == call.name), None)
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return None
    if tool is None or not isinstance(arguments, dict):
        return None
    properties: Mapping[str, Mapping[str, Any]] = tool.parameters["properties"]
    if set(arguments) != set(properties):
        return None
    fit = all(_fits(value, properties[name]) for name, value in arguments.items())
    return arguments if fit else None


def _fits(value: object, schema: Mapping[str, Any]) -> bool:
    """Whether a value is of its schema, as far as the schemas above go."""
    if not isinstance(value, _TYPES[schema["type"]]):
        return False
    if isinstance(value, bool) and schema["type"] != "boolean":
        return False
    if isinstance(value, list):
        return all(_fits(item, schema["items"]) for item in value)
    return value in schema.get("enum", (value,))
