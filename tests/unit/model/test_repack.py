from __future__ import annotations

import pytest

from rony_desktop.contract.model import Tensor
from rony_desktop.model.repack import repacked_bytes
from rony_desktop.model.tensor import kind_number, size_of

AVX2, AVX512 = {"avx2"}, {"avx2", "avx512f"}
AMX = {*AVX512, "amx_int8"}
ARM = {"asimd", "asimddp"}


def weight(kind: str, *shape: int, name: str = "blk.0.attn_q.weight") -> Tensor:
    number = kind_number(kind)
    return Tensor(name, shape, number, 0, size_of(number, shape))


@pytest.mark.parametrize(
    ("flags", "kinds"),
    [
        (set(), set()),
        (AVX2, {"Q4_0", "Q4_K", "IQ4_NL", "MXFP4"}),
        (AVX512, {"Q4_0", "Q4_K", "IQ4_NL", "MXFP4", "Q2_K"}),
        (ARM, {"Q4_0", "Q4_K", "Q5_K", "Q6_K", "Q8_0", "IQ4_NL", "MXFP4"}),
        ({"neon", "dotprod"}, {"Q4_0", "Q4_K", "Q5_K", "Q6_K", "Q8_0", "IQ4_NL", "MXFP4"}),
    ],
)
def test_each_processor_repacks_its_types(flags: set[str], kinds: set[str]) -> None:
    every = ["F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K"]
    every += ["Q5_K", "Q6_K", "IQ4_NL", "IQ4_XS", "MXFP4"]
    found = {kind for kind in every if repacked_bytes(weight(kind, 256, 64), flags)}
    assert found == kinds
    for kind in kinds:
        tensor = weight(kind, 256, 64)
        assert repacked_bytes(tensor, flags) == tensor.size_bytes


@pytest.mark.parametrize(
    "name",
    [
        "token_embd.weight",
        "position_embd.weight",
        "token_types.weight",
        "per_layer_token_embd.weight",
        "blk.0.shortconv.conv.weight",
        "blk.0.ffn_up_exps.bias",
    ],
)
def test_what_is_not_multiplied_stays(name: str) -> None:
    assert repacked_bytes(weight("Q4_0", 256, 64, name=name), AMX) == 0


def test_a_tied_output_is_multiplied() -> None:
    embedding = weight("Q4_0", 256, 64, name="token_embd.weight")
    assert repacked_bytes(embedding, AVX2, output=True) == embedding.size_bytes


def test_rows_must_fill_a_block() -> None:
    assert repacked_bytes(weight("Q4_0", 256, 60), AVX2) == 0
    assert repacked_bytes(weight("Q4_0", 256, 60), ARM) > 0
    assert repacked_bytes(weight("Q4_K", 256, 60), ARM) == 0
    assert repacked_bytes(weight("Q4_0", 256), AVX2) == 0


def test_three_dimensions_are_for_experts_only() -> None:
    assert repacked_bytes(weight("Q4_0", 128, 512, 16, name="blk.0.attn_k_b.weight"), AVX2) == 0
    experts = weight("Q4_0", 128, 512, 16, name="blk.0.ffn_up_exps.weight")
    assert repacked_bytes(experts, AVX2) == experts.size_bytes
    assert repacked_bytes(experts, AMX) == experts.size_bytes


def test_tiles_of_amx_are_larger_and_narrow_weights_are_left_to_the_others() -> None:
    assert repacked_bytes(weight("Q8_0", 256, 64), AMX) == 256 * 64 // 32 * 38
    assert repacked_bytes(weight("F16", 256, 64), AMX) == 256 * 64 * 2
    assert repacked_bytes(weight("Q4_K", 256, 40), AMX) == 40 * 144
    assert repacked_bytes(weight("Q8_0", 256, 40), AMX) == 0
    assert repacked_bytes(weight("F16", 24, 64), AMX) == 0


def test_a_weight_of_unknown_size_is_not_counted() -> None:
    assert repacked_bytes(Tensor("blk.0.attn_q.weight", (256, 64), 99, 0, None), AMX) == 0
