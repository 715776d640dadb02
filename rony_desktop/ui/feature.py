"""Switches off a costly look-out of PySide's for something this program does not use."""

from __future__ import annotations

import sys


def skip_feature_scan() -> None:
    """Keep PySide from reading the source of every module that is imported after it.

    It searches them for the use of `from __feature__ import ...` and keeps their lines: 0.1 s of
    start-up and 14 MB for nothing. Where a later PySide has no such function nothing happens.
    """
    import PySide6.QtCore  # noqa: F401 - brings the look-out

    scan = sys.modules.get("shibokensupport.feature")
    if hasattr(scan, "_mod_uses_pyside"):
        vars(scan)["_mod_uses_pyside"] = lambda _: False
