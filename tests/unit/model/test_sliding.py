from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.sliding import windows_of


def model(architecture: str, pattern: tuple[int, ...] = (), **keys: Any) -> ModelMetadata:
    start = f"{architecture}.attention."
    lists = {start + "sliding_window_pattern": pattern} if pattern else {}
    values = {start + key: value for key, value in keys.items()}
    return ModelMetadata(Path("m.gguf"), 1, architecture, values=values, lists=lists)


@pytest.mark.parametrize(
    ("architecture", "keys", "wanted"),
    [
        ("gemma3", {"sliding_window": 512}, (512,) * 5 + (0, 512, 512)),
        ("gemma3", {}, (0,) * 8),
        ("gemma3", {"sliding_window": 0}, (0,) * 8),
        ("gemma3", {"sliding_window": 512, "sliding_window_pattern": 2}, (512, 0) * 4),
        ("gemma2", {}, (4096, 0) * 4),
        ("gpt-oss", {"sliding_window": 128}, (128, 0) * 4),
        ("smallthinker", {"sliding_window": 9}, (0, 9, 9, 9) * 2),
        ("llama4", {}, (8192, 8192, 8192, 0) * 2),
        ("llama4", {"sliding_window": 0}, (0,) * 8),
        ("phi3", {"sliding_window": 2047}, (0,) * 8),
        ("exaone4", {"sliding_window": 4096}, (0,) * 8),
        ("lfm2", {"sliding_window": 64}, (64,) * 8),
        # No rule: all of the context is the upper bound.
        ("mistral9", {"sliding_window": 4096}, (0,) * 8),
        ("gemma3", {"sliding_window": "wide"}, (0,) * 8),
        ("gemma3", {"sliding_window": 512, "sliding_window_pattern": "odd"}, (0,) * 8),
    ],
)
def test_windows(architecture: str, keys: dict[str, Any], wanted: tuple[int, ...]) -> None:
    assert windows_of(model(architecture, **keys), 8) == wanted


def test_a_pattern_by_layer_is_followed() -> None:
    found = windows_of(model("gemma4", (1, 0, 1), sliding_window=512), 5)
    assert found == (512, 0, 512, 0, 0)


def test_only_the_large_exaone4_has_windows() -> None:
    found = windows_of(model("exaone4", sliding_window=4096), 64)
    assert found == (4096, 4096, 4096, 0) * 16
