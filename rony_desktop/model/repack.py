"""Which weights the engine holds in a layout of its own, and how large they are there.

The rules are those of ggml-cpu (repack.cpp, amx/mmq.cpp); with a GPU in sight nothing is repacked.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from rony_desktop.contract.model import Tensor
from rony_desktop.model.tensor import kind_name

# Rows must be divisible by this number, by type of the weights.
_AVX2 = {"Q4_0": 8, "Q4_K": 8, "IQ4_NL": 8, "MXFP4": 8}
_AVX512 = {**_AVX2, "Q2_K": 8}
_DOTPROD = {
    "Q4_0": 4, "Q8_0": 4, "IQ4_NL": 4, "MXFP4": 4, "Q4_K": 8, "Q5_K": 8, "Q6_K": 8,
}  # fmt: skip
# Columns must be divisible by the first number; the second is bytes of one block in tiles.
_AMX = {
    "Q4_0": (32, 18), "Q4_1": (32, 20), "Q8_0": (32, 38), "Q4_K": (256, 148),
    "Q5_K": (256, 180), "Q6_K": (256, 210), "IQ4_XS": (256, 138), "F16": (16, 32),
}  # fmt: skip
_AMX_ROWS = 32
# Looked up or convolved instead of multiplied.
_NOT_MULTIPLIED = (
    "_embd.weight", "token_types.weight", "_norm.weight", ".bias", "ssm_conv1d.weight",
    "shortconv.conv.weight", "ffn_gate_inp.weight", "ssm_a", "ssm_d",
)  # fmt: skip
_PLAIN = 2


def repacked_bytes(tensor: Tensor, features: Iterable[str], *, output: bool = False) -> int:
    """Bytes of a weight in the engine's own layout; 0 where it stays as the file has it.

    features are CPU flags in lower case as the system names them. output says that the weight,
    an embedding by its name, is multiplied as the output of a model that ties them.
    """
    flags = frozenset(features)
    shape, size = tensor.shape, tensor.size_bytes
    if len(shape) < _PLAIN or not size or (tensor.name.endswith(_NOT_MULTIPLIED) and not output):
        return 0
    kind = kind_name(tensor.kind)
    experts = "_exps." in tensor.name
    if "amx_int8" in flags and not experts and kind in _AMX and shape[1] % _AMX_ROWS == 0:
        columns, block_bytes = _AMX[kind]
        if shape[0] % columns == 0:
            return prod(shape) // columns * block_bytes
    # Matrices of heads (three dimensions, no experts) are multiplied in another way.
    if (len(shape) > _PLAIN) != experts:
        return 0
    rows = _rows(flags).get(kind)
    return size if rows and shape[1] % rows == 0 else 0


def _rows(flags: frozenset[str]) -> dict[str, int]:
    if "avx512f" in flags:
        return _AVX512
    if "avx2" in flags:
        return _AVX2
    return _DOTPROD if flags & {"asimddp", "dotprod"} else {}
