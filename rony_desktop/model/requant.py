"""A model as another of its quants would be: one header tells of all of them."""

from __future__ import annotations

from dataclasses import replace

from rony_desktop.contract.model import ModelMetadata, Tensor
from rony_desktop.model.tensor import kind_number, size_of

# Of these mixes no type has the name: the type that most of their weights have.
_MIXES = {"IQ2": "IQ2_S", "IQ3": "IQ3_S", "Q2": "Q2_K", "FP16": "F16", "FP32": "F32"}
# A type of activations only: files that are named after it hold Q8_0.
_NO_WEIGHTS = "Q8_K"
_MATRIX = 2


def requantised(model: ModelMetadata, quant: str, size_bytes: int) -> ModelMetadata:
    """The model with its matrices in the main type of a quant, together as large as its files.

    Where the name tells no type they keep theirs, at another size.
    """
    kind = main_kind(quant)
    rest = sum(tensor.size_bytes or 0 for tensor in model.tensors if not _is_matrix(tensor))
    cast = [_cast(tensor, kind) for tensor in model.tensors]
    matrices = sum(tensor.size_bytes or 0 for tensor in cast if _is_matrix(tensor))
    scale = max(0, size_bytes - rest) / matrices if matrices else 0.0
    tensors = tuple(
        replace(tensor, size_bytes=round((tensor.size_bytes or 0) * scale))
        if _is_matrix(tensor)
        else tensor
        for tensor in cast
    )
    return replace(model, size_bytes=size_bytes, tensors=tensors)


def main_kind(quant: str) -> int | None:
    """The ggml_type of most weights of a quant, as Q4_K of UD-Q4_K_XL; None: not known."""
    name = quant.upper().removeprefix("UD-")
    while name:
        try:
            kind = _MIXES.get(name, name)
            return kind_number("Q8_0" if kind == _NO_WEIGHTS else kind)
        except KeyError:
            name = name.rpartition("_")[0]
    return None


def _is_matrix(tensor: Tensor) -> bool:
    return len(tensor.shape) >= _MATRIX


def _cast(tensor: Tensor, kind: int | None) -> Tensor:
    if kind is None or not _is_matrix(tensor):
        return tensor
    return replace(tensor, kind=kind, size_bytes=size_of(kind, tensor.shape))
