"""`doctor` prints every check and fails where one did."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from rony_desktop.app.check import Check, Found
from rony_desktop.cli.doctor import REMEDIES, SENTENCES, as_json, words
from rony_desktop.cli.main import main
from rony_desktop.contract.error import Failure

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"
Captured = pytest.CaptureFixture[str]


@pytest.fixture(params=["serve", "die"])
def engine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The behaviour of the configured engine."""
    file = tmp_path / "engine"
    file.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -S -E "{SCRIPT}" {request.param} "$@"\n', "utf-8"
    )
    file.chmod(0o755)
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", str(file))
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
    return str(request.param)


def test_json_is_one_object(engine: str, model: str, capsys: Captured) -> None:
    good = engine == "serve"
    assert main(["doctor", "--json", "--model", model]) == (0 if good else 1)
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["ok"] is good
    assert [set(check) for check in found["checks"]] == [
        {"name", "status", "code", "detail", "remedy"}
    ] * len(found["checks"])
    failed = [check["name"] for check in found["checks"] if check["status"] == "failed"]
    assert bool(failed) is not good


def test_text_has_a_sign_a_name_and_the_remedy(engine: str, model: str, capsys: Captured) -> None:
    main(["doctor", "--model", model])
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0].startswith("ok    system       Rony Desktop")
    broken = [number for number, line in enumerate(lines) if line.startswith("FAIL  engine")]
    if engine == "serve":
        assert not broken
    else:
        assert "llama.binary_path" in lines[broken[0] + 1]
    assert said.err == ""


def test_every_finding_has_its_words() -> None:
    assert set(SENTENCES) == set(Found)
    assert set(REMEDIES) < set(Found)


def test_sizes_and_causes_are_put_into_the_sentence() -> None:
    memory = {"free_bytes": str(12 << 30), "total_bytes": str(15 << 30), "cores": "4"}
    check = Check("memory", "ok", Found.MEMORY, memory)
    assert words(check) == ("12.0 of 15.0 GB free, 4 cores", "")
    cause = Failure("engine.died", {"detail": "no such library"})
    broken = Check("engine", "warning", Found.ENGINE_SPARE, {"engine": "b1"}, cause)
    assert as_json(broken) == {
        "name": "engine",
        "status": "warning",
        "code": "check.engine_spare",
        "detail": "b1: The engine ended unexpectedly (no such library).",
        "remedy": "Nothing, where another engine works.",
    }


def test_an_error_is_a_check_with_its_own_words() -> None:
    check = Check.of("model", Failure("model.not_chat", {"path": "a.gguf"}))
    sentence, remedy = words(check)
    assert sentence.startswith("a.gguf is not a chat model")
    assert remedy
