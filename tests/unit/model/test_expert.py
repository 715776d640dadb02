"""Experts that stay behind: only theirs, only of layers on the device, and a copy of one."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.model import Estimate, ModelMetadata, Share, Tensor
from rony_desktop.model.expert import experts_of


def tensor(name: str, size: int) -> Tensor:
    return Tensor(name, (1, 1), 0, 0, size)


MODEL = ModelMetadata(
    path=Path("m.gguf"),
    size_bytes=1000,
    architecture="qwen3moe",
    tensors=(
        tensor("blk.0.attn_q.weight", 5),
        tensor("blk.1.ffn_up_exps.weight", 40),
        tensor("blk.1.ffn_down_exps.weight", 60),
        tensor("blk.2.ffn_gate_up_exps.weight", 80),
        tensor("blk.2.ffn_up_shexp.weight", 7),
        tensor("blk.3.ffn_gate_inp.weight", 3),
    ),
)
NEED = Estimate(
    host=Share(weights_bytes=10, compute_bytes=1),
    device=Share(weights_bytes=500, compute_bytes=20),
    repack_bytes=0,
    layout_bytes=0,
    peak_bytes=600,
    known=True,
)


def test_layers_are_counted_from_the_first() -> None:
    experts = experts_of(MODEL)
    assert experts.layers == 3
    assert experts.bytes_by_layer == {1: 100, 2: 80}


def test_a_dense_model_has_none() -> None:
    dense = ModelMetadata(path=Path("m.gguf"), size_bytes=10, architecture="llama")
    assert experts_of(dense).layers == 0


def test_what_moves_leaves_the_device_and_the_total_but_for_a_copy() -> None:
    moved = experts_of(MODEL).on_host(NEED, 0, 2)
    assert moved.host.weights_bytes == 110
    assert moved.device.weights_bytes == 400
    assert moved.device.compute_bytes == 20 + 60
    assert moved.model_bytes == NEED.model_bytes
    assert (moved.kv_bytes, moved.peak_bytes) == (NEED.kv_bytes, NEED.peak_bytes)


def test_layers_that_are_not_on_the_device_do_not_move() -> None:
    assert experts_of(MODEL).on_host(NEED, 2, 3).host.weights_bytes == 90
    assert experts_of(MODEL).on_host(NEED, 3, 3) == NEED
