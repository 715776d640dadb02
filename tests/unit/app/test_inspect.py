"""A file's header and what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.inspect import inspect_file
from rony_desktop.contract.error import ModelMissing
from tests.fixture.twin import write_twin


def test_what_a_mixture_says_of_itself(tmp_path: Path) -> None:
    found = inspect_file(write_twin("qwen3-30b-a3b", tmp_path / "m.gguf"))
    assert (found.known, found.role) == (True, "model")
    assert found.layers == {"full attention": 48}
    assert (found.experts, found.experts_used) == (128, 8)
    assert 30e9 < found.parameters < 31e9
    assert list(found.bytes_by_type)[:2] == ["Q4_K", "Q6_K"]


def test_windows_are_told(tmp_path: Path) -> None:
    found = inspect_file(write_twin("gemma-3-1b", tmp_path / "m.gguf"))
    assert found.layers == {"sliding window": 22, "full attention": 4}
    assert found.window == 512


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing):
        inspect_file(tmp_path / "none.gguf")
