from __future__ import annotations

import gguf
import pytest

from rony_desktop.contract.model import Tensor
from rony_desktop.model.tensor import (
    bytes_by_kind,
    kind_name,
    kind_number,
    size_of,
    size_of_row,
)

# Types this package knows and the oracle does not, or not under this number.
KNOWN = [kind for kind in gguf.GGMLQuantizationType if kind in gguf.GGML_QUANT_SIZES]


@pytest.mark.parametrize("kind", KNOWN, ids=lambda kind: kind.name)
def test_types_are_those_of_the_gguf_package(kind: gguf.GGMLQuantizationType) -> None:
    values, block_bytes = gguf.GGML_QUANT_SIZES[kind]
    assert kind_name(kind.value) == kind.name
    assert kind_number(kind.name) == kind.value
    assert size_of(kind.value, (values * 3, 5)) == block_bytes * 15


def test_an_unknown_type_keeps_its_number() -> None:
    assert kind_name(99) == "type 99"
    assert size_of(99, (32, 2)) is None
    with pytest.raises(KeyError):
        kind_number("Q99")


def test_a_row_of_a_cache() -> None:
    assert size_of_row("f16", 512) == 1024
    assert size_of_row("q8_0", 512) == 544
    assert size_of_row("q4_0", 0) == 0


def test_a_mix_is_summed_by_type() -> None:
    rows = [Tensor("a", (32,), 8, 0, 34), Tensor("b", (32,), 0, 64, 128)]
    rows += [Tensor("c", (64,), 8, 192, 68), Tensor("d", (1,), 99, 288, None)]
    assert list(bytes_by_kind(rows).items()) == [("F32", 128), ("Q8_0", 102), ("type 99", 0)]
