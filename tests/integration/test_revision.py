"""A newer revision takes the place of a model while an engine works with the one before it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.hub import Quant
from rony_desktop.contract.revision import Revision
from tests.fixture.fleet import Program, program as running
from tests.fixture.hub_server import HubServer, hub_server

MODEL = "maker/starter-GGUF"
NAME = "starter-Q4_1.gguf"
NAMED = b"general.name"
NOTED_S = 10.0

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]


@pytest.fixture
def shelf(starter_model: Path, tmp_path: Path) -> Path:
    """What the hub has of the model; replacing it there is a rename, as here."""
    place = tmp_path / "hub" / MODEL / NAME
    place.parent.mkdir(parents=True)
    place.symlink_to(starter_model)
    return place


@pytest.fixture
def server(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    monkeypatch.chdir(tmp_path)
    with hub_server(tmp_path / "hub") as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
        monkeypatch.setenv("RONY_LLAMA__MODELS__MAIN__CTX_SIZE", "512")
        yield server


@pytest.fixture
async def program(server: HubServer) -> AsyncIterator[Program]:
    async with running({"provider.temperature": 0.0}) as found:
        yield found


def renamed(model: Path) -> bytes:
    """The same weights under a name that differs by one letter: other bytes, the same size."""
    content = bytearray(model.read_bytes())
    first = content.index(NAMED) + len(NAMED) + 12  # its type, and the length of its text
    content[first] ^= 0x20
    return bytes(content)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


async def fetched(program: Program, quant: Quant) -> Download:
    downloads = program.app.stock.downloads
    id = await downloads.start(quant)

    def found() -> Download:
        return next(each for each in downloads.list() if each.id == id)

    await program.until(lambda: found().state in (DownloadState.DONE, DownloadState.FAILED))
    if found().failure is None:  # where it came from is noted a moment after it is done
        async with asyncio.timeout(NOTED_S):
            while (await program.app.stock.revisions.origins()).get(found().target) != quant:
                await asyncio.sleep(0.01)
    return found()


async def newer(program: Program) -> list[Revision]:
    return [revision async for revision in program.app.stock.revisions.newer()]


async def test_an_update_breaks_nothing_that_is_in_use(
    program: Program, shelf: Path, starter_model: Path
) -> None:
    (quant,) = await program.app.stock.discovery.quants(MODEL)
    before = await fetched(program, quant)
    assert before.failure is None
    assert await newer(program) == []
    await program.switch(before.target)
    pid = program.pid
    said = (await program.ask("Say hello.")).response.content
    assert said

    after = renamed(starter_model)
    fresh = shelf.with_suffix(".new")
    fresh.write_bytes(after)
    fresh.replace(shelf)
    (revision,) = await newer(program)
    assert revision.path == before.target
    assert [file.sha256 for file in revision.changed] == [sha256(after)]
    done = await fetched(program, revision.offered)
    assert (done.failure, done.target) == (None, before.target)
    assert sha256(done.target.read_bytes()) == sha256(after)
    assert await newer(program) == []

    assert (await program.ask("Say hello.")).response.content == said
    assert (program.pid, psutil.pid_exists(pid)) == (pid, True)
    await program.app.fleet.stop()
    await program.switch(done.target)
    assert program.pid != pid
    assert (await program.ask("Say hello.")).response.failure is None
    assert program.notices == []
