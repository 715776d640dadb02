"""Defaults are the seeds', row by row of docs/checklist.md."""

from __future__ import annotations

from functools import reduce

import pytest

from rony_desktop.contract.config import Config

DEFAULTS = {
    "R30": {"limits.max_iterations": 50},
    "R31": {"limits.max_tokens_per_session": 1_000_000},
    "R32": {"limits.max_tool_output_bytes": 50 * 1024},
    "R33": {"limits.tool_timeout_s": 30},
    "L31": {
        "llama.binary_path": None,
        "llama.models.main.path": None,
        "llama.models.main.port": 8080,
        "llama.optimization_mode": "balanced",
        "llama.os_reserve_mb": 4096,
        "llama.disk_reserve_mb": 4096,
    },
    "L32": {"workspace": None},
    "L33": {
        "app.history_limit": 12,
        "app.max_steps": 20,
        "app.context_token_budget": 6000,
        "app.tool_result_inline_limit": 6144,
        "app.max_parse_errors": 5,
    },
}


@pytest.mark.parametrize("row", DEFAULTS)
def test_defaults_are_the_seeds(row: str) -> None:
    config = Config()
    found = {key: reduce(getattr, key.split("."), config) for key in DEFAULTS[row]}
    assert found == DEFAULTS[row]
