"""PySide's look-out for features is off: modules are imported without being read a second time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ui
CODE = """
import linecache, sys
sys.path.insert(0, sys.argv[1])
from rony_desktop.ui.feature import skip_feature_scan
import PySide6.QtCore
if sys.argv[2] == "skipped":
    skip_feature_scan()
import any_module
print(any_module.VALUE, any_module.__file__ in linecache.cache)
"""


@pytest.mark.parametrize(("way", "is_read_again"), [("skipped", False), ("as it is", True)])
def test_a_module_is_read_once(tmp_path: Path, way: str, is_read_again: bool) -> None:
    (tmp_path / "any_module.py").write_text("import PySide6.QtGui\nVALUE = 7\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path), way],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert done.stdout.split() == ["7", str(is_read_again)]
