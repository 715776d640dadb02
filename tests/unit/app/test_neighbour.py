"""A running window lends its engine; whatever else answers is ignored."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from rony_desktop.app.neighbour import ADDRESS, answer, shared_engine
from rony_desktop.contract.engine import Endpoint

ENDPOINT = Endpoint("http://engine", Path("/run/x.sock"), "key")


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
