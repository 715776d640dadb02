"""What a model server says instead of an answer, as typed errors."""

from __future__ import annotations

import json
import re
from typing import Any

from rony_desktop.contract.error import (
    ContextOverflow,
    ProviderError,
    ProviderLoading,
    ProviderRefused,
)

DETAIL_LIMIT = 300
_UNKNOWN = "?"

# The first two are llama-server's; the others come from servers that speak the same language.
_OVERFLOW = (
    "exceed_context_size_error",
    "exceeds the available context size",
    "prompt is too long",
    "prompt_too_long",
    "maximum context length",
    "context_length_exceeded",
    "context length exceeded",
    "reduce the length of the messages",
    "input token count",
    "exceeds the maximum number of tokens",
    "too many tokens",
)


def refused(status: int, content: bytes, key: str = "") -> ProviderError:
    """Read an answer whose status is not 200; the key never reaches the error."""
    text = content.decode("utf-8", "replace")
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError):
        payload = None
    error = payload.get("error", payload) if isinstance(payload, dict) else text
    return _typed(status, error, key)


def reported(error: object) -> ProviderError:
    """Read the error object of an event inside a stream that began well."""
    code = error.get("code") if isinstance(error, dict) else None
    return _typed(code if isinstance(code, int) else 500, error, "")


def _typed(status: int, error: object, key: str) -> ProviderError:
    fields: dict[str, Any] = error if isinstance(error, dict) else {"message": str(error)}
    message = str(fields.get("message") or json.dumps(fields, default=str))
    said = f"{fields.get('type')} {fields.get('code')} {message}".lower()
    if any(phrase in said for phrase in _OVERFLOW):
        return _overflow(fields, message)
    if status == 503 and "loading" in said:  # noqa: PLR2004 - HTTP
        return ProviderLoading()
    detail = _short(message, key)
    if status < 500:  # noqa: PLR2004 - HTTP
        return ProviderRefused(status=status, detail=detail)
    return ProviderError(detail=detail)


def _overflow(fields: dict[str, Any], message: str) -> ContextOverflow:
    """Take the counts from their fields, else from the sentence, where the larger is the need."""
    numbers = sorted(int(number) for number in re.findall(r"\d{3,9}", message)[:2])
    limit, needed = numbers if len(numbers) == 2 else (_UNKNOWN, _UNKNOWN)  # noqa: PLR2004
    return ContextOverflow(
        needed=fields.get("n_prompt_tokens", needed), limit=fields.get("n_ctx", limit)
    )


def _short(message: str, key: str) -> str:
    if key:
        message = message.replace(key, "***")
    return " ".join(message.split())[:DETAIL_LIMIT].rstrip(" .")
