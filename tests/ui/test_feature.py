"""PySide's look-out for features is off, and imports work as before."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.ui
# A module without a source would be scanned in vain; one with it is what the look-out reads.
CODE = """
import sys, types
import PySide6.QtCore
scan = sys.modules.get("shibokensupport.feature")
if {skip}:
    from rony_desktop.ui.feature import skip_feature_scan
    skip_feature_scan()
from PySide6.QtWidgets import QWidget
from rony_desktop.ui.window import MainWindow
kept = [getattr(scan, name) for name in ("_mod_uses_pyside",) if hasattr(scan, name)]
print([uses(types.ModuleType("any")) for uses in kept] in ([], [False]), QWidget.__name__)
"""


@pytest.mark.parametrize("skip", [True])
def test_modules_are_not_read_again_and_imports_work(skip: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(skip=skip)],
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert done.stdout.split() == ["True", "QWidget"]
