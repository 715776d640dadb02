"""Names of Windows, which are judged as text and so on every system."""

from __future__ import annotations

import os

import pytest

from rony_desktop.tool.sandbox.name import Refused, checked, refuse_encoded, windows_checked

BAD = [
    "C:/x", "c:x", "file:stream", "x::$DATA", "//host/share", "\\\\host\\share", "\\x", "/x",
    "\\\\?\\C:\\x", "CON", "con", "a/PRN", "a\\aux", "NUL.txt", "nul .txt", "COM1", "com9.log",
    "LPT0", "COM\u00b9", "lpt\u00b3.x", "CONIN$", "conout$.a", "a.", "a ", "a./b", "a /b", "...",
    "a\tb", "a\x1fb", "a?", "a*", "a|b", "a<b", 'a"b', "a>b",
]  # fmt: skip
GOOD = [
    "a", "a/b\\c", "..", "./a/../b", ".git", "console", "com", "com10", "lpt", "nul_", "a b.c",
]  # fmt: skip


@pytest.mark.parametrize("path", BAD)
def test_windows_refuses(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refused):
        windows_checked(path)
    monkeypatch.setattr(os, "name", "nt")
    with pytest.raises(Refused):
        checked(path)


@pytest.mark.parametrize("path", GOOD)
def test_windows_takes(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    windows_checked(path)
    monkeypatch.setattr(os, "name", "nt")
    assert checked(path) == path


@pytest.mark.parametrize("path", ["C:x", "a ", "con", "a\\b"])
def test_elsewhere_these_are_names_like_any_other(path: str) -> None:
    assert os.name != "nt"
    assert checked(path) == path


@pytest.mark.parametrize(
    "path", ["a..b", "%", "%zz", "50%25", "%2e", "...", "a%2fb", "%2e%2e%2e", "%2525252541"]
)
def test_percent_signs_that_hide_nothing_are_names(path: str) -> None:
    refuse_encoded(path)
