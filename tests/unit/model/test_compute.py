from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rony_desktop.contract.model import Setting
from rony_desktop.model.cache import cache_of
from rony_desktop.model.compute import batch_tokens, compute_bytes, mask_bytes
from rony_desktop.model.geometry import Geometry, geometry_of
from rony_desktop.model.gguf import GgufMetadataReader
from tests.fixture.twin import MIB, rows, write_twin

Measure = Callable[..., float]


@pytest.fixture
def compute(tmp_path: Path) -> Measure:
    known: dict[str, Geometry] = {}

    def measure(name: str, **setting: Any) -> float:
        if name not in known:
            path = write_twin(name, tmp_path / "model.gguf")
            known[name] = geometry_of(GgufMetadataReader().read(path))
        asked = Setting(**setting)
        return compute_bytes(known[name], asked, cache_of(known[name], asked)) / MIB

    return measure


@pytest.mark.parametrize("flash", [True, False])
def test_the_default_launch_is_met_within_a_tenth(flash: bool, compute: Measure) -> None:
    wrong = {}
    for row in rows():
        plain = row.setting.cache_type_k == "f16" and row.setting.parallel == 1
        if plain and row.setting.flash_attn is flash and row.setting.n_ubatch == 512:
            found = compute(
                row.twin, n_ctx=row.setting.n_ctx, flash_attn=flash, swa_full=row.setting.swa_full
            )
            if not -0.05 <= found / row.compute - 1 <= 0.1:
                wrong[row.twin, row.setting.n_ctx] = (found, row.compute)
    assert wrong == {}


def test_scores_take_most_without_flash_attention(compute: Measure) -> None:
    exact = compute("llama-3.2-1b", n_ctx=16384, flash_attn=False)
    assert exact == pytest.approx(1078, abs=0.1)
    assert compute("llama-3.2-1b", n_ctx=16384) == pytest.approx(80, abs=0.1)


def test_embeddings_of_a_causal_model_make_logits_of_every_token(compute: Measure) -> None:
    assert compute("qwen3-embed-0.6b", n_ctx=4096) == pytest.approx(302.24, abs=0.1)


def test_a_batch_is_no_longer_than_the_context_of_a_causal_model(tmp_path: Path) -> None:
    asked = Setting(n_ctx=256, n_ubatch=512)
    for name, tokens in (("llama-3.2-1b", 256), ("bge-small", 512)):
        path = write_twin(name, tmp_path / "model.gguf")
        geometry = geometry_of(GgufMetadataReader().read(path))
        assert batch_tokens(geometry, asked) == tokens
        assert mask_bytes(geometry, asked, cache_of(geometry, asked)) == tokens * tokens * 2
