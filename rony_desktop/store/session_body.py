"""Bodies of session entries, read with tolerance for what is missing or of a newer version."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from typing import Any

from rony_desktop.contract.approval import Grant, GrantScope
from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Artifact, Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import CallTrace, SessionMessage
from rony_desktop.contract.tool import ToolState

_MOST = 1e15  # of tokens or milliseconds; what is more was not measured


def write_message(message: Message, model: str = "") -> dict[str, Any]:
    """The body of a message; what is empty is left out, its id is the entry's."""
    body = {
        "role": message.role.value,
        "content": message.content,
        "thinking": message.thinking,
        "tool_calls": write_calls(message.tool_calls),
        "tool_call_id": message.tool_call_id,
        "tool_result": _write_result(message.tool_result, message.content),
        "model": model,
    }
    return {key: value for key, value in body.items() if value or key in ("role", "content")}


def write_calls(calls: Iterable[ToolCall]) -> list[dict[str, str]]:
    """The tool_calls of a message or an end."""
    return [
        {key: value for key, value in asdict(call).items() if value is not None} for call in calls
    ]


def write_end(answer: SessionMessage) -> dict[str, Any]:
    """The body of the end of an answer: all but its text, which is in its deltas."""
    failure = answer.failure
    usage = answer.usage if answer.usage and answer.usage.total_tokens else None
    timings = answer.timings if usage else None
    body = {
        "stop_reason": answer.stop_reason.value if answer.stop_reason else "",
        "model": answer.model,
        "usage": asdict(usage) if usage else None,
        "timings": asdict(timings) if timings else None,
        "failure": {"code": failure.code, "params": dict(failure.params)} if failure else None,
        "tool_calls": write_calls(answer.message.tool_calls),
    }
    return {"status": answer.status.value} | {key: value for key, value in body.items() if value}


def write_trace(call: str, trace: CallTrace) -> dict[str, str]:
    """The body of a tool entry: the id of a call, its new state, what that state says."""
    return {**trace.params, "call": call, "state": trace.state.value}


def read_message(id: str, body: Mapping[str, Any]) -> Message | None:
    """The message of a body; None where its role is missing or unknown."""
    try:
        role = Role(body.get("role", ""))
    except ValueError:
        return None
    result = body.get("tool_result")
    content = text_of(body, "content")
    return Message(
        role=role,
        content=content,
        id=id,
        thinking=text_of(body, "thinking"),
        tool_calls=read_calls(body),
        tool_call_id=text_of(body, "tool_call_id"),
        tool_result=_result({"content": content} | result) if isinstance(result, dict) else None,
    )


def read_calls(body: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    """The calls of a message or an end."""
    found = body.get("tool_calls")
    if not isinstance(found, list):
        return ()
    return tuple(_call(item) for item in found if isinstance(item, dict))


def read_trace(body: Mapping[str, Any]) -> tuple[str, CallTrace] | None:
    """A call's id and its new state; None where one is missing or of a newer version."""
    call = text_of(body, "call")
    try:
        state = ToolState(body.get("state", ""))
    except ValueError:
        return None
    said = {key: value for key, value in _texts(body).items() if key not in ("call", "state")}
    return (call, CallTrace(state, said)) if call else None


def read_grant(call: str, trace: CallTrace) -> Grant | None:
    """What an allowed call lets later ones of its chat do; None where it was for itself alone."""
    said = trace.params
    if trace.state is not ToolState.ALLOWED or said.get("scope") != GrantScope.SESSION.value:
        return None
    parts = [said.get(name, "") for name in ("tool", "pattern", "folder", "sandbox")]
    return Grant(call, *parts) if all(parts) else None


def read_stop_reason(body: Mapping[str, Any]) -> StopReason | None:
    """The stop reason of an end; None where it is missing or unknown."""
    try:
        return StopReason(body.get("stop_reason", ""))
    except ValueError:
        return None


def read_usage(body: Mapping[str, Any]) -> TokenUsage | None:
    """The usage of an end; None where it is missing."""
    found = body.get("usage")
    return TokenUsage(**_numbers(TokenUsage, found)) if isinstance(found, dict) else None


def read_timings(body: Mapping[str, Any]) -> Timings | None:
    """The timings of an end; None where they are missing."""
    found = body.get("timings")
    return Timings(**_numbers(Timings, found)) if isinstance(found, dict) else None


def read_failure(body: Mapping[str, Any]) -> Failure | None:
    """The failure of an end; None where it is missing."""
    found = body.get("failure")
    if not isinstance(found, dict):
        return None
    return Failure(text_of(found, "code"), _texts(found.get("params")))


def text_of(body: Mapping[str, Any], key: str) -> str:
    """A text of a body; empty where it is missing or something else."""
    value = body.get(key)
    return value if isinstance(value, str) else ""


def _write_result(result: ToolResult | None, said: str) -> dict[str, Any] | None:
    """A tool's answer; its text is written once where the message says the same."""
    if result is None:
        return None
    body = {
        "is_error": result.is_error,
        "metadata": dict(result.metadata),
        "artifacts": [asdict(artifact) for artifact in result.artifacts],
    }
    return body if result.content == said else {"content": result.content, **body}


def _result(body: Mapping[str, Any]) -> ToolResult:
    artifacts = body.get("artifacts")
    return ToolResult(
        content=text_of(body, "content"),
        is_error=body.get("is_error") is True,
        metadata=_texts(body.get("metadata")),
        artifacts=tuple(_artifact(item) for item in artifacts if isinstance(item, dict))
        if isinstance(artifacts, list)
        else (),
    )


def _artifact(body: Mapping[str, Any]) -> Artifact:
    size = body.get("size_bytes")
    return Artifact(
        id=text_of(body, "id"),
        name=text_of(body, "name"),
        media_type=text_of(body, "media_type"),
        size_bytes=size if isinstance(size, int) else 0,
    )


def _call(body: Mapping[str, Any]) -> ToolCall:
    thought = body.get("thought")
    return ToolCall(
        id=text_of(body, "id"),
        name=text_of(body, "name"),
        arguments=text_of(body, "arguments"),
        thought=thought if isinstance(thought, str) else None,
    )


def _texts(found: object) -> dict[str, str]:
    if not isinstance(found, dict):
        return {}
    return {str(key): str(value) for key, value in found.items()}


def _numbers(kind: type[TokenUsage | Timings], found: Mapping[str, Any]) -> dict[str, Any]:
    names = {item.name for item in fields(kind)}
    return {name: value for name, value in found.items() if name in names and _is_count(value)}


def _is_count(value: object) -> bool:
    """Whether a value is a number that can be counted with: none that is infinite, or none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= _MOST
