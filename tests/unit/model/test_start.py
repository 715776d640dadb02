from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.error import ModelCut, ModelForeign
from rony_desktop.model.start import is_start, read_start
from tests.fixture.gguf import LLAMA, Tensor, gguf

WHOLE = gguf(LLAMA, [Tensor([3200], 24, 3200)])


def test_a_header_is_read_without_what_follows_it(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(WHOLE[:-3200])
    header = read_start(tmp_path / "m", len(WHOLE))
    assert header.values["general.name"] == "Tiny"
    with pytest.raises(ModelCut):
        read_start(tmp_path / "m", len(WHOLE) - 1)


@pytest.mark.parametrize("length", [2, 20, 200])
def test_a_part_of_a_header_is_not_taken_for_it(tmp_path: Path, length: int) -> None:
    (tmp_path / "m").write_bytes(WHOLE[:length])
    with pytest.raises(ModelCut):
        read_start(tmp_path / "m", len(WHOLE))


def test_something_else_is_named(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(b"<html>")
    with pytest.raises(ModelForeign, match="web page"):
        read_start(tmp_path / "m", 6)


def test_the_first_bytes_tell() -> None:
    assert is_start(b"G")
    assert is_start(b"GGUF\x03")
    assert not is_start(b"")
    assert not is_start(b"<!DOCTYPE")
