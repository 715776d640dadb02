"""Keeps one engine running: starts it, watches it, replaces it, and says what happened."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus, Launch
from rony_desktop.contract.error import (
    BinaryMissing,
    BinaryNotFound,
    BinaryUnusable,
    EngineError,
    EngineFlagUnknown,
    EngineHung,
    EngineKilled,
    EngineNotReady,
    EngineOutOfMemory,
    EnginePortTaken,
    EngineStopped,
    EngineUnsuited,
    ModelFileError,
    RonyError,
    StorageError,
    WorkerUnreachable,
)
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.child import Child, launch_child
from rony_desktop.engine.health import examine
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.pulse import Pulse
from rony_desktop.engine.timing import BackOff, Timing
from rony_desktop.log import EventTag, log_event

# Starting the same thing again would end the same way.
PERMANENT = (
    *(BinaryMissing, BinaryNotFound, BinaryUnusable, EngineFlagUnknown, EngineNotReady),
    *(EngineOutOfMemory, EngineUnsuited, ModelFileError, StorageError, WorkerUnreachable),
)
UNSETTLED = (
    EngineState.LOADING,
    EngineState.SUSPECT,
    EngineState.WAITING,
    EngineState.STOPPING,
)


@dataclass(slots=True)
class Life:
    """When one child became ready, and when it first gave cause for concern; loop time."""

    ready_at: float | None = None
    trouble_at: float | None = None


class ProcessSupervisor:
    """One engine of one role, run as a child; implements the port Engine.

    It owns the child and a task that watches it, both until stop(). on_change hears every new
    status, on the loop. find gives the engine to run and is asked before each start. oversight may
    be replaced while nothing runs.
    """

    def __init__(
        self,
        find: Callable[[], Awaitable[Candidate]],
        run_dir: Path,
        on_change: Callable[[EngineStatus], None] = lambda _: None,
        *,
        role: str = "chat",
        wrap: Wrap | None = None,
        timing: Timing | None = None,
    ) -> None:
        self._find = find
        self._run_dir = run_dir
        self._on_change = on_change
        self._role = role
        self._wrap = wrap
        self._timing = timing or Timing()
        self.oversight = Oversight()
        self._status = EngineStatus()
        self._failure: RonyError | None = None
        self._changed = asyncio.Event()
        self._doubt = asyncio.Event()
        self._switch = asyncio.Lock()
        self._launch: Launch | None = None
        self._task: asyncio.Task[None] | None = None
        self._child: Child | None = None
        self._restarts = 0
        self._life = Life()

    async def start(self, launch: Launch) -> None:
        """Replace what runs by launch and return when it is ready.

        Raises:
            EngineError, ModelFileError, StorageError: Why it cannot be; EngineStopped where stop()
                or another start() came in between.
        """
        async with self._switch:
            await self._halt()
            self._launch = launch
            self._restarts = 0
            self._set(EngineState.LOADING)
            self._task = asyncio.create_task(self._guard(launch), name=f"engine {self._role}")
        await self.wait_ready()
        if self._launch is not launch:
            raise EngineStopped

    async def stop(self) -> None:
        """End the child; returns when it is gone."""
        async with self._switch:
            await self._halt()

    def status(self) -> EngineStatus:
        """What the engine is doing now."""
        return self._status

    def endpoint(self) -> Endpoint:
        """How to reach the engine; address and key change with every start.

        Raises:
            EngineError, ModelFileError, StorageError: Why none runs; EngineStopped where it is not
                ready yet.
        """
        if self._child is not None and self._life.ready_at is not None:
            return self._child.endpoint
        raise self._failure or EngineStopped()

    def suspect(self) -> None:
        """Ask for a thorough check now: a stream stalled, or the computer slept."""
        self._doubt.set()

    async def wait_ready(self, timeout_s: float | None = None) -> None:
        """Return when the engine is ready.

        Raises:
            EngineError, ModelFileError, StorageError: Why it will not be; EngineNotReady after
                timeout_s.
        """
        try:
            async with asyncio.timeout(timeout_s):
                while self._status.state in UNSETTLED:
                    await self._changed.wait()
        except TimeoutError as error:
            raise EngineNotReady(seconds=f"{timeout_s:g}") from error
        if self._status.state is not EngineState.READY:
            raise self._failure or EngineStopped()

    async def _halt(self) -> None:
        if self._task is None:
            return
        if not self._task.done():
            self._set(EngineState.STOPPING)
            self._task.cancel()
            await asyncio.wait({self._task})
        self._task = None
        self._failure = None
        self._set(EngineState.STOPPED)

    async def _guard(self, launch: Launch) -> None:
        try:
            await self._run(launch)
        except asyncio.CancelledError:
            self._failure = None
            self._set(EngineState.STOPPED)
            raise
        except Exception as error:  # the named border of engine/
            log_event(EventTag.ERROR_STACKTRACE, logging.ERROR, detail=traceback.format_exc())
            self._failure = EngineError(detail=repr(error))
            self._set(EngineState.FAILED)

    async def _run(self, launch: Launch) -> None:
        timing = self._timing
        back_off = BackOff(timing.back_off_s, timing.back_off_limit_s)
        clock = asyncio.get_running_loop().time
        failed_starts = 0
        while True:
            cause, healthy_s = await self._attempt(launch)
            failed_starts = failed_starts + 1 if healthy_s is None else 0
            if healthy_s is not None and healthy_s >= timing.healthy_s:
                back_off.reset()
            self._failure = cause
            # Killed while it loads is out of memory: the same launch would end so again.
            killed = isinstance(cause, EngineKilled)
            most = timing.killed_starts if killed else timing.failed_starts
            refused = healthy_s is not None and not self.oversight.again(cause)
            if refused or self._is_final(cause, launch) or failed_starts >= most:
                self._set(EngineState.FAILED)
                return
            # The wait counts from the first sign of trouble: what a hang took to be seen is in it.
            delay_s = back_off.next_s() - (clock() - (self._life.trouble_at or clock()))
            self._restarts += 1
            log_event(
                EventTag.SUPERVISOR_RESTART,
                model=launch.alias,
                ms=max(0, round(delay_s * 1000)),
                detail=f"{self._role}, restart {self._restarts}: {cause}",
            )
            self._set(EngineState.WAITING)
            await asyncio.sleep(max(0.0, delay_s))
            self._set(EngineState.LOADING)

    async def _attempt(self, launch: Launch) -> tuple[RonyError, float | None]:
        """One child from start to end: why it ended, and how long it was ready (None: never)."""
        clock = asyncio.get_running_loop().time
        life = self._life = Life()
        try:
            await self._serve(launch, life)
        except RonyError as error:
            return error, None if life.ready_at is None else clock() - life.ready_at

    async def _serve(self, launch: Launch, life: Life) -> NoReturn:
        candidate = await self._find()
        child = await launch_child(candidate, launch, self._run_dir, self._role, self._wrap)
        self._child = child
        grace_s = self._timing.grace_s
        try:
            self._set(EngineState.LOADING, candidate.label)
            await child.ready(self._timing.start_deadline_s)
            life.ready_at = asyncio.get_running_loop().time()
            self._failure = None
            self._doubt.clear()
            self._set(EngineState.READY, candidate.label)
            await self._watch(child)
        except (EngineHung, EngineNotReady):
            grace_s = 0.0  # who does not answer does not end when asked either
            raise
        finally:
            self._child = None
            await child.end(grace_s)

    async def _watch(self, child: Child) -> NoReturn:
        """Look after the child until it ended or is beyond hope; raises the cause."""
        timing = self._timing
        failures = 0
        while True:
            if failures:
                await self._wait(child, timeout_s=timing.suspect_interval_s)
            elif await self._pulse_failed(child):
                failures = 1
                self._suspicious()
            healthy = await self._examine(child)
            if child.exit.done():
                self._note_trouble()
                raise child.cause()
            failures = 0 if healthy else failures + 1
            if healthy:
                self._life.trouble_at = None
                self._set(EngineState.READY, self._status.binary)
                continue
            self._suspicious()
            if failures >= timing.failed_checks:
                raise EngineHung

    async def _pulse_failed(self, child: Child) -> bool:
        """Wait while all is well: until the child ends, is suspected, or fails its check (True)."""
        timing = self._timing
        every_s, timeout_s = timing.interval_s, timing.check_timeout_s
        with Pulse(child.endpoint, every_s, timeout_s, self.oversight) as pulse:
            await self._wait(child, pulse.failed)
            return pulse.failed.done()

    def _suspicious(self) -> None:
        self._note_trouble()
        self._set(EngineState.SUSPECT, self._status.binary)

    def _note_trouble(self) -> None:
        if self._life.trouble_at is None:
            self._life.trouble_at = asyncio.get_running_loop().time()

    async def _wait(
        self, child: Child, *others: asyncio.Future[Any], timeout_s: float | None = None
    ) -> None:
        """Return when the child ends or is suspected, one of others is done, or time is over."""
        doubt = asyncio.create_task(self._doubt.wait())
        events: list[asyncio.Future[Any]] = [child.exit, doubt, *others]
        try:
            await asyncio.wait(events, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            doubt.cancel()

    async def _examine(self, child: Child) -> bool:
        """Whether a child under suspicion is well; returns at once when it ends."""
        timing = self._timing
        self._doubt.clear()
        answer = asyncio.create_task(
            examine(child.endpoint, timing.suspect_timeout_s, timing.patience_s)
        )
        try:
            await asyncio.wait({child.exit, answer}, return_when=asyncio.FIRST_COMPLETED)
            return answer.done() and answer.result()
        finally:
            answer.cancel()

    def _is_final(self, cause: RonyError, launch: Launch) -> bool:
        if isinstance(cause, EnginePortTaken):
            return launch.port is not None  # a port of our own choice is drawn anew
        return isinstance(cause, PERMANENT)

    def _set(self, state: EngineState, binary: str = "") -> None:
        status = EngineStatus(
            state=state,
            model=self._launch.alias if self._launch else "",
            pid=self._child.pid if self._child else None,
            binary=binary,
            restarts=self._restarts,
            failure=self._failure.failure() if self._failure else None,
            loaded=self._child.loaded() if self._child and state is EngineState.READY else None,
        )
        if status == self._status:
            return
        self._status = status
        self._changed.set()
        self._changed = asyncio.Event()
        self._on_change(status)
