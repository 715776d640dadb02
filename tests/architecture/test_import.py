"""Imports point down: import-linter's contracts in pyproject.toml hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_import_contracts_hold(root: Path, tmp_path: Path) -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    result = subprocess.run(
        [linter, "--cache-dir", tmp_path], cwd=root, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
