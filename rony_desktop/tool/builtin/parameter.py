"""The parameters of a tool as a JSON Schema that every engine's grammar can be made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TEXT: Mapping[str, Any] = {"type": "string"}


def parameters(properties: Mapping[str, Any], *required: str) -> Mapping[str, Any]:
    """A flat object of these properties and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }
