"""The engine counts and is ended; what it cannot say is no error, a bad file is."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.engine import Buffer, Launch, Loaded
from rony_desktop.contract.error import BinaryUnusable, FolderUnwritable, ModelForeign
from rony_desktop.engine import forecast as module
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.forecast import LEFT_OUT, forecast
from rony_desktop.engine.reading import MIB

Scripted = Callable[[str], Candidate]


@pytest.fixture
def counting(scripted: Scripted) -> Scripted:
    """A scripted engine of a build that can count."""

    def make(behaviour: str) -> Candidate:
        flags = frozenset({*LEFT_OUT, "--api-key-file"})
        return dataclasses.replace(scripted(behaviour), flags=flags)

    return make


async def test_the_count_is_told_and_nothing_stays(
    counting: Scripted, launch: Launch, run_dir: Path
) -> None:
    seen: list[str] = []

    def wrap(argv: list[str]) -> list[str]:
        seen.extend(argv)
        key = Path(argv[argv.index("--api-key-file") + 1]).read_text()
        assert key not in " ".join(argv)
        return argv

    found = await forecast(counting("count"), launch, run_dir, wrap)
    assert found == Loaded(2048, None, None, (Buffer("Host", 28 * MIB, 45 * MIB, 7 * MIB),))
    assert list(run_dir.iterdir()) == []
    assert seen[-2:] == ["-lv", "5"]
    assert "-fit" not in seen


async def test_a_build_that_cannot_count_is_not_run(
    counting: Scripted, launch: Launch, run_dir: Path
) -> None:
    for name in LEFT_OUT:
        engine = counting("count")
        old = dataclasses.replace(engine, flags=engine.flags - {name}, argv=("/none",))
        assert await forecast(old, launch, run_dir) is None


@pytest.mark.parametrize("behaviour", ["die", "killed", "illegal", "stuck"])
async def test_an_end_without_a_count_says_nothing(
    counting: Scripted,
    launch: Launch,
    run_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    behaviour: str,
) -> None:
    monkeypatch.setattr(module, "LIMIT_S", 1.0)
    assert await forecast(counting(behaviour), launch, run_dir) is None
    assert list(run_dir.iterdir()) == []


async def test_a_cancelled_count_leaves_neither_process_nor_file(
    counting: Scripted, launch: Launch, run_dir: Path
) -> None:
    here = psutil.Process()
    counted = asyncio.create_task(forecast(counting("stuck"), launch, run_dir))
    async with asyncio.timeout(5):
        while not (children := here.children()) or not list(run_dir.glob("*.sock")):
            await asyncio.sleep(0.01)
    counted.cancel()
    with pytest.raises(asyncio.CancelledError):
        await counted
    assert not any(child.is_running() for child in children)
    assert list(run_dir.iterdir()) == []


@pytest.mark.parametrize("steps", range(8))
async def test_a_count_cancelled_as_it_begins_leaves_no_key(
    counting: Scripted, launch: Launch, run_dir: Path, steps: int
) -> None:
    run_dir.mkdir()
    counted = asyncio.create_task(forecast(counting("stuck"), launch, run_dir))
    for _ in range(steps):
        await asyncio.sleep(0)
    counted.cancel()
    with pytest.raises(asyncio.CancelledError):
        await counted
    await asyncio.get_running_loop().shutdown_default_executor()  # what a thread may still write
    assert list(run_dir.iterdir()) == []


async def test_a_file_that_is_no_model_is_a_typed_cause(
    counting: Scripted, launch: Launch, run_dir: Path
) -> None:
    with pytest.raises(ModelForeign):
        await forecast(counting("foreign"), launch, run_dir)


async def test_an_engine_that_cannot_be_run_leaves_no_key(
    counting: Scripted, launch: Launch, run_dir: Path
) -> None:
    with pytest.raises(BinaryUnusable):
        await forecast(dataclasses.replace(counting("x"), argv=("/none",)), launch, run_dir)
    assert list(run_dir.iterdir()) == []


async def test_a_folder_that_cannot_be_made(
    counting: Scripted, launch: Launch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnwritable):
        await forecast(counting("count"), launch, tmp_path / "file")
