"""The engine is asked for its devices; what it cannot say stays unknown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rony_desktop.app.device import Devices
from rony_desktop.contract.build import Source
from rony_desktop.contract.error import BinaryNotFound, EngineFlagUnknown, WorkerUnreachable
from rony_desktop.engine.candidate import Candidate

LISTED = "Available devices:\n  GPU0: card (8192 MiB, 8000 MiB free)"


def candidate(code: str, *flags: str) -> Candidate:
    argv = (sys.executable, "-S", "-E", "-c", code)
    return Candidate(Source.PATH, argv, Path(sys.executable), "x", flags=frozenset(flags))


async def asked(code: str, folder: Path, *flags: str) -> str:
    async def binary() -> Candidate:
        return candidate(code, *flags)

    devices = Devices(binary, folder)
    assert devices.text() == ""
    await devices.look()
    return devices.text()


async def test_what_it_prints_is_kept(tmp_path: Path) -> None:
    assert await asked(f"print({LISTED!r})", tmp_path, "--list-devices") == LISTED


async def test_an_engine_that_does_not_know_the_option_is_not_run(tmp_path: Path) -> None:
    file = tmp_path / "ran"
    assert await asked(f"open({str(file)!r}, 'w')", tmp_path) == ""
    assert not file.exists()


async def test_an_engine_that_fails_says_nothing(tmp_path: Path) -> None:
    code = "print('Available devices:'); raise SystemExit(1)"
    assert await asked(code, tmp_path, "--list-devices") == ""


async def test_an_engine_that_cannot_be_run_says_nothing(tmp_path: Path) -> None:
    async def binary() -> Candidate:
        gone = tmp_path / "gone"
        flags = frozenset({"--list-devices"})
        return Candidate(Source.PATH, (str(gone),), gone, "gone", flags=flags)

    devices = Devices(binary, tmp_path)
    await devices.look()
    assert devices.text() == ""


async def test_no_engine_at_all_is_an_error(tmp_path: Path) -> None:
    async def binary() -> Candidate:
        raise BinaryNotFound(tried="none")

    with pytest.raises(BinaryNotFound):
        await Devices(binary, tmp_path).look()


async def test_what_is_forgotten_is_asked_again(tmp_path: Path) -> None:
    asked = []

    async def binary() -> Candidate:
        asked.append(1)
        return candidate(f"print({LISTED!r})", "--list-devices")

    devices = Devices(binary, tmp_path)
    await devices.engine()
    await devices.engine()
    devices.forget()
    assert devices.text() == ""
    await devices.engine()
    assert (len(asked), devices.text()) == (2, LISTED)


async def test_a_worker_that_cannot_be_used_is_an_error_and_not_passed_over(tmp_path: Path) -> None:
    said = "0.00.1 E Failed to connect to a:1"

    async def binary() -> Candidate:
        return candidate(f"print({said!r})", "--list-devices", *flags)

    flags = ["--rpc"]
    devices = Devices(binary, tmp_path, ("a:1",))
    with pytest.raises(WorkerUnreachable, match="a:1"):
        await devices.engine()
    flags.clear()
    with pytest.raises(EngineFlagUnknown):
        await devices.engine()
