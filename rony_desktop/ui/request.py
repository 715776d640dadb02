"""What later starts of the program send to the first: one JSON object on a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

LIMIT_BYTES = 65_536

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def to_line(values: Mapping[str, Any]) -> bytes:
    """A request or an answer as it is sent."""
    return json.dumps(dict(values)).encode() + b"\n"


def answered(line: bytes, answer: Answer) -> bytes:
    """The line that answers a line, b"" to what is no request."""
    try:
        request = json.loads(line)
    except ValueError:
        return b""
    return to_line(answer(request)) if isinstance(request, dict) else b""
