"""The types of tensors in a GGUF file: their names, their sizes, how a file mixes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from rony_desktop.contract.model import Tensor

# Name, bytes of one block and the values in it, by ggml_type (ggml.h).
_KINDS = {
    0: ("F32", 4, 1), 1: ("F16", 2, 1), 2: ("Q4_0", 18, 32), 3: ("Q4_1", 20, 32),
    6: ("Q5_0", 22, 32), 7: ("Q5_1", 24, 32), 8: ("Q8_0", 34, 32), 9: ("Q8_1", 40, 32),
    10: ("Q2_K", 84, 256), 11: ("Q3_K", 110, 256), 12: ("Q4_K", 144, 256), 13: ("Q5_K", 176, 256),
    14: ("Q6_K", 210, 256), 15: ("Q8_K", 292, 256), 16: ("IQ2_XXS", 66, 256),
    17: ("IQ2_XS", 74, 256), 18: ("IQ3_XXS", 98, 256), 19: ("IQ1_S", 50, 256),
    20: ("IQ4_NL", 18, 32), 21: ("IQ3_S", 110, 256), 22: ("IQ2_S", 82, 256),
    23: ("IQ4_XS", 136, 256), 24: ("I8", 1, 1), 25: ("I16", 2, 1), 26: ("I32", 4, 1),
    27: ("I64", 8, 1), 28: ("F64", 8, 1), 29: ("IQ1_M", 56, 256), 30: ("BF16", 2, 1),
    34: ("TQ1_0", 54, 256), 35: ("TQ2_0", 66, 256), 39: ("MXFP4", 17, 32), 40: ("NVFP4", 36, 64),
    41: ("Q1_0", 18, 128),
}  # fmt: skip
_NUMBERS = {known[0]: number for number, known in _KINDS.items()}


def kind_name(kind: int) -> str:
    """Name a type; one that is not known keeps its number."""
    known = _KINDS.get(kind)
    return known[0] if known else f"type {kind}"


def size_of(kind: int, shape: Sequence[int]) -> int | None:
    """Bytes of a tensor; None where the type is not known."""
    known = _KINDS.get(kind)
    if known is None:
        return None
    _, block_bytes, block_values = known
    return -(-prod(shape) // block_values) * block_bytes


def bytes_by_kind(tensors: Iterable[Tensor]) -> dict[str, int]:
    """Sum the bytes of each type, the largest first; a type of unknown size counts as 0."""
    sums: dict[str, int] = {}
    for tensor in tensors:
        name = kind_name(tensor.kind)
        sums[name] = sums.get(name, 0) + (tensor.size_bytes or 0)
    return dict(sorted(sums.items(), key=lambda item: -item[1]))


def size_of_row(name: str, width: int) -> int:
    """Bytes of so many values in the type a launch names, such as q8_0."""
    _, block_bytes, block_values = _KINDS[kind_number(name)]
    return width * block_bytes // block_values


def kind_number(name: str) -> int:
    """The ggml_type of a name, such as Q4_K.

    Raises:
        KeyError: there is no type of this name.
    """
    return _NUMBERS[name.upper()]
