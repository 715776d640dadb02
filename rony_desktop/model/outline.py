"""A model of which only the number of its weights is known, as most of that size are built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rony_desktop.contract.model import ModelMetadata, Tensor
from rony_desktop.model.requant import main_kind, requantised
from rony_desktop.model.tensor import kind_number, size_of

# Layers by billions of weights, as the families of these years have them.
_LAYERS = ((0.8, 24), (3.0, 28), (12.0, 36), (30.0, 44), (50.0, 64), (1e9, 80))
# Weights of a layer over the square of its width: attention with few heads for keys, and a
# feed-forward part a bit over three times as wide.
_ATTENTION, _FORWARD = 2.5, 9.5
_HEAD, _HEADS_KV = 128, 8
_VOCABULARY = 128_000
_CONTEXT = 32_768
_EXPERTS = 128
# Bits of a weight in whole files: the mixes keep some tensors in larger types.
_BITS = {"Q4_K_M": 4.9, "Q5_K_M": 5.7, "Q6_K": 6.6, "Q8_0": 8.5, "MXFP4": 4.7, "F16": 16.0}
_USUAL_BITS = 5.0
_BILLION = 1e9


def outline(parameters_b: float, quant: str, active_b: float | None = None) -> ModelMetadata:
    """What a model of so many billions of weights would say of itself, roughly.

    active_b are those that one token of a mixture of experts uses.
    """
    layers = next(count for limit, count in _LAYERS if parameters_b <= limit)
    per_token = (active_b or parameters_b) * _BILLION / layers
    width = max(_HEAD, round((per_token / (_ATTENTION + _FORWARD)) ** 0.5 / _HEAD) * _HEAD)
    kind = main_kind(quant) or kind_number("Q4_K")
    experts = parameters_b / active_b if active_b else 0.0
    tensors = tuple(_tensors(layers, width, kind, experts))
    values: dict[str, object] = {"general.architecture": "llama"}
    if experts:
        used = max(1, round(_EXPERTS / experts))
        values |= {"llama.expert_count": _EXPERTS, "llama.expert_used_count": used}
    model = ModelMetadata(
        path=Path("outline.gguf"),
        size_bytes=0,
        architecture="llama",
        context_length=_CONTEXT,
        block_count=layers,
        embedding_length=width,
        head_count=max(1, width // _HEAD),
        head_count_kv=_HEADS_KV,
        key_length=_HEAD,
        value_length=_HEAD,
        vocabulary_size=_VOCABULARY,
        chat_template="chatml",
        values=values,
        tensors=tensors,
    )
    return requantised(model, quant, file_bytes(parameters_b, quant))


def file_bytes(parameters_b: float, quant: str) -> int:
    """About how large the files are."""
    return int(parameters_b * _BILLION * _BITS.get(quant, _USUAL_BITS) / 8)


def _tensors(layers: int, width: int, kind: int, experts: float) -> Iterator[Tensor]:
    def tensor(name: str, *shape: int) -> Tensor:
        return Tensor(f"{name}.weight", shape, kind, 0, size_of(kind, shape))

    yield tensor("token_embd", width, _VOCABULARY)
    forward = round(_FORWARD * width / 3)
    for number in range(layers):
        yield tensor(f"blk.{number}.attn_q", width, width)
        yield tensor(f"blk.{number}.attn_k", width, _HEAD * _HEADS_KV)
        yield tensor(f"blk.{number}.attn_v", width, _HEAD * _HEADS_KV)
        yield tensor(f"blk.{number}.attn_output", width, width)
        for part in ("gate", "up", "down"):
            if experts:
                each = max(1, round(forward * experts / _EXPERTS))
                yield tensor(f"blk.{number}.ffn_{part}_exps", width, each, _EXPERTS)
            else:
                yield tensor(f"blk.{number}.ffn_{part}", width, forward)
