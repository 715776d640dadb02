"""A scripted model and a standard input for commands that run in this process."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

RULES = [
    {"match": "capital", "response": "It is Paris."},
    {"match": "break", "response": "\n"},
    {"match": "hello", "response": "Hello to you."},
]


@pytest.fixture
def model(tmp_path: Path) -> str:
    """Answers a few words; anything else is refused, and a word-less answer is a failure."""
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(RULES), "utf-8")
    return f"scripted:{file}"


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts text on standard input."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))
