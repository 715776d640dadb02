"""Bodies of session entries, read with tolerance for what is missing or of a newer version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Artifact, Message, Role, ToolCall, ToolResult


def read_message(id: str, body: Mapping[str, Any]) -> Message | None:
    """The message of a body; None where its role is missing or unknown."""
    try:
        role = Role(body.get("role", ""))
    except ValueError:
        return None
    calls = body.get("tool_calls")
    result = body.get("tool_result")
    return Message(
        role=role,
        content=text_of(body, "content"),
        id=id,
        thinking=text_of(body, "thinking"),
        tool_calls=tuple(_call(item) for item in calls if isinstance(item, dict))
        if isinstance(calls, list)
        else (),
        tool_call_id=text_of(body, "tool_call_id"),
        tool_result=_result(result) if isinstance(result, dict) else None,
    )


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
    return {
        name: value
        for name, value in found.items()
        if name in names and isinstance(value, int | float) and not isinstance(value, bool)
    }
