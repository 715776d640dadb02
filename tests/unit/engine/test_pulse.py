"""A healthy engine is only asked; a failing one is told once."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from rony_desktop.contract.engine import Endpoint
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.pulse import Pulse
from rony_desktop.engine.suspend import Suspension


class Server:
    """Answers /health with a status that may change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.status = 200
        self.asked = 0

    async def __aenter__(self) -> Server:
        self._server = await asyncio.start_unix_server(self._answer, self.path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        self.asked += 1
        writer.write(f"HTTP/1.1 {self.status} X\r\n\r\n".encode())
        writer.close()


def pulse(path: Path) -> Pulse:
    return Pulse(Endpoint("http://engine", path), 0.02, 0.5)


async def test_all_is_well_until_the_answer_changes(tmp_path: Path) -> None:
    async with Server(tmp_path / "s") as server:
        with pulse(server.path) as watched:
            async with asyncio.timeout(5):
                while server.asked < 3:
                    await asyncio.sleep(0.01)
            assert not watched.failed.done()
            server.status = 503
            await asyncio.wait_for(watched.failed, 5)


async def test_nobody_there_is_a_failure(tmp_path: Path) -> None:
    with pulse(tmp_path / "absent") as watched:
        await asyncio.wait_for(watched.failed, 5)


async def test_the_thread_ends_with_the_watch(tmp_path: Path) -> None:
    with pulse(tmp_path / "absent"):
        pass
    async with asyncio.timeout(5):
        while any(thread.name == "engine health" for thread in threading.enumerate()):
            await asyncio.sleep(0.01)


async def test_each_check_is_told_in_its_thread_and_a_sleep_on_the_loop(tmp_path: Path) -> None:
    beats: list[str] = []
    awake = asyncio.Event()
    slept = [0.0]
    oversight = Oversight(lambda: beats.append(threading.current_thread().name), awake=awake.set)
    suspension = Suspension(0.02, lambda: slept[0])
    async with Server(tmp_path / "s") as server:
        endpoint = Endpoint("http://engine", server.path)
        with Pulse(endpoint, 0.02, 0.5, oversight, suspension) as watched:
            async with asyncio.timeout(5):
                while server.asked < 3:
                    await asyncio.sleep(0.01)
            assert not awake.is_set()
            slept[0] = 60.0
            await asyncio.wait_for(awake.wait(), 5)
            assert not watched.failed.done()
    assert len(beats) >= 4
    assert set(beats) == {"engine health"}
