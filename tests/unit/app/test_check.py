"""What the doctor found can be shown to others."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.check import Check, Found, shareable
from rony_desktop.contract.error import Failure, error_classes


def test_a_finding_is_no_error() -> None:
    assert not set(Found) & {kind.code for kind in error_classes()}


def test_an_error_becomes_a_check() -> None:
    failure = Failure("model.none", {"folder": "/m"})
    assert Check.of("model", failure) == Check("model", "failed", "model.none", {"folder": "/m"})
    assert Check.of("settings", failure, "warning").status == "warning"


def test_a_report_has_no_secret_and_no_home() -> None:
    home = Path.home()
    said = shareable(f"data {home}/data, {home}; {home}-2/x; api_key=abc123def456ghi")
    assert said.startswith(f"data ~/data, ~; {home}-2/x; ")
    assert "abc123" not in said


def test_a_home_that_is_the_whole_disk_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/"))
    assert shareable("/usr/bin") == "/usr/bin"
