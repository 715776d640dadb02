"""Every mode has its rules, and the default never quantises a cache."""

from __future__ import annotations

from rony_desktop.contract.config import LlamaConfig, OptimizationMode
from rony_desktop.model.mode import MODES


def test_every_mode_is_there() -> None:
    assert set(MODES) == set(OptimizationMode)


def test_the_default_is_exact_and_asks_for_8192_tokens() -> None:
    mode = MODES[LlamaConfig().optimization_mode]
    assert (mode.context, mode.cache_type, mode.may_shrink) == (8192, "f16", False)


def test_small_asks_for_less_of_everything() -> None:
    small, default = MODES[OptimizationMode.SMALL], MODES[OptimizationMode.BALANCED]
    assert small.context is not None
    assert default.context is not None
    assert small.context < default.context
    assert small.batch < default.batch
    assert small.cache_type == "q8_0"
