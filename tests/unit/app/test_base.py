"""What services stand on is one and the same for all of a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from rony_desktop.app.factory import create_app


def test_a_program_has_one_of_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    app = create_app()
    base = app.base
    assert (app.place, app.config, app.feed) == (base.place, base.config, base.feed)
    assert (app.records, app.models) == (base.records, base.models)
