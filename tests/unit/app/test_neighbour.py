"""A running window lends its engine; whatever else answers is ignored."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from rony_desktop.app.neighbour import (
    ADDRESS,
    answer,
    meeting_place,
    model_in_use,
    no_answer,
    shared_engine,
)
from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus
from rony_desktop.contract.error import FolderUnwritable
from rony_desktop.store.place import Place

ENDPOINT = Endpoint("http://engine", Path("/run/x.sock"), "key")


def test_starts_meet_in_a_private_folder(tmp_path: Path) -> None:
    folder = meeting_place()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    folder.rmdir()
    Place.of().run_dir.symlink_to(tmp_path)
    with pytest.raises(FolderUnwritable):
        meeting_place()


async def serve(folder: Path, line: bytes) -> asyncio.Server:
    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(line)
        writer.close()
        await writer.wait_closed()

    return await asyncio.start_unix_server(reply, folder / ADDRESS)


async def test_the_windows_engine_is_shared(tmp_path: Path) -> None:
    line = json.dumps(answer("m", ENDPOINT)).encode() + b"\n"
    async with await serve(tmp_path, line):
        assert await shared_engine(tmp_path) == ("m", ENDPOINT)


async def test_no_window_no_engine(tmp_path: Path) -> None:
    assert await shared_engine(tmp_path) is None
    (tmp_path / ADDRESS).touch()
    assert await shared_engine(tmp_path) is None


@pytest.mark.parametrize("line", [b"", b"{}\n", b"[]\n", b"nonsense\n"])
async def test_nonsense_is_no_engine(tmp_path: Path, line: bytes) -> None:
    async with await serve(tmp_path, line):
        assert await shared_engine(tmp_path) is None


async def test_the_model_in_use_is_named(tmp_path: Path) -> None:
    assert await model_in_use(tmp_path) == ""
    line = json.dumps(answer("m", ENDPOINT)).encode() + b"\n"
    async with await serve(tmp_path, line):
        assert await model_in_use(tmp_path) == "m"


@pytest.mark.parametrize(
    ("status", "used"),
    [
        (EngineStatus(EngineState.LOADING, model="m"), "m"),
        (EngineStatus(EngineState.STOPPED, model="m", asleep=True), "m"),
        (EngineStatus(EngineState.STOPPED, model="m"), ""),
        (EngineStatus(EngineState.FAILED, model="m"), ""),
    ],
)
async def test_a_model_that_loads_or_sleeps_is_in_use(
    tmp_path: Path, status: EngineStatus, used: str
) -> None:
    line = json.dumps(no_answer(status)).encode() + b"\n"
    async with await serve(tmp_path, line):
        assert await model_in_use(tmp_path) == used
        assert await shared_engine(tmp_path) is None
