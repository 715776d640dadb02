"""What follows from a model's header."""

from __future__ import annotations

from pathlib import Path

from rony_desktop.contract.model import ModelMetadata


def test_the_cache_of_a_token_counts_keys_and_values_of_every_layer() -> None:
    model = ModelMetadata(
        Path("m.gguf"), 1, "llama", block_count=30, head_count_kv=3, key_length=64, value_length=64
    )
    assert model.kv_bytes_per_token == 30 * 3 * (64 + 64) * 2


def test_nothing_is_known_of_an_empty_header() -> None:
    assert ModelMetadata(Path("m.gguf"), 1, "llama").kv_bytes_per_token == 0
