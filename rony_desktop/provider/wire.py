"""Chat completions as llama-server writes them: requests out, chunks in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from rony_desktop.contract.error import StreamBroken
from rony_desktop.contract.llm import (
    CompletionRequest,
    Progress,
    StopReason,
    StreamChunk,
    Timings,
    TokenUsage,
    ToolCallDelta,
    ToolRef,
)
from rony_desktop.contract.message import Message, Role, ToolCall
from rony_desktop.contract.tool import ToolSchema
from rony_desktop.provider.refusal import reported

_FORMAT = "response_format"
_FINISH = {
    "stop": StopReason.END_TURN,
    "length": StopReason.MAX_TOKENS,
    "tool_calls": StopReason.TOOL_USE,
}


def encode(value: object) -> bytes:
    """Write canonical JSON: the same value is always the same bytes, so that caches hold.

    A lone surrogate, which no server can read, becomes a question mark. The schema of an answer
    keeps its order: the server lets the model write properties in no other.
    """
    if isinstance(value, dict) and _FORMAT in value:
        rest = {name: part for name, part in value.items() if name != _FORMAT}
        own = json.dumps({_FORMAT: value[_FORMAT]}, separators=(",", ":"))
        return b"%b,%b" % (encode(rest)[:-1], own.encode()[1:])
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def body(request: CompletionRequest) -> dict[str, Any]:
    """Write a request for a streamed answer."""
    wanted: dict[str, Any] = {
        "messages": messages(request.messages),
        "stream": True,
        "stream_options": {"include_usage": True},
        # Without progress the server does not notice a closed connection before the first token.
        "return_progress": True,
        "cache_prompt": True,
    }
    optional = {
        "model": request.model or None,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "stop": list(request.stop) or None,
    }
    wanted |= {name: value for name, value in optional.items() if value is not None}
    if request.tools:
        wanted |= _tools(request)
    if request.response_schema is not None:
        wanted |= _schema(request.response_schema)
    # A server may take the JSON of a model that thinks first for its thoughts.
    if not request.thinks or request.response_schema is not None:
        wanted["chat_template_kwargs"] = {"enable_thinking": False}
    return wanted


def messages(history: Sequence[Message]) -> list[dict[str, Any]]:
    """Write messages; thinking is not sent back."""
    return [_message(message) for message in history]


def chunk(data: str) -> StreamChunk:
    """Read one event of a stream; fields that are missing or of another type count as empty.

    Raises:
        StreamBroken: the event is no JSON object.
        ProviderError: the event reports an error.
    """
    try:
        piece = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise StreamBroken(detail="a piece of it was not valid JSON") from error
    if not isinstance(piece, dict):
        raise StreamBroken(detail="a piece of it was not a JSON object")
    if piece.get("error"):
        raise reported(piece["error"])
    choice = _first(piece.get("choices"))
    delta = _object(choice.get("delta"))
    return StreamChunk(
        delta=_text(delta.get("content")),
        thinking=_text(delta.get("reasoning_content")),
        tool_calls=_calls(delta.get("tool_calls")),
        finish_reason=_finish(choice.get("finish_reason")),
        usage=_usage(piece.get("usage")),
        timings=_timings(piece.get("timings")),
        progress=_progress(piece.get("prompt_progress")),
        id=_text(piece.get("id")),
        model=_text(piece.get("model")),
    )


def _message(message: Message) -> dict[str, Any]:
    if message.role is Role.TOOL:
        return {
            "role": "tool",
            "tool_call_id": message.tool_call_id,
            "content": message.content,
        }
    wire: dict[str, Any] = {"role": message.role.value, "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [_call(call) for call in message.tool_calls]
    return wire


def _call(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": _arguments(call.arguments)}
    return {"id": call.id, "type": "function", "function": function}


def _arguments(text: str) -> str:
    """A call that is no JSON would make the server refuse every later request of the chat."""
    try:
        value = json.loads(text, parse_constant=_no_number)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()  # Refuses half of a surrogate pair.
    except (ValueError, RecursionError):
        value = None
    return text if isinstance(value, dict) else "{}"


def _no_number(name: str) -> NoReturn:
    """NaN and Infinity are read by Python alone."""
    raise ValueError(name)


def _tools(request: CompletionRequest) -> dict[str, Any]:
    """llama-server ignores the choice of one tool by name: offer that one and require a call."""
    choice, tools = request.tool_choice, request.tools
    if isinstance(choice, ToolRef):
        tools = tuple(tool for tool in tools if tool.name == choice.name)
        choice = "required"
    return {"tools": [_tool(tool) for tool in tools], "tool_choice": choice}


def _schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": dict(schema)}}
    return {_FORMAT: form}


def _tool(tool: ToolSchema) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": dict(tool.parameters),
        },
    }


def _finish(reason: object) -> StopReason | None:
    return _FINISH.get(reason, StopReason.END_TURN) if isinstance(reason, str) else None


def _calls(pieces: object) -> tuple[ToolCallDelta, ...]:
    if not isinstance(pieces, list):
        return ()
    return tuple(_call_delta(place, _object(piece)) for place, piece in enumerate(pieces))


def _call_delta(place: int, piece: dict[str, Any]) -> ToolCallDelta:
    function = _object(piece.get("function"))
    return ToolCallDelta(
        index=_count(piece.get("index", place)),
        id=_text(piece.get("id")),
        name=_text(function.get("name")),
        arguments=_text(function.get("arguments")),
    )


def _usage(usage: object) -> TokenUsage | None:
    if not isinstance(usage, dict):
        return None
    details = _object(usage.get("prompt_tokens_details"))
    return TokenUsage(
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        _count(details.get("cached_tokens")),
    )


def _timings(timings: object) -> Timings | None:
    if not isinstance(timings, dict):
        return None
    return Timings(
        cache_n=_count(timings.get("cache_n")),
        prompt_n=_count(timings.get("prompt_n")),
        prompt_ms=_number(timings.get("prompt_ms")),
        predicted_n=_count(timings.get("predicted_n")),
        predicted_ms=_number(timings.get("predicted_ms")),
    )


def _progress(progress: object) -> Progress | None:
    if not isinstance(progress, dict):
        return None
    return Progress(
        total=_count(progress.get("total")),
        cached=_count(progress.get("cache")),
        processed=_count(progress.get("processed")),
        elapsed_ms=_number(progress.get("time_ms")),
    )


def _first(values: object) -> dict[str, Any]:
    return _object(values[0]) if isinstance(values, list) and values else {}


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int:
    return max(0, value) if isinstance(value, int) else 0


def _number(value: object) -> float:
    return max(0.0, float(value)) if isinstance(value, int | float) else 0.0
