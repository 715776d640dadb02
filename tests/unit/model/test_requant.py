"""One header stands for every quant of a model."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.contract.model import ModelMetadata, Tensor
from rony_desktop.model.requant import main_kind, requantised
from rony_desktop.model.tensor import kind_name, size_of

MATRIX, VECTOR = (256, 64), (256,)


def model() -> ModelMetadata:
    tensors = tuple(
        Tensor(name, shape, kind, 0, size_of(kind, shape))
        for name, shape, kind in (("blk.0.attn_q.weight", MATRIX, 12), ("norm.weight", VECTOR, 0))
    )
    return ModelMetadata(Path("m.gguf"), 10_000, "llama", tensors=tensors)


@pytest.mark.parametrize(
    ("quant", "kind"),
    [
        ("Q4_K_M", "Q4_K"),
        ("UD-Q4_K_XL", "Q4_K"),
        ("UD-Q8_K_XL", "Q8_0"),
        ("Q5_0", "Q5_0"),
        ("iq4_xs", "IQ4_XS"),
        ("IQ3_M", "IQ3_S"),
        ("IQ2_M", "IQ2_S"),
        ("MXFP4_MOE", "MXFP4"),
        ("BF16", "BF16"),
        ("FP16", "F16"),
        ("Q2_K_L", "Q2_K"),
        ("Q3_K_S", "Q3_K"),
    ],
)
def test_the_type_most_weights_have(quant: str, kind: str) -> None:
    found = main_kind(quant)
    assert found is not None
    assert kind_name(found) == kind


@pytest.mark.parametrize("quant", ["", "LARGE", "Q", "_"])
def test_a_name_that_tells_no_type(quant: str) -> None:
    assert main_kind(quant) is None


def test_matrices_change_and_are_as_large_as_the_files() -> None:
    other = requantised(model(), "Q8_0", 50_000)
    matrix, vector = other.tensors
    assert kind_name(matrix.kind) == "Q8_0"
    assert vector == model().tensors[1]
    assert other.size_bytes == 50_000
    assert (matrix.size_bytes or 0) + (vector.size_bytes or 0) == 50_000


def test_an_unknown_quant_keeps_the_types_at_another_size() -> None:
    other = requantised(model(), "odd", 5_000)
    assert [tensor.kind for tensor in other.tensors] == [12, 0]
    assert sum(tensor.size_bytes or 0 for tensor in other.tensors) == 5_000


def test_a_header_without_tensors_keeps_its_size_only() -> None:
    bare = ModelMetadata(Path("m.gguf"), 10, "llama")
    assert requantised(bare, "Q8_0", 7).size_bytes == 7
