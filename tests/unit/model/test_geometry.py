from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.model import ModelMetadata, Tensor
from rony_desktop.model.geometry import LAYERS_LIMIT, Geometry, Kind, Recurrence, Role, geometry_of
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.twin import write_twin


@pytest.fixture
def twin(tmp_path: Path) -> Any:
    return lambda name: geometry_of(
        GgufMetadataReader().read(write_twin(name, tmp_path / "model.gguf"))
    )


def kinds(geometry: Geometry) -> dict[str, int]:
    found: dict[str, int] = {}
    for layer in geometry.layers:
        found[layer.kind.name] = found.get(layer.kind.name, 0) + 1
    return found


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("llama-3.2-1b", {"FULL": 16}),
        ("gemma-3-1b", {"WINDOW": 22, "FULL": 4}),
        ("gemma-4-e4b", {"WINDOW": 20, "FULL": 4, "SHARED": 18}),
        ("deepseek-v2-lite", {"LATENT": 27}),
        ("lfm2-1.2b", {"RECURRENT": 10, "FULL": 6}),
        ("falcon-h1-1.5b", {"BOTH": 24}),
        ("mamba2-2.7b", {"RECURRENT": 64}),
        ("qwen3.5-9b", {"RECURRENT": 24, "FULL": 8}),
        ("phi-4-mini", {"FULL": 32}),
        ("bge-small", {"NONE": 12}),
    ],
)
def test_what_each_layer_keeps(name: str, wanted: dict[str, int], twin: Any) -> None:
    assert kinds(twin(name)) == wanted


def test_heads_of_a_window_have_a_size_of_their_own(twin: Any) -> None:
    layers = twin("gemma-4-e4b").layers
    assert (layers[0].kind, layers[0].key_width, layers[0].window) == (Kind.WINDOW, 512, 512)
    assert (layers[5].kind, layers[5].key_width, layers[5].window) == (Kind.FULL, 1024, 0)


def test_latent_attention_keeps_no_values(twin: Any) -> None:
    found = twin("deepseek-v2-lite")
    assert (found.layers[0].key_width, found.layers[0].value_width) == (576, 0)
    assert (found.latent_width, found.experts, found.experts_used) == (512, 64, 6)
    assert (found.expert_ff, found.expert_shared, found.ff) == (1408, True, 10944)


def test_a_mamba_block(twin: Any) -> None:
    assert twin("mamba2-2.7b").recurrence == Recurrence(10576, 5376, 5120)
    assert twin("qwen3.5-9b").recurrence is None


def test_feed_forward_kinds(twin: Any) -> None:
    phi, bge, oss = twin("phi-4"), twin("bge-small"), twin("gpt-oss-20b")
    assert (phi.gated, phi.fused, phi.tied) == (True, True, False)
    assert (bge.gated, bge.fused, bge.causal, bge.embeds, bge.role) == (
        False, False, False, True, Role.ENCODER,
    )  # fmt: skip
    assert (oss.ff, oss.expert_ff) == (0, 2880)


def test_a_causal_model_made_for_embeddings(twin: Any) -> None:
    found = twin("qwen3-embed-0.6b")
    assert (found.causal, found.embeds, found.tied, found.role) == (True, True, True, Role.MODEL)


def model(architecture: str, names: tuple[str, ...] = (), **keys: Any) -> ModelMetadata:
    values = {f"{architecture}.{key.replace('__', '.')}": value for key, value in keys.items()}
    tensors = tuple(Tensor(name, (8, 8), 0, 0, 256) for name in names)
    return ModelMetadata(
        Path("m.gguf"), 1, architecture, block_count=keys.get("block_count", 2), head_count=4,
        head_count_kv=2, key_length=16, value_length=16, embedding_length=64, values=values,
        tensors=tensors,
    )  # fmt: skip


def test_an_unknown_architecture_counts_as_dense() -> None:
    found = geometry_of(model("lloma"))
    assert not found.known
    assert [(layer.kind, layer.key_width) for layer in found.layers] == [(Kind.FULL, 32)] * 2


@pytest.mark.parametrize(
    ("architecture", "role"),
    [("clip", Role.PROJECTOR), ("eagle3", Role.DRAFT), ("bert", Role.ENCODER)],
)
def test_files_beside_a_model_are_recognised(architecture: str, role: Role) -> None:
    assert geometry_of(model(architecture)).role is role


def test_a_draft_head_has_a_cache_except_in_hybrids() -> None:
    keys = {"block_count": 3, "nextn_predict_layers": 1}
    plain = geometry_of(model("glm4moe", **keys))
    hybrid = geometry_of(model("qwen35moe", ("blk.0.ssm_conv1d.weight",), **keys))
    assert (plain.trunk, len(plain.layers)) == (2, 3)
    assert (hybrid.trunk, len(hybrid.layers)) == (2, 2)


def test_gemma3n_keeps_keys_of_its_first_layers() -> None:
    found = geometry_of(model("gemma3n", block_count=30, attention__sliding_window=512))
    assert kinds(found) == {"WINDOW": 16, "FULL": 4, "SHARED": 10}


def test_more_layers_than_the_engine_takes_are_not_counted_out() -> None:
    found = geometry_of(model("llama", block_count=2**40))
    assert (len(found.layers), found.known) == (LAYERS_LIMIT, False)


@pytest.mark.parametrize(
    ("name", "keys", "state"),
    [
        ("blk.0.time_mix_key.weight", {"wkv__head_size": 64}, 64 * (64 + 2)),
        ("blk.0.shortconv.conv.weight", {"shortconv__l_cache": 3}, 64 * 2),
        ("blk.0.ssm_a", {"kda__head_dim": 8, "ssm__conv_kernel": 4}, 4 * 8 * (9 + 8)),
        (
            "blk.0.ssm_conv1d.weight",
            {"ssm__conv_kernel": 4, "ssm__inner_size": 128, "ssm__state_size": 16},
            3 * 128 + 128 * 16,
        ),
    ],
)
def test_states_of_recurrent_layers(name: str, keys: dict[str, int], state: int) -> None:
    found = geometry_of(model("kimi-linear", (name,), **keys))
    assert (found.layers[0].kind, found.layers[0].state) == (Kind.RECURRENT, state)
