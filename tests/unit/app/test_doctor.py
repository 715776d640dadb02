"""The doctor looks at one thing after another and says what helps."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

from rony_desktop import __version__
from rony_desktop.app import doctor
from rony_desktop.app.doctor import Check, examine
from rony_desktop.contract.build import Build, Variant
from rony_desktop.engine.build import write_page
from rony_desktop.store.place import Place
from tests.fixture.gguf import LLAMA, gguf

SCRIPT = Path(__file__).parents[2] / "fixture" / "engine_child.py"


def program(path: Path, behaviour: str) -> Path:
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{SCRIPT}" {behaviour} "$@"\n')
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A computer on which everything is well: an engine and a model."""
    monkeypatch.chdir(tmp_path)
    engine = program(tmp_path / "engine", "serve")
    monkeypatch.setenv("RONY_LLAMA__BINARY_PATH", str(engine))
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
    (tmp_path / "tiny.gguf").write_bytes(gguf())


async def checks(model: str | None = "tiny.gguf") -> dict[str, Check]:
    found = [check async for check in examine(model)]
    by_name = {check.name: check for check in found}
    assert len(by_name) == len(found)
    for check in found:
        assert check.detail
        assert bool(check.remedy) == (check.status != "ok"), check
    assert psutil.Process().children() == []
    return by_name


async def test_all_is_well() -> None:
    found = await checks()
    order = ["system", "folders", "disk", "settings", "sandbox", "memory", "engine", "model"]
    assert list(found) == order
    assert {check.status for check in found.values()} == {"ok"}
    assert __version__ in found["system"].detail
    assert str(Place.of().data_dir) in found["folders"].detail
    assert "GB free" in found["disk"].detail
    assert found["sandbox"].detail.startswith("file tools are held in their folder by ")
    assert "cores" in found["memory"].detail
    assert "computes" in found["engine"].detail
    assert found["model"].detail.startswith("tiny: llama, ")


async def test_nothing_else_is_made_than_folders_and_the_trial() -> None:
    await checks()
    home = Place.of().data_dir.parents[3]
    files = {path.name for path in home.rglob("*") if path.is_file()}
    assert files <= {"trial.gguf"}


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [("die", "the scripted cause"), ("illegal", "processor"), ("crash", "")],
)
async def test_a_configured_engine_that_is_broken_fails_with_its_remedy(
    tmp_path: Path, behaviour: str, words: str
) -> None:
    program(tmp_path / "engine", behaviour)
    found = [check async for check in examine("tiny.gguf")]
    (engine,) = (check for check in found if check.name == "engine")
    assert engine.status == "failed"
    assert str(tmp_path / "engine") in engine.detail
    assert words in engine.detail
    assert engine.remedy.startswith("Correct llama.binary_path, or remove it")
    assert found[-1] == Check("model", "ok", found[-1].detail)


async def test_a_configured_engine_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine").unlink()
    found = [check async for check in examine("tiny.gguf")]
    (engine,) = (check for check in found if check.name == "engine")
    assert engine.status == "failed"
    assert str(tmp_path / "engine") in engine.detail


async def test_of_the_engines_found_one_that_works_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rony_desktop.engine.candidate import Candidate, Source

    def found(*_: object) -> list[Candidate]:
        return [
            Candidate(source, (str(file),), file, file.name)
            for source, file in (
                (Source.PATH, program(tmp_path / "broken", "die")),
                (Source.WHEEL, tmp_path / "engine"),
            )
        ]

    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setattr(doctor, "candidates", found)
    engines = [check async for check in examine("tiny.gguf") if check.name == "engine"]
    assert [check.status for check in engines] == ["warning", "ok"]
    assert engines[0].detail.startswith("broken: The engine ended unexpectedly")


async def test_no_engine_at_all_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setattr(doctor, "candidates", lambda *_: [])
    found = await checks()
    assert found["engine"].status == "failed"
    assert "llama.binary_path" in found["engine"].remedy


async def test_a_full_disk_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", str(1 << 40))
    assert (await checks())["disk"].status == "warning"


async def test_settings_that_are_wrong_are_warnings() -> None:
    file = Place.of().config_file
    file.parent.mkdir(parents=True)
    file.write_text("app:\n  max_steps: many\n", "utf-8")
    check = (await checks())["settings"]
    assert check.status == "warning"
    assert "app.max_steps" in check.detail


async def test_a_folder_that_cannot_be_made_is_a_failure() -> None:
    blocked = Place.of().data_dir
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way", "utf-8")
    check = (await checks())["folders"]
    assert check.status == "failed"
    assert str(blocked) in check.detail


@pytest.mark.parametrize("kind", ["missing", "foreign", "base", "none"])
async def test_a_model_that_cannot_be_used_is_a_failure(tmp_path: Path, kind: str) -> None:
    (tmp_path / "foreign.gguf").write_bytes(b"PK\x03\x04" + bytes(100))
    plain = {key: value for key, value in LLAMA.items() if key != "tokenizer.chat_template"}
    (tmp_path / "base.gguf").write_bytes(gguf(plain))
    check = (await checks(None if kind == "none" else f"{kind}.gguf"))["model"]
    assert check.status == "failed"


async def test_a_model_without_a_file_is_named() -> None:
    assert (await checks("scripted:rules.json"))["model"].detail == "scripted:rules.json"


def installed(number: int) -> str:
    """Put a build among the installed ones; returns its name."""
    home = Place.of().engines_dir / f"b{number}-cpu"
    home.mkdir(parents=True)
    file = program(home / "llama-server", "serve")
    write_page(home, Build(number, Variant.CPU, file, pinned=True), file.name, ())
    return home.name


async def test_an_engine_with_known_holes_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setenv("RONY_LLAMA__ENGINE", installed(8145))
    monkeypatch.setattr(doctor, "candidates", lambda _, chosen: chosen)
    found = (await checks())["engine"]
    assert (found.status, found.remedy) == (
        "warning",
        "Install one: rony-desktop engine install.",
    )
    assert found.detail.endswith("computes, but a model file can attack builds below b8146")


async def test_a_build_the_settings_name_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setenv("RONY_LLAMA__ENGINE", "b9-cpu")
    found = (await checks())["engine"]
    assert found.status == "failed"
    assert "no engine build b9-cpu" in found.detail
