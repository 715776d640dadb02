"""Which engine is used: the configured one or an error, else the first that computes a token."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.error import (
    BinaryMissing,
    BinaryNotFound,
    BinaryUnusable,
    EngineUnsuited,
    FolderUnwritable,
)
from rony_desktop.engine import binary
from rony_desktop.engine.binary import candidates, find
from rony_desktop.engine.candidate import Candidate

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"


def program(path: Path, behaviour: str) -> Path:
    """An executable that behaves so, and counts its starts in a file beside it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'#!/bin/sh\necho >> "{path}.starts"\n'
        f'exec "{sys.executable}" -S -E "{SCRIPT}" {behaviour} "$@"\n'
    )
    path.chmod(0o755)
    return path


def starts(path: Path) -> int:
    counted = path.with_name(f"{path.name}.starts")
    return len(counted.read_text().splitlines()) if counted.exists() else 0


@pytest.fixture
def cache(run_dir: Path) -> Path:
    run_dir.mkdir(mode=0o700)
    return run_dir


@pytest.fixture
def only_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No wheel and no host: what is on PATH is all there is."""
    monkeypatch.setattr(binary, "_wheel", lambda: None)
    monkeypatch.setattr(binary, "_host", lambda: None)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}/usr/bin{os.pathsep}/bin")
    return tmp_path / "bin" / "llama-server"


def test_order_of_the_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin" / "llama-server", "serve").parent))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "rony"))
    bundled = program(tmp_path / "engine" / "llama-server", "serve")
    found = candidates(None)
    assert [each.source for each in found] == [Source.BUNDLE, Source.PATH, Source.WHEEL]
    assert found[0].argv == (str(bundled),)


def test_the_two_installed_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    wheel, host = candidates(None)
    assert (wheel.source, host.source) == (Source.WHEEL, Source.HOST)
    assert wheel.env["LD_LIBRARY_PATH"] == str(wheel.file.parent)
    assert host.argv == (sys.executable, "-P", "-m", "rony_desktop.engine.host")
    assert host.env["OMP_WAIT_POLICY"] == "passive"
    assert all(each.build.startswith("b1") and each.build in each.label for each in (wheel, host))


def test_a_configured_engine_is_the_only_candidate(tmp_path: Path) -> None:
    assert [each.source for each in candidates(tmp_path / "x")] == [Source.CONFIGURED]


def test_chosen_builds_stand_after_the_configured_engine_and_before_every_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(program(tmp_path / "bin" / "llama-server", "serve").parent))
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "rony"))
    program(tmp_path / "engine" / "llama-server", "serve")
    chosen = [Candidate(Source.INSTALLED, (name,), tmp_path / name, name) for name in ("a", "b")]
    found = candidates(None, chosen)
    assert [each.label for each in found[:2]] == ["a", "b"]
    assert [each.source for each in found[2:]] == [Source.BUNDLE, Source.PATH, Source.WHEEL]
    assert [each.source for each in candidates(tmp_path / "x", chosen)] == [Source.CONFIGURED]


async def test_configured_engine_that_works_is_taken(tmp_path: Path, cache: Path) -> None:
    file = program(tmp_path / "mine", "serve")
    found = await find(file, cache)
    assert found.argv == (str(file),)
    assert "--offline" in found.flags


async def test_configured_engine_that_is_missing(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(BinaryMissing) as caught:
        await find(tmp_path / "none", cache)
    assert caught.value.params == {"path": str(tmp_path / "none")}


async def test_configured_engine_that_is_no_program(tmp_path: Path, cache: Path) -> None:
    file = tmp_path / "engine"
    file.write_text("text")
    with pytest.raises(BinaryUnusable, match="may not be executed"):
        await find(file, cache)
    with pytest.raises(BinaryUnusable, match="it is a folder"):
        await find(tmp_path, cache)


async def test_configured_engine_built_for_another_processor(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(EngineUnsuited):
        await find(program(tmp_path / "mine", "illegal"), cache)


async def test_configured_engine_that_fails_its_trial(tmp_path: Path, cache: Path) -> None:
    with pytest.raises(BinaryUnusable) as caught:
        await find(program(tmp_path / "mine", "crash"), cache)
    assert "exit code 3" in caught.value.params["detail"]


async def test_what_passed_is_not_tried_again(only_path: Path, cache: Path) -> None:
    program(only_path, "serve")
    first = await find(None, cache)
    tried = starts(only_path)
    assert tried == 2  # --help, and the trial
    assert await find(None, cache) == first
    assert starts(only_path) == tried


async def test_another_build_is_tried_again(only_path: Path, cache: Path) -> None:
    await find(None, program(only_path, "serve") and cache)
    tried = starts(only_path)
    program(only_path, "serve ")
    await find(None, cache)
    assert starts(only_path) > tried


async def test_what_failed_is_tried_again(only_path: Path, cache: Path) -> None:
    program(only_path, "die")
    for _ in range(2):
        with pytest.raises(BinaryNotFound) as caught:
            await find(None, cache)
    assert f"{only_path}: " in caught.value.params["tried"]
    assert "the scripted cause" in caught.value.params["tried"]
    assert starts(only_path) == 4


async def test_next_candidate_stands_in(
    only_path: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(only_path, "illegal")
    other = program(tmp_path / "other", "serve")
    second = Candidate(Source.WHEEL, (str(other),), other, "other")
    monkeypatch.setattr(binary, "_wheel", lambda: second)
    assert (await find(None, cache)).label == "other"


async def test_nothing_installed(only_path: Path, cache: Path) -> None:
    with pytest.raises(BinaryNotFound, match="none is installed"):
        await find(None, cache)


@pytest.mark.parametrize("text", ["", "[1]", '{"a": 1}', "\x00"])
async def test_damaged_memory_is_forgotten(only_path: Path, cache: Path, text: str) -> None:
    program(only_path, "serve")
    (cache / "engine-probe.json").write_text(text)
    assert "--offline" in (await find(None, cache)).flags


async def test_folder_that_cannot_hold_the_trial(only_path: Path, tmp_path: Path) -> None:
    program(only_path, "serve")
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnwritable):
        await find(None, tmp_path / "file" / "cache")
