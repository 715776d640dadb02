"""The supervisor over scripted engines: starts, checks, restarts, gives up, stops."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
import signal
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import psutil
import pytest

from rony_desktop.contract.engine import EngineState, EngineStatus, Launch, Loaded
from rony_desktop.contract.error import (
    EngineDied,
    EngineError,
    EngineHung,
    EngineKilled,
    EngineNotReady,
    EnginePortTaken,
    EngineStopped,
    RonyError,
    WorkerUnreachable,
)
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.engine.timing import Timing

FAST = Timing(
    interval_s=0.2,
    check_timeout_s=0.3,
    suspect_interval_s=0.05,
    suspect_timeout_s=0.2,
    patience_s=0.3,
    start_deadline_s=10,
    back_off_s=0.05,
    back_off_limit_s=0.2,
    grace_s=0.5,
)


class Bench:
    """A supervisor, the behaviour of the next engine, and every status it told."""

    def __init__(self, scripted: Callable[[str], Candidate], run_dir: Path) -> None:
        self.behaviour = "serve"
        self.finds = 0
        self.told: list[EngineStatus] = []
        self._scripted = scripted
        self._news = asyncio.Event()
        self.supervisor = self.make(run_dir, FAST)

    def make(self, run_dir: Path, timing: Timing) -> ProcessSupervisor:
        self.supervisor = ProcessSupervisor(self.find, run_dir, self.hear, timing=timing)
        return self.supervisor

    async def find(self) -> Candidate:
        self.finds += 1
        return self._scripted(self.behaviour)

    def hear(self, status: EngineStatus) -> None:
        self.told.append(status)
        self._news.set()

    async def until(self, state: EngineState, restarts: int = 0) -> EngineStatus:
        async with asyncio.timeout(10):
            while True:
                now = self.supervisor.status()
                if now.state is state and now.restarts >= restarts:
                    return now
                self._news.clear()
                await self._news.wait()

    def states(self) -> list[EngineState]:
        return list(dict.fromkeys(status.state for status in self.told))


@pytest.fixture
async def bench(scripted: Callable[[str], Candidate], run_dir: Path) -> AsyncIterator[Bench]:
    made = Bench(scripted, run_dir)
    yield made
    await made.supervisor.stop()
    assert list(run_dir.iterdir()) == []


async def test_start_returns_when_ready(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    status = bench.supervisor.status()
    assert (status.state, status.model, status.binary) == (EngineState.READY, "m", "scripted serve")
    assert status.pid is not None
    assert psutil.pid_exists(status.pid)
    assert bench.supervisor.endpoint().key
    assert bench.states() == [EngineState.LOADING, EngineState.READY]


async def test_what_was_loaded_is_told_while_it_is_ready(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    assert bench.supervisor.status().loaded == Loaded(n_ctx=launch.n_ctx)
    await bench.supervisor.stop()
    assert {status.loaded for status in bench.told if status.state is not EngineState.READY} == {
        None
    }


async def test_stop_returns_when_it_is_gone(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    pid = bench.supervisor.status().pid
    assert pid is not None
    await bench.supervisor.stop()
    assert not psutil.pid_exists(pid)
    assert bench.supervisor.status().state is EngineState.STOPPED
    with pytest.raises(EngineStopped):
        bench.supervisor.endpoint()
    await bench.supervisor.stop()


async def test_nothing_started_nothing_to_reach(bench: Bench, run_dir: Path) -> None:
    run_dir.mkdir()
    with pytest.raises(EngineStopped):
        bench.supervisor.endpoint()
    with pytest.raises(EngineStopped):
        await bench.supervisor.wait_ready(1)


async def test_restart_on_crash(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    before = bench.supervisor.endpoint()
    os.kill(bench.supervisor.status().pid or 0, signal.SIGKILL)
    waiting = await bench.until(EngineState.WAITING)
    assert waiting.failure is not None
    assert waiting.failure.code == "engine.killed"
    await bench.supervisor.wait_ready(10)
    now = bench.supervisor.status()
    assert (now.restarts, now.failure) == (1, None)
    assert bench.supervisor.endpoint().key != before.key


async def test_who_oversees_it_may_refuse_the_same_launch(bench: Bench, launch: Launch) -> None:
    asked: list[RonyError] = []

    def again(cause: RonyError) -> bool:
        asked.append(cause)
        return len(asked) < 2

    bench.supervisor.oversight = Oversight(again=again)
    await bench.supervisor.start(launch)
    os.kill(bench.supervisor.status().pid or 0, signal.SIGKILL)
    await bench.until(EngineState.READY, restarts=1)
    os.kill(bench.supervisor.status().pid or 0, signal.SIGKILL)
    failed = await bench.until(EngineState.FAILED)
    assert failed.failure == EngineKilled().failure()
    assert [type(cause) for cause in asked] == [EngineKilled, EngineKilled]
    assert bench.finds == 2
    await bench.supervisor.start(launch)
    assert bench.supervisor.status().state is EngineState.READY


async def test_an_end_while_it_loads_is_nobodys_to_refuse(bench: Bench, launch: Launch) -> None:
    bench.supervisor.oversight = Oversight(again=lambda _: pytest.fail("it was never ready"))
    bench.behaviour = "killed"
    with pytest.raises(EngineKilled):
        await bench.supervisor.start(launch)


async def test_each_restart_tells_anew_what_was_loaded(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    first = bench.supervisor.status()
    bench.behaviour = "cpu"
    os.kill(first.pid or 0, signal.SIGKILL)
    waiting = await bench.until(EngineState.WAITING)
    assert (first.loaded, waiting.loaded) == (Loaded(n_ctx=launch.n_ctx), None)
    now = await bench.until(EngineState.READY, restarts=1)
    assert now.loaded is not None
    assert (now.loaded.gpu_layers, now.loaded.all_layers) == (0, 17)


async def test_a_machine_that_is_not_reached_is_final_and_named(
    bench: Bench, launch: Launch
) -> None:
    bench.behaviour = "alone"
    with pytest.raises(WorkerUnreachable, match=r"\(10\.0\.0\.9:50052\)"):
        await bench.supervisor.start(dataclasses.replace(launch, rpc_workers=("10.0.0.9:50052",)))
    assert bench.finds == 1


async def test_restart_is_logged(
    bench: Bench, launch: Launch, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "rony.app"):
        await bench.supervisor.start(launch)
        os.kill(bench.supervisor.status().pid or 0, signal.SIGKILL)
        await bench.until(EngineState.READY, restarts=1)
    assert "SUPERVISOR_RESTART" in caplog.text


async def test_restart_after_3_consecutive_failures(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    pid = bench.supervisor.status().pid or 0
    os.kill(pid, signal.SIGSTOP)
    suspect = await bench.until(EngineState.SUSPECT)
    assert suspect.pid == pid
    assert bench.supervisor.endpoint()
    now = await bench.until(EngineState.READY, restarts=1)
    assert now.pid != pid
    assert not psutil.pid_exists(pid)
    codes = [status.failure.code for status in bench.told if status.failure]
    assert set(codes) == {EngineHung.code}


async def test_fewer_failures_are_forgiven(bench: Bench, launch: Launch) -> None:
    bench.make(bench.supervisor._run_dir, dataclasses.replace(FAST, failed_checks=1000))
    await bench.supervisor.start(launch)
    pid = bench.supervisor.status().pid or 0
    os.kill(pid, signal.SIGSTOP)
    await bench.until(EngineState.SUSPECT)
    os.kill(pid, signal.SIGCONT)
    now = await bench.until(EngineState.READY)
    assert (now.pid, now.restarts) == (pid, 0)


async def test_suspicion_finds_a_stuck_loop_behind_a_good_answer(
    bench: Bench, launch: Launch
) -> None:
    bench.behaviour = "mute"
    await bench.supervisor.start(launch)
    bench.behaviour = "serve"
    await asyncio.sleep(FAST.interval_s * 1.5)  # its ordinary checks find nothing
    assert bench.supervisor.status().state is EngineState.READY
    bench.supervisor.suspect()
    now = await bench.until(EngineState.READY, restarts=1)
    assert now.binary == "scripted serve"


async def test_suspicion_does_no_harm_to_a_well_engine(bench: Bench, launch: Launch) -> None:
    await bench.supervisor.start(launch)
    finds = bench.finds
    bench.supervisor.suspect()
    await asyncio.sleep(FAST.interval_s * 2)
    assert bench.supervisor.status().state is EngineState.READY
    assert bench.finds == finds


async def test_permanent_cause_fails_at_once(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "none"

    async def find() -> Candidate:
        bench.finds += 1
        missing = bench._scripted("x")
        return dataclasses.replace(missing, argv=("/none/llama-server",))

    bench.supervisor._find = find
    with pytest.raises(EngineError, match="No such file"):
        await bench.supervisor.start(launch)
    assert bench.finds == 1
    status = bench.supervisor.status()
    assert status.state is EngineState.FAILED
    assert status.failure is not None
    with pytest.raises(EngineError, match="No such file"):
        bench.supervisor.endpoint()


async def test_gives_up_after_5_failed_starts_in_a_row(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "die"
    with pytest.raises(EngineDied, match="the scripted cause"):
        await bench.supervisor.start(launch)
    assert bench.finds == 5
    assert bench.supervisor.status().state is EngineState.FAILED
    assert EngineState.WAITING in bench.states()


async def test_killed_while_it_loads_is_final_after_2_starts(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "killed"
    with pytest.raises(EngineKilled):
        await bench.supervisor.start(launch)
    assert bench.finds == 2


async def test_start_again_after_a_failure(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "die"
    with pytest.raises(EngineDied):
        await bench.supervisor.start(launch)
    bench.behaviour = "serve"
    await bench.supervisor.start(launch)
    assert bench.supervisor.status().state is EngineState.READY
    assert bench.supervisor.status().failure is None


async def test_start_that_takes_too_long(bench: Bench, launch: Launch) -> None:
    bench.make(bench.supervisor._run_dir, dataclasses.replace(FAST, start_deadline_s=0.5))
    bench.behaviour = "stuck"
    with pytest.raises(EngineNotReady):
        await bench.supervisor.start(launch)
    assert bench.finds == 1


async def test_stop_while_loading_is_quick_and_tells_the_starter(
    bench: Bench, launch: Launch
) -> None:
    bench.behaviour = "stuck"
    starting = asyncio.create_task(bench.supervisor.start(launch))
    async with asyncio.timeout(5):
        while bench.supervisor.status().pid is None:
            await asyncio.sleep(0.01)
        await bench.supervisor.stop()
    with pytest.raises(EngineStopped):
        await starting


async def test_wait_ready_has_its_own_deadline(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "stuck"
    starting = asyncio.create_task(bench.supervisor.start(launch))
    await asyncio.sleep(0)
    with pytest.raises(EngineNotReady):
        await bench.supervisor.wait_ready(0.1)
    await bench.supervisor.stop()
    with pytest.raises(EngineStopped):
        await starting


async def test_last_start_wins(bench: Bench, launch: Launch) -> None:
    other = dataclasses.replace(launch, alias="other")
    first, second = await asyncio.gather(
        bench.supervisor.start(launch), bench.supervisor.start(other), return_exceptions=True
    )
    assert isinstance(first, EngineStopped)
    assert second is None
    assert bench.supervisor.status().model == "other"
    assert len([c for c in psutil.Process().children() if "engine_child" in str(c.cmdline())]) == 1


async def test_deaf_engine_is_killed_after_the_grace(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "deaf"
    await bench.supervisor.start(launch)
    pid = bench.supervisor.status().pid or 0
    async with asyncio.timeout(FAST.grace_s + 2):
        await bench.supervisor.stop()
    assert not psutil.pid_exists(pid)


async def test_cancelled_stop_still_ends_the_engine(bench: Bench, launch: Launch) -> None:
    bench.behaviour = "deaf"
    await bench.supervisor.start(launch)
    pid = bench.supervisor.status().pid or 0
    stopping = asyncio.create_task(bench.supervisor.stop())
    await bench.until(EngineState.STOPPING)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    await bench.until(EngineState.STOPPED)
    assert not psutil.pid_exists(pid)


async def test_taken_port_of_the_user_is_final(bench: Bench, launch: Launch, run_dir: Path) -> None:
    cause = EnginePortTaken(address="a")
    assert bench.supervisor._is_final(cause, dataclasses.replace(launch, port=1))
    assert not bench.supervisor._is_final(cause, launch)
    run_dir.mkdir()


async def test_unforeseen_error_is_a_failure_with_a_trace(
    bench: Bench,
    launch: Launch,
    run_dir: Path,
    caplog: pytest.LogCaptureFixture,
    expected_log: Callable[[str], None],
) -> None:
    async def find() -> Candidate:
        raise ZeroDivisionError

    expected_log("ERROR_STACKTRACE")
    run_dir.mkdir()
    bench.supervisor._find = find
    with caplog.at_level(logging.INFO, "rony.app"), pytest.raises(RonyError, match="ZeroDivision"):
        await bench.supervisor.start(launch)
    assert "ERROR_STACKTRACE" in caplog.text
    assert bench.supervisor.status().state is EngineState.FAILED


async def test_two_roles_side_by_side(bench: Bench, launch: Launch, run_dir: Path) -> None:
    embed = ProcessSupervisor(bench.find, run_dir, role="embed", timing=FAST)
    await asyncio.gather(bench.supervisor.start(launch), embed.start(launch))
    assert bench.supervisor.endpoint().socket != embed.endpoint().socket
    await embed.stop()
    assert bench.supervisor.status().state is EngineState.READY


async def test_long_health_resets_the_back_off(bench: Bench, launch: Launch) -> None:
    timing = dataclasses.replace(FAST, back_off_s=0.1, back_off_limit_s=60, healthy_s=0)
    bench.make(bench.supervisor._run_dir, timing)
    await bench.supervisor.start(launch)
    for restart in range(1, 8):  # doubling without reset would wait 12.7 s in all
        os.kill(bench.supervisor.status().pid or 0, signal.SIGKILL)
        await bench.until(EngineState.READY, restarts=restart)
