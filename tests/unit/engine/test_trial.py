"""The trial model: small, whole, and made of the types whose kernels must run."""

from __future__ import annotations

import struct

from rony_desktop.engine.trial import Q4_K, Tensor, trial_model


def test_header_counts_and_size() -> None:
    data = trial_model()
    magic, version, tensors, values = struct.unpack_from("<4sIQQ", data)
    assert (magic, version, tensors, values) == (b"GGUF", 3, 11, 14)
    assert len(data) < 500_000
    assert len(data) % 32 == 0


def test_every_common_quantization_is_in_it() -> None:
    data = trial_model()
    for name, kind in (("attn_q", 12), ("attn_v", 14), ("attn_output", 2), ("ffn_up", 8)):
        key = f"blk.0.{name}.weight".encode()
        at = data.index(key) + len(key)
        dims, rows, columns, quant = struct.unpack_from("<IQQI", data, at)
        assert (dims, rows, columns, quant) == (2, 256, 256, kind)


def test_size_follows_the_block() -> None:
    assert Tensor("t", Q4_K, (256, 256)).size() == 256 * 144


def test_it_is_the_same_each_time() -> None:
    assert trial_model() == trial_model()
