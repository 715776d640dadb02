"""The name of a file's quantization, as people say it: Q4_K_M."""

from __future__ import annotations

from rony_desktop.contract.model import ModelMetadata
from rony_desktop.model.tensor import bytes_by_kind

# llama_ftype of llama.h, which general.file_type holds.
_TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K",
    11: "Q3_K_S", 12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S",
    17: "Q5_K_M", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS",
    23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL", 26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M",
    30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4", 39: "NVFP4",
    40: "Q1_0",
}  # fmt: skip
# Set where a file's type was guessed from its tensors.
_GUESSED = 1024


def quant_of(model: ModelMetadata) -> str:
    """What the file says, else the type that most of its bytes have; "" where nothing tells."""
    said = model.values.get("general.file_type")
    if isinstance(said, int) and (name := _TYPES.get(said % _GUESSED)):
        return name
    return next(iter(bytes_by_kind(model.tensors)), "")
