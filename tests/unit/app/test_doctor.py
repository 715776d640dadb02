"""The doctor looks at one thing after another and says what helps."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from rony_desktop import __version__
from rony_desktop.app import doctor
from rony_desktop.app.check import Check, Found
from rony_desktop.app.doctor import examine
from rony_desktop.app.factory import create_app
from rony_desktop.app.lifecycle import shutdown
from rony_desktop.contract.build import Build, Source, Variant
from rony_desktop.contract.model import Gpu, Machine
from rony_desktop.engine.build import write_page
from rony_desktop.engine.candidate import Candidate
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


async def examined(model: str = "tiny.gguf") -> AsyncIterator[Check]:
    """What is found by a program made for it, which is closed again."""
    app = create_app()
    try:
        async for check in examine(app, model):
            yield check
    finally:
        await app.store.aclose()
        app.workspaces.close()
    assert psutil.Process().children() == []


async def checks(model: str = "tiny.gguf") -> dict[str, Check]:
    found = [check async for check in examined(model)]
    by_name = {check.name: check for check in found}
    by_name.pop("power", None)  # where the system tells of its battery
    return by_name


async def test_all_is_well() -> None:
    found = await checks()
    assert list(found) == [
        *("system", "folders", "disk", "settings", "sandbox", "memory", "processor"),
        *("engine", "gpu", "model"),
    ]
    good = {name: check for name, check in found.items() if name not in ("processor", "gpu")}
    assert {check.status for check in good.values()} == {"ok"}
    assert found["system"].params["version"] == __version__
    assert found["folders"].params["data"] == str(Place.of().data_dir)
    assert int(found["disk"].params["free_bytes"]) > 0
    assert found["sandbox"].params["mode"] in ("openat2", "walk", "handle")
    assert int(found["memory"].params["cores"]) > 0
    assert found["engine"].code == Found.ENGINE
    model = found["model"]
    assert model.code == Found.MODEL
    assert (model.params["model"], model.params["architecture"]) == ("tiny", "llama")


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
    found = await checks()
    engine = found["engine"]
    assert (engine.status, engine.code) == ("failed", Found.ENGINE_BROKEN)
    assert engine.params["engine"] == str(tmp_path / "engine")
    assert words in str(engine.cause)
    assert found["model"].status == "ok"


async def test_a_configured_engine_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine").unlink()
    engine = (await checks())["engine"]
    assert engine.status == "failed"
    assert engine.params["engine"] == str(tmp_path / "engine")


async def test_of_the_engines_found_one_that_works_is_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    engines = [check async for check in examined() if check.name == "engine"]
    assert [check.code for check in engines] == [Found.ENGINE_SPARE, Found.ENGINE]
    assert engines[0].status == "warning"
    assert engines[0].params["engine"] == "broken"
    assert engines[0].cause is not None
    assert engines[0].cause.code == "engine.died"


async def test_no_engine_at_all_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setattr(doctor, "candidates", lambda *_: [])
    found = await checks()
    assert found["engine"] == Check("engine", "failed", Found.ENGINE_NONE)
    assert found["model"].status == "ok"


async def test_a_full_disk_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", str(1 << 40))
    disk = (await checks())["disk"]
    assert (disk.status, disk.code) == ("warning", Found.DISK_SHORT)


async def test_settings_that_are_wrong_are_warnings() -> None:
    file = Place.of().config_file
    file.parent.mkdir(parents=True)
    file.write_text("app:\n  max_steps: many\n", "utf-8")
    check = (await checks())["settings"]
    assert check.status == "warning"
    assert check.code.startswith("config")
    assert "app.max_steps" in " ".join(check.params.values())


async def test_a_folder_that_cannot_be_made_is_a_failure() -> None:
    blocked = Place.of().data_dir
    blocked.parent.mkdir(parents=True)
    blocked.write_text("in the way", "utf-8")
    check = (await checks())["folders"]
    assert check.status == "failed"
    assert str(blocked) in " ".join(check.params.values())


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("missing", "model.missing"),
        ("foreign", "model.foreign"),
        ("base", "model.not_chat"),
        ("none", "model.none"),
    ],
)
async def test_a_model_that_cannot_be_used_is_a_failure(
    tmp_path: Path, kind: str, code: str
) -> None:
    (tmp_path / "foreign.gguf").write_bytes(b"PK\x03\x04" + bytes(100))
    plain = {key: value for key, value in LLAMA.items() if key != "tokenizer.chat_template"}
    (tmp_path / "base.gguf").write_bytes(gguf(plain))
    check = (await checks("" if kind == "none" else f"{kind}.gguf"))["model"]
    assert (check.status, check.code) == ("failed", code)


async def test_a_model_without_a_file_is_named() -> None:
    check = (await checks("scripted:rules.json"))["model"]
    assert (check.code, check.params["model"]) == (Found.MODEL_ELSEWHERE, "scripted:rules.json")


async def test_one_part_that_cannot_be_looked_at_stops_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_: Path) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(doctor.shutil, "disk_usage", broken)
    found = await checks()
    assert (found["disk"].status, found["disk"].code) == ("failed", "error")
    assert found["disk"].params["detail"] == "the disk is gone"
    assert found["model"].status == "ok"


def seen(monkeypatch: pytest.MonkeyPatch, **more: object) -> None:
    """Let the computer be one with these facts."""
    known = {"architecture": "x86_64", "cpu_name": "Sample"}
    machine = Machine(16 << 30, 8 << 30, 4, 8, **{**known, **more})  # type: ignore[arg-type]
    monkeypatch.setattr(doctor.HardwareProbe, "detect", lambda _: machine)


@pytest.mark.parametrize(
    ("flags", "code", "missing"),
    [
        ({"avx2", "avx512f"}, Found.PROCESSOR_FULL, None),
        ({"avx2"}, Found.PROCESSOR_LACKS, "AVX-512"),
        ({"sse4_2"}, Found.PROCESSOR_OLD, "AVX2, AVX-512"),
        (set(), Found.PROCESSOR, None),
    ],
)
async def test_what_the_processor_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, flags: set[str], code: Found, missing: str | None
) -> None:
    seen(monkeypatch, cpu_flags=frozenset(flags))
    check = (await checks())["processor"]
    assert (check.code, check.params.get("missing")) == (code, missing)
    assert check.status == ("warning" if code is Found.PROCESSOR_OLD else "ok")


@pytest.mark.parametrize(
    ("on_battery", "code"), [(None, None), (True, Found.BATTERY), (False, Found.MAINS)]
)
async def test_the_power_source_is_a_note(
    monkeypatch: pytest.MonkeyPatch, on_battery: bool | None, code: Found | None
) -> None:
    seen(monkeypatch, on_battery=on_battery)
    power = [check async for check in examined() if check.name == "power"]
    assert power == ([Check("power", "ok", code)] if code else [])


async def test_a_card_the_engine_lists_and_one_it_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    used = Gpu("Sample card", "Vulkan0", "vulkan", 8 << 30, 7 << 30)
    seen(monkeypatch, gpus=(used, Gpu("Odd", "Vulkan1"), Gpu("AMD GPU 0x1")))

    async def listing(*_: object) -> str:
        return "Available devices:\n"

    monkeypatch.setattr(doctor, "devices", listing)
    first, second, third = [check async for check in examined() if check.name == "gpu"]
    assert (first.code, first.params["free_bytes"]) == (Found.GPU, str(7 << 30))
    assert second.code == Found.GPU_PLAIN
    assert (third.status, third.code) == ("warning", Found.GPU_UNLISTED)
    assert third.params["gpu"] == "AMD GPU 0x1"


async def test_a_card_is_a_warning_where_no_engine_could_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path / "engine", "die")
    seen(monkeypatch, gpus=(Gpu("AMD GPU 0x1"),))
    check = (await checks())["gpu"]
    assert (check.status, check.code) == ("warning", Found.GPU_UNASKED)


def installed(number: int) -> str:
    """Put a build among the installed ones; returns its name."""
    home = Place.of().engines_dir / f"b{number}-cpu"
    home.mkdir(parents=True)
    file = program(home / "llama-server", "serve")
    write_page(home, Build(number, Variant.CPU, file, pinned=True), file.name)
    return home.name


async def test_an_engine_with_known_holes_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setenv("RONY_LLAMA__ENGINE", installed(8145))
    monkeypatch.setattr(doctor, "candidates", lambda _, chosen: chosen)
    found = (await checks())["engine"]
    assert (found.status, found.code) == ("warning", Found.ENGINE_OLD)
    assert (found.params["build"], found.params["floor"]) == ("b8145", "8146")


async def test_a_build_the_settings_name_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RONY_LLAMA__BINARY_PATH")
    monkeypatch.setenv("RONY_LLAMA__ENGINE", "b9-cpu")
    found = (await checks())["engine"]
    assert (found.status, found.code) == ("failed", "engine.build_unknown")
    assert found.params["name"] == "b9-cpu"


async def test_what_models_hold_is_said_while_one_runs(tmp_path: Path) -> None:
    app = create_app()
    await asyncio.to_thread(app.place.prepare)
    app.runtime.use(str(tmp_path / "tiny.gguf"))
    await app.runtime.ready()
    memory = [check async for check in examine(app) if check.name == "memory"]
    await shutdown(app)
    assert [check.code for check in memory] == [Found.MEMORY_HELD]
    assert int(memory[0].params["held_bytes"]) > 0
