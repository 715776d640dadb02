from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.model import ModelMetadata, Setting
from rony_desktop.model.cache import Cache, cache_of
from rony_desktop.model.geometry import geometry_of
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.twin import write_twin

Sizes = Callable[..., Cache]
DENSE = geometry_of(
    ModelMetadata(
        Path("m.gguf"), 1, "llama", block_count=2, head_count=4, head_count_kv=2, key_length=16,
        value_length=16, embedding_length=64,
    )
)  # fmt: skip


@pytest.fixture
def gemma(tmp_path: Path) -> Sizes:
    path = write_twin("gemma-3-1b", tmp_path / "model.gguf")
    geometry = geometry_of(GgufMetadataReader().read(path))
    return lambda **setting: cache_of(geometry, Setting(**setting))


@pytest.mark.parametrize(
    ("setting", "cells", "window"),
    [
        ({"n_ctx": 4000}, 4096, 1024),
        ({"n_ctx": 16384, "n_ubatch": 2048}, 16384, 2560),
        ({"n_ctx": 16384, "n_ubatch": 128}, 16384, 768),
        ({"n_ctx": 512}, 512, 512),
        ({"n_ctx": 16384, "parallel": 4}, 4096, 1024),
        ({"n_ctx": 16384, "parallel": None}, 16384, 2560),
        ({"n_ctx": 16384, "swa_full": True}, 16384, 16384),
    ],
)
def test_cells(setting: dict[str, Any], cells: int, window: int, gemma: Sizes) -> None:
    found = gemma(**setting)
    assert (found.cells, found.window_cells) == (cells, window)


def test_slots_have_a_cache_each_or_share_one() -> None:
    one = cache_of(DENSE, Setting(n_ctx=8192))
    four = cache_of(DENSE, Setting(n_ctx=8192, parallel=4))
    shared = cache_of(DENSE, Setting(n_ctx=8192, parallel=None))
    assert sum(one.kv_bytes) == sum(four.kv_bytes) == sum(shared.kv_bytes) == 2 * 8192 * 64 * 2
    assert (one.slots, four.slots, shared.slots) == (1, 4, 4)


def test_recurrent_states_grow_with_slots(tmp_path: Path) -> None:
    path = write_twin("mamba2-2.7b", tmp_path / "model.gguf")
    geometry = geometry_of(GgufMetadataReader().read(path))
    one = cache_of(geometry, Setting(n_ctx=4096)).recurrent_bytes
    four = cache_of(geometry, Setting(n_ctx=4096, parallel=None)).recurrent_bytes
    assert sum(four) == 4 * sum(one)


@given(st.integers(1, 1 << 20), st.integers(1, 1 << 20))
def test_a_larger_context_never_takes_less(one: int, other: int) -> None:
    small, large = (
        sum(cache_of(DENSE, Setting(n_ctx=n_ctx)).kv_bytes) for n_ctx in sorted((one, other))
    )
    assert 0 < small <= large
