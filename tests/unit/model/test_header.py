from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from rony_desktop.contract.error import ModelCut
from rony_desktop.contract.model import Tensor as Row
from rony_desktop.model.header import NAME_LIMIT_BYTES, Header, read_header
from rony_desktop.model.window import Window
from tests.fixture.gguf import LLAMA, Tensor, Typed, gguf


def header(content: bytes) -> Header:
    return read_header(Window(BytesIO(content), Path("m.gguf"), len(content)), len(content))


def test_the_table_of_tensors() -> None:
    table = (Tensor((64, 4), 0, 1024, "a"), Tensor((32, 2, 3), 99, 10, "odd"))
    assert header(gguf(LLAMA, table)).tensors == [
        Row("a", (64, 4), 0, 0, 1024),
        Row("odd", (32, 2, 3), 99, 1024, None),
    ]


def test_numbers_by_layer_are_kept_and_long_lists_counted() -> None:
    lists = {
        "heads": Typed(5, [0, 8, 0]),
        "pattern": Typed(7, [True, False]),
        "scores": Typed(6, [0.5, 1.5]),
        "types": Typed(5, [1] * 5000),
    }
    found = header(gguf({**LLAMA, **lists}))
    assert found.lists == {"heads": (0, 8, 0), "pattern": (True, False)}
    assert {key: found.lengths[key] for key in lists} == {
        "heads": 3,
        "pattern": 2,
        "scores": 2,
        "types": 5000,
    }


def test_a_tensor_with_an_endless_name_is_refused() -> None:
    with pytest.raises(ModelCut):
        header(gguf(LLAMA, (Tensor((32,), 0, 128, "x" * (NAME_LIMIT_BYTES + 1)),)))
