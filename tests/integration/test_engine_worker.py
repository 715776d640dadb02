"""One model split over two workers on loopback, and what is said where one is not there."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rony_desktop.app.id import new_id
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import WorkerUnreachable
from rony_desktop.contract.plan import Why
from tests.fixture.fleet import Program, at_piece, children, program

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]
HOST = "127.0.0.1"
LIMIT_S = 20.0
QUESTION = "Count from one to a thousand, one number a line."


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


class Worker:
    """A real rpc-server of this computer."""

    def __init__(self, binary: Path, port: int) -> None:
        self.address = f"{HOST}:{port}"
        env = {**os.environ, "LD_LIBRARY_PATH": str(binary.parent)}
        argv = [str(binary.parent / "ggml-rpc-server"), "-H", HOST, "-p", str(port)]
        null = subprocess.DEVNULL
        self.process = subprocess.Popen(argv, env=env, stdout=null, stderr=null)

    def await_it(self) -> None:
        deadline = time.monotonic() + LIMIT_S
        while time.monotonic() < deadline and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex((HOST, int(self.address.split(":")[1]))) == 0:
                    return
            time.sleep(0.02)
        pytest.fail("the worker did not start")

    def end(self) -> None:
        self.process.kill()
        self.process.wait(LIMIT_S)


@contextmanager
def workers(binary: Path, count: int = 2) -> Iterator[list[Worker]]:
    made = [Worker(binary, free_port()) for _ in range(count)]
    try:
        for worker in made:
            worker.await_it()
        yield made
    finally:
        for worker in made:
            worker.end()


def flags(*addresses: str) -> dict[str, object]:
    return {"llama.rpc_workers": list(addresses), "provider.temperature": 0.0}


async def failure(running: Program, model: Path) -> WorkerUnreachable:
    with pytest.raises(WorkerUnreachable) as caught:
        await running.switch(model)
    status = running.app.runtime.status()
    assert status.state is EngineState.FAILED
    assert status.pid is None
    return caught.value


async def test_a_model_is_split_over_two_and_a_lost_one_is_named(
    engine_binary: Path, starter_model: Path
) -> None:
    with workers(engine_binary) as (first, second):
        addresses = first.address, second.address
        async with program(flags(*addresses)) as running:
            await running.switch(starter_model)
            planned, status = running.app.runtime.planned, running.app.runtime.status()
            assert planned is not None
            assert planned.launch.rpc_workers == addresses
            told = {flag.option: flag for flag in planned.flags}
            assert told["--rpc"].value == ",".join(addresses)
            assert told["--rpc"].reason.why is Why.WORKERS
            assert status.loaded is not None
            away = [buffer for buffer in status.loaded.buffers if not buffer.on_host]
            assert len(away) == 2
            assert all(buffer.model_bytes for buffer in away)
            assert (await running.ask("Say hello.")).response.failure is None

            cut = await running.ask(QUESTION, new_id(), at_piece(3, second.end))
            assert cut.response.failure is not None
            await running.until(lambda: running.app.runtime.status().state is EngineState.FAILED)
            lost = running.app.runtime.status().failure
            assert lost is not None
            assert lost.code == "engine.worker"
            assert second.address in lost.params["worker"]
            error = await failure(running, starter_model)
            assert error.params["worker"] == second.address
    assert children() == []


async def test_a_worker_that_is_not_there_is_named_before_anything_is_loaded(
    starter_model: Path,
) -> None:
    nobody = f"{HOST}:{free_port()}"
    async with program(flags(nobody)) as running:
        error = await failure(running, starter_model)
        assert error.params["worker"] == nobody
        assert running.app.fleet.pids() == ()
