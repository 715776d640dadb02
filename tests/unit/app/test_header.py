from __future__ import annotations

import os
from pathlib import Path

import pytest

from rony_desktop.app.header import Headers
from rony_desktop.contract.error import ModelForeign
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.gguf import LLAMA, gguf
from tests.fixture.shop import Known
from tests.fixture.speed import machine, model


def test_a_header_is_read_once_until_its_file_changes(tmp_path: Path) -> None:
    known, file = Known(model(), machine()), tmp_path / "model.gguf"
    file.write_bytes(b"x")
    headers = Headers(known)
    assert headers.read(file) is headers.read(file)
    assert known.reads == 1
    os.utime(file, (1, 1))
    headers.read(file)
    headers.read(tmp_path / "other.gguf")
    assert known.reads == 3


def test_what_cannot_be_read_is_tried_again(tmp_path: Path) -> None:
    file, headers = tmp_path / "model.gguf", Headers(GgufMetadataReader())
    file.write_bytes(b"<html>")
    for _ in range(2):
        with pytest.raises(ModelForeign):
            headers.read(file)
    file.write_bytes(gguf(LLAMA))
    assert headers.read(file).name == "Tiny"
