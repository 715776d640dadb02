"""Both real engines under the supervisor: every failure that users meet."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.build import Source
from rony_desktop.contract.engine import EngineState, Launch
from rony_desktop.contract.error import (
    EngineFlagUnknown,
    EnginePortTaken,
    ModelArchitecture,
    ModelCut,
    ModelForeign,
    ModelMissing,
)
from rony_desktop.engine.binary import candidates
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.health import Health, check, completes, slot_idle
from rony_desktop.engine.probe import probe
from rony_desktop.engine.record import reap
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.net import client

pytestmark = pytest.mark.engine
OWNER = Path(__file__).parents[1] / "fixture" / "engine_owner.py"
READY_S = 30.0  # of a busy machine
Make = Callable[..., ProcessSupervisor]


@pytest.fixture(params=[Source.WHEEL, Source.HOST])
def engine(request: pytest.FixtureRequest) -> Candidate:
    found = [each for each in candidates(None) if each.source is request.param]
    assert found, f"no engine from {request.param}"
    return found[0]


@pytest.fixture
def run_dir() -> Path:
    return Path(os.environ["XDG_RUNTIME_DIR"]) / "run"


@pytest.fixture
def launch(starter_model: Path) -> Launch:
    return Launch(
        model=starter_model,
        alias="smol",
        n_ctx=1024,
        n_batch=64,
        n_ubatch=64,
        threads=1,
        threads_batch=1,
        cache_ram_mb=64,
    )


@pytest.fixture
async def make(engine: Candidate, run_dir: Path, tmp_path: Path) -> AsyncIterator[Make]:
    tested = await probe(engine, tmp_path)
    made: list[ProcessSupervisor] = []

    async def find() -> Candidate:
        return tested

    def build(wrap: Wrap | None = None) -> ProcessSupervisor:
        made.append(ProcessSupervisor(find, run_dir, wrap=wrap))
        return made[-1]

    yield build
    for supervisor in made:
        await supervisor.stop()
    assert list(run_dir.iterdir()) == []


async def replaced(supervisor: ProcessSupervisor, pid: int, limit_s: float) -> None:
    """Another engine took the place of pid within limit_s, and became ready."""
    async with asyncio.timeout(limit_s):
        while supervisor.status().pid in (None, pid):
            await asyncio.sleep(0.02)
    await supervisor.wait_ready(READY_S)


def pid_of(supervisor: ProcessSupervisor) -> int:
    pid = supervisor.status().pid
    assert pid is not None
    return pid


async def test_launch_and_answer(make: Make, launch: Launch) -> None:
    supervisor = make()
    await supervisor.start(launch)
    endpoint = supervisor.endpoint()
    assert await check(endpoint, 2) is Health.READY
    assert await completes(endpoint)
    assert await slot_idle(endpoint) is True
    async with client(endpoint) as http:
        assert (await http.get("/v1/models")).json()["data"][0]["id"] == "smol"
        stranger = {"Authorization": "Bearer other"}
        assert (await http.get("/props", headers=stranger)).status_code == 401
        assert (await http.get("/")).status_code == 404


async def test_stop_leaves_no_child(make: Make, launch: Launch) -> None:
    supervisor = make()
    await supervisor.start(launch)
    pid = pid_of(supervisor)
    await supervisor.stop()
    assert not psutil.pid_exists(pid)


@pytest.mark.race
@pytest.mark.parametrize("_turn", range(3))
async def test_kill_9_restarts(make: Make, launch: Launch, _turn: int) -> None:
    supervisor = make()
    await supervisor.start(launch)
    pid = pid_of(supervisor)
    os.kill(pid, signal.SIGKILL)
    await replaced(supervisor, pid, 10)
    assert await completes(supervisor.endpoint())


@pytest.mark.race
@pytest.mark.parametrize("_turn", range(3))
async def test_sigstop_is_replaced_within_10_s(
    make: Make,
    launch: Launch,
    _turn: int,
) -> None:
    supervisor = make()
    await supervisor.start(launch)
    pid = pid_of(supervisor)
    stopped_at = time.monotonic()
    os.kill(pid, signal.SIGSTOP)
    async with asyncio.timeout(6.8):
        while supervisor.status().state is not EngineState.SUSPECT:
            await asyncio.sleep(0.02)
    await replaced(supervisor, pid, 10 - (time.monotonic() - stopped_at))
    assert not psutil.pid_exists(pid)
    assert await completes(supervisor.endpoint())


async def test_stalled_stream_is_enough_to_find_a_stopped_engine_sooner(
    make: Make, launch: Launch
) -> None:
    supervisor = make()
    await supervisor.start(launch)
    pid = pid_of(supervisor)
    os.kill(pid, signal.SIGSTOP)
    supervisor.suspect()
    await replaced(supervisor, pid, 4)


async def test_stop_in_mid_stream_ends_by_force(make: Make, launch: Launch) -> None:
    supervisor = make()
    await supervisor.start(launch)
    pid = pid_of(supervisor)
    body = {"prompt": "Once upon a time", "n_predict": 100_000, "stream": True, "ignore_eos": True}
    async with (
        client(supervisor.endpoint()) as http,
        http.stream("POST", "/completion", json=body) as answer,
    ):
        lines = answer.aiter_lines()
        await anext(lines)
        async with asyncio.timeout(6):
            await supervisor.stop()
        assert not psutil.pid_exists(pid)
        await lines.aclose()  # type: ignore[attr-defined]


def damaged(model: Path, tmp_path: Path, kind: str) -> Path:
    """A model file with one fault; the head of a real one where it needs to be believable."""
    file = tmp_path / f"{kind}.gguf"
    with model.open("rb") as source:
        head = source.read(3_000_000)
    foreign_head = head.replace(
        b"\x05\x00\x00\x00\x00\x00\x00\x00llama", b"\x05" + bytes(7) + b"lloma"
    )
    renamed = head.replace(b"blk.0.attn_q.weight", b"blk.0.attn_x.weight")
    content = {
        "empty": b"",
        "page": b"<!DOCTYPE html><html>login</html>",
        "cut-header": head[:2000],
        "cut-data": head,
        "foreign": foreign_head,
        "tensor": renamed,
    }[kind]
    file.write_bytes(content)
    if kind in ("foreign", "tensor"):  # whole in size; the missing data is a hole
        os.truncate(file, model.stat().st_size)
    return file


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        ("empty", ModelForeign),
        ("page", ModelForeign),
        ("cut-header", ModelCut),
        ("cut-data", ModelCut),
        ("foreign", ModelArchitecture),
        ("tensor", ModelCut),
    ],
)
async def test_damaged_model_is_a_typed_cause(
    make: Make, launch: Launch, tmp_path: Path, kind: str, cause: type[Exception]
) -> None:
    supervisor = make()
    file = damaged(launch.model, tmp_path, kind)
    with pytest.raises(cause) as caught:
        await supervisor.start(dataclasses.replace(launch, model=file))
    assert "{" not in str(caught.value)
    assert supervisor.status().state is EngineState.FAILED


async def test_missing_model_is_a_typed_cause(make: Make, launch: Launch, tmp_path: Path) -> None:
    supervisor = make()
    with pytest.raises(ModelMissing) as caught:
        await supervisor.start(dataclasses.replace(launch, model=tmp_path / "none.gguf"))
    assert caught.value.params["detail"] == "No such file or directory"
    await supervisor.start(launch)  # and a good one afterwards
    assert await completes(supervisor.endpoint())


async def test_port_taken(make: Make, launch: Launch) -> None:
    supervisor = make()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(EnginePortTaken) as caught:
            await supervisor.start(dataclasses.replace(launch, port=port))
    assert caught.value.params == {"address": f"127.0.0.1:{port}"}


async def test_unknown_flag_and_bad_value(make: Make, launch: Launch) -> None:
    strange = make(lambda argv: [*argv, "--no-such-flag"])
    with pytest.raises(EngineFlagUnknown) as caught:
        await strange.start(launch)
    assert caught.value.params["detail"] == "invalid argument: --no-such-flag"
    await strange.stop()
    with pytest.raises(EngineFlagUnknown, match="-ctk"):
        await make().start(dataclasses.replace(launch, cache_type_k="q99"))


@pytest.mark.race
@pytest.mark.parametrize("_turn", range(3))
def test_parent_killed_leaves_no_child(
    engine: Candidate,
    run_dir: Path,
    tmp_path: Path,
    starter_model: Path,
    _turn: int,
) -> None:
    argv = [sys.executable, str(OWNER), str(run_dir), str(tmp_path), str(starter_model)]
    owner = subprocess.Popen(
        [*argv, engine.source],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(OWNER.parents[2])},
    )
    assert owner.stdout is not None
    child = psutil.Process(int(owner.stdout.readline()))
    owner.kill()
    owner.communicate()
    assert not psutil.wait_procs([child], timeout=2)[1]
    assert reap(run_dir) == []
    assert list(run_dir.iterdir()) == []
