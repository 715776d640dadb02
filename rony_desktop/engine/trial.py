"""The smallest llama model that runs every common kernel: the test model of an engine's trial."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 256  # one block of the K quantizations
BYTES = 256
CONTEXT = 256
ALIGNMENT = 32

# GGUF value types: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
UNKNOWN, CONTROL, BYTE = 2, 3, 6


class Quant(NamedTuple):
    """A tensor type: its number, and elements and bytes of a block."""

    id: int
    elements: int
    bytes: int


F32 = Quant(0, 1, 4)
Q4_0 = Quant(2, 32, 18)
Q8_0 = Quant(8, 32, 34)
Q4_K = Quant(12, 256, 144)
Q6_K = Quant(14, 256, 210)


class Tensor(NamedTuple):
    """Name, type and dimensions, the fastest first."""

    name: str
    quant: Quant
    dims: tuple[int, ...]

    def size(self) -> int:
        """Bytes of its data."""
        return math.prod(self.dims) // self.quant.elements * self.quant.bytes

    def data(self) -> bytes:
        """Ones where it scales, else one repeated pattern that every type decodes to numbers."""
        if self.quant is F32:
            return struct.pack("<f", 1.0) * math.prod(self.dims)
        return b"\x11" * self.size()


def trial_model() -> bytes:
    """A llama model of one layer with a token for every byte; about 0.3 MB, its text is noise.

    Quantized tensors make the vector kernels run, which is what fails on a foreign processor.
    """
    tensors = _tensors()
    head = [_string(key) + value for key, value in _metadata()]
    infos, data = [], b""
    for tensor in tensors:
        infos.append(_string(tensor.name) + _info(tensor, len(data)))
        data += _padded(tensor.data())
    start = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(head))
    return _padded(start + b"".join(head) + b"".join(infos)) + data


def _tensors() -> list[Tensor]:
    vocabulary = len(_tokens())
    square = (WIDTH, WIDTH)
    layer = [
        Tensor("attn_norm", F32, (WIDTH,)),
        Tensor("attn_q", Q4_K, square),
        Tensor("attn_k", Q4_K, square),
        Tensor("attn_v", Q6_K, square),
        Tensor("attn_output", Q4_0, square),
        Tensor("ffn_norm", F32, (WIDTH,)),
        Tensor("ffn_gate", Q4_K, square),
        Tensor("ffn_up", Q8_0, square),
        Tensor("ffn_down", Q6_K, square),
    ]
    return [
        Tensor("token_embd.weight", Q8_0, (WIDTH, vocabulary)),
        Tensor("output_norm.weight", F32, (WIDTH,)),
        *(Tensor(f"blk.0.{name}.weight", quant, dims) for name, quant, dims in layer),
    ]


def _tokens() -> list[str]:
    return ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(BYTES))]


def _metadata() -> list[tuple[str, bytes]]:
    tokens = _tokens()
    kinds = [UNKNOWN, CONTROL, CONTROL] + [BYTE] * BYTES
    return [
        ("general.architecture", _text("llama")),
        ("general.name", _text("trial")),
        ("llama.context_length", _number(CONTEXT)),
        ("llama.embedding_length", _number(WIDTH)),
        ("llama.feed_forward_length", _number(WIDTH)),
        ("llama.block_count", _number(1)),
        ("llama.attention.head_count", _number(4)),
        ("llama.attention.layer_norm_rms_epsilon", struct.pack("<If", FLOAT32, 1e-5)),
        ("tokenizer.ggml.model", _text("llama")),
        ("tokenizer.ggml.tokens", _array(STRING, [_string(token) for token in tokens])),
        ("tokenizer.ggml.scores", _array(FLOAT32, [struct.pack("<f", 0.0)] * len(tokens))),
        ("tokenizer.ggml.token_type", _array(INT32, [struct.pack("<i", kind) for kind in kinds])),
        ("tokenizer.ggml.bos_token_id", _number(1)),
        ("tokenizer.ggml.eos_token_id", _number(2)),
    ]


def _string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode("ascii")


def _text(text: str) -> bytes:
    return struct.pack("<I", STRING) + _string(text)


def _number(value: int) -> bytes:
    return struct.pack("<II", UINT32, value)


def _array(kind: int, items: Sequence[bytes]) -> bytes:
    return struct.pack("<IIQ", ARRAY, kind, len(items)) + b"".join(items)


def _info(tensor: Tensor, offset: int) -> bytes:
    dims = tensor.dims
    return struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, tensor.quant.id, offset)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % ALIGNMENT)
