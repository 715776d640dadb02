"""The model in use: chosen, planned, launched, watched, and reached through one client."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rony_desktop.app.ceiling import start_below
from rony_desktop.app.experience import Experience
from rony_desktop.app.feed import Feed
from rony_desktop.app.idle import Idle
from rony_desktop.app.launch import LaunchService
from rony_desktop.app.model import SCRIPTED, Models
from rony_desktop.app.pause import Pause
from rony_desktop.app.refusal import lowered, too_large
from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus
from rony_desktop.contract.error import (
    DeviceLost,
    EngineBusy,
    EngineError,
    EngineKilled,
    EngineNotReady,
    EngineOutOfMemory,
    EngineStopped,
    RonyError,
    StorageError,
)
from rony_desktop.contract.event import EngineChanged, Notice
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.model import ModelRef
from rony_desktop.contract.port import Engine, LLMClient
from rony_desktop.engine.monitor import held_bytes

READY_LIMIT_S = 300.0
IDLE_LIMIT_S = 5.0
IDLE_STEP_S = 0.02
REMOTE = "remote"
ENDED = (EngineState.STOPPED, EngineState.FAILED)
SHORT = (EngineOutOfMemory.code, EngineKilled.code)


@dataclass(frozen=True, slots=True)
class Parts:
    """What Runtime works with; the factory makes them.

    remote is the model and endpoint of a server that already runs, None where the engine is ours.
    After idle_stop_s seconds without a question our own is stopped; 0: never.
    """

    models: Models
    launches: LaunchService
    client: Callable[[Callable[[], Endpoint]], LLMClient]
    scripted: Callable[[str], LLMClient]
    slot_idle: Callable[[Endpoint], Awaitable[bool | None]]
    remote: tuple[str, Endpoint] | None = None
    experience: Experience | None = None
    idle_stop_s: float = 0


class Runtime:
    """Owns the engine. One model at a time; using another ends the one before.

    idle is told who uses the engine; without a user it is stopped after a while, until ready().
    """

    def __init__(self, parts: Parts, engine: Engine, feed: Feed) -> None:
        self._parts = parts
        self._engine = engine
        self._feed = feed
        self._status = EngineStatus()
        self._changed = asyncio.Event()
        self._loading: asyncio.Task[None] | None = None
        self._falling: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._asleep = False
        self._alone = asyncio.Lock()
        self._pause: Pause | None = None
        self.idle = Idle(parts.idle_stop_s, self._fall_asleep)
        self._name = ""
        self._anyway = False
        self._client: LLMClient | None = None
        self.planned: PlannedLaunch | None = None
        self.model: ModelRef | None = None

    @property
    def launches(self) -> LaunchService:
        """What plans its launches."""
        return self._parts.launches

    def status(self) -> EngineStatus:
        """Where the model in use is."""
        return self._status

    def engine_changed(self, status: EngineStatus) -> None:
        """Take in what the supervisor reports; how a load ends is told by the load itself.

        An engine that memory was too short for while it ran is started with less.
        """
        if status.state is EngineState.FAILED:
            if self._is_loading():
                return
            if self.planned and status.failure and status.failure.code in SHORT:
                self._step_down(self.planned, status.failure.error())
                return
        asleep = self._asleep and status.state is EngineState.STOPPED
        self._set(replace(status, model=status.model or self._status.model, asleep=asleep))

    def client(self) -> LLMClient:
        """The client of the model in use.

        Raises:
            EngineStopped: no model is in use.
        """
        if self._client is None:
            raise EngineStopped()
        return self._client

    def use(self, name: str = "", *, anyway: bool = False) -> asyncio.Task[None]:
        """Load the model of that name, else the chosen one, in the background.

        What goes wrong becomes the status' failure; await ready() to have it raised. anyway starts
        even what does not fit into memory.
        """
        self._name, self._anyway = name, anyway
        return self._begin(name)

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Keep the engine down for a while, then load the model again; who asks meanwhile waits.

        So does who uses another model meanwhile, or wants a pause of its own.

        Raises:
            EngineBusy: an answer is being written.
        """
        async with self._alone:
            if self._status.pid is not None and not await self._parts.slot_idle(
                self._engine.endpoint()
            ):
                raise EngineBusy()
            self._pause = pause = Pause()
            loading = self._begin(self._name or (self.model.id if self.model else ""))
            begun = asyncio.create_task(pause.begun.wait())
            try:
                await asyncio.wait({begun, loading}, return_when=asyncio.FIRST_COMPLETED)
                yield
            finally:
                begun.cancel()
                self._pause = None
                pause.ended.set()

    def _begin(self, name: str) -> asyncio.Task[None]:
        return self._load_by(self._load(name, self._loading, self._pause), name)

    def _load_by(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        self._asleep = False
        self._set(EngineStatus(EngineState.LOADING, model=name))
        self._loading = asyncio.create_task(work, name="load model")
        self._loading.add_done_callback(self._load_ended)
        return self._loading

    def _is_loading(self) -> bool:
        return self._loading is not None and not self._loading.done()

    async def ready(self) -> None:
        """Return when the model can answer; one that failed or sleeps is started again.

        Raises:
            ModelFileError: there is no model, or its file cannot be used.
            EngineError: the engine did not come up.
        """
        if self._falling:
            await asyncio.wait([self._falling])
        if self._loading is None or (self._loading.done() and self._status.state in ENDED):
            self.use(self._name, anyway=self._anyway)
        try:
            async with asyncio.timeout(READY_LIMIT_S):
                await self._loaded()
                while self._status.state is not EngineState.READY:
                    if self._status.state in ENDED:
                        raise self._failure()
                    await self._changed.wait()
        except TimeoutError as error:
            raise EngineNotReady(seconds=f"{READY_LIMIT_S:g}") from error

    async def context_window(self) -> int:
        """Context window of the running model in tokens, as the engine says, 0 where unknown."""
        return (await self.client().capabilities()).max_context_window

    def lend(self) -> tuple[str, Endpoint] | None:
        """Model and endpoint of our own running engine, for a command beside the window."""
        if self._status.state is not EngineState.READY:
            return None
        self.idle.again()
        try:
            return self._status.model, self._engine.endpoint()
        except RonyError:  # it ended a moment ago, or none of ours runs
            return None

    async def settle(self) -> bool:
        """Wait until the engine works on nothing; False where it does not come to rest."""
        if self._status.pid is None:
            return True
        try:
            async with asyncio.timeout(IDLE_LIMIT_S):
                while not await self._parts.slot_idle(self._engine.endpoint()):  # noqa: ASYNC110
                    await asyncio.sleep(IDLE_STEP_S)
        except (TimeoutError, RonyError):
            self.suspect()
            return False
        return True

    def suspect(self) -> None:
        """A stream fell silent: have the engine looked at now."""
        if self._status.pid is not None:
            self._engine.suspect()

    def resumed(self) -> None:
        """The computer slept: have the devices of the model looked for, and the engine examined."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_again(), name="look after sleep")

    def learned(self, timings: Timings) -> None:
        """Take in what the engine measured of an answer; its next prediction is better."""
        if self.planned and self._parts.experience and timings.predicted_n:
            self._parts.experience.learned(self.planned.launch, self._status.binary, timings)

    def held(self) -> tuple[int, int]:
        """Bytes of the computer's memory and of its devices' that come free with the engine.

        In any thread; blocking.
        """
        pid, planned = self._status.pid, self.planned
        if pid is None or planned is None:
            return 0, 0
        return held_bytes(pid), planned.plan.estimate.device.total_bytes

    async def stop(self) -> None:
        """End the engine; returns when it is gone."""
        if self._parts.experience:
            await self._parts.experience.close()
        tasks = [task for task in (self._looking, self._falling, self._loading) if task]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._engine.stop()

    def _load_ended(self, load: asyncio.Task[None]) -> None:
        """What nobody foresaw must not look like loading for ever; who waits for it logs it."""
        error = None if load.cancelled() else load.exception()
        if error and load is self._loading:
            failure = RonyError(detail=repr(error)).failure()
            self._set(EngineStatus(EngineState.FAILED, self._status.model, failure=failure))
        elif load is self._loading and self._status.pid is not None:
            now = self._engine.status()
            if now.state is EngineState.FAILED:  # between its start and now, which nobody told
                self.engine_changed(now)

    async def _loaded(self) -> None:
        """Wait for the newest load; one that is given up for another does not count."""
        while loading := self._loading:
            await asyncio.wait([loading])
            if loading is self._loading:
                if loading.cancelled():
                    raise EngineStopped()
                loading.result()
                break

    async def _load(
        self, name: str, before: asyncio.Task[None] | None, pause: Pause | None
    ) -> None:
        if before:
            before.cancel()
            await asyncio.wait([before])
        known = name
        try:
            model = await asyncio.to_thread(self._choose, name)
            self.model, known = model, model.id
            self._set(EngineStatus(EngineState.LOADING, model=model.id))
            await self._engine.stop()
            if pause:
                await pause.last()
            await self._start(model)
        except RonyError as error:
            self._set(EngineStatus(EngineState.FAILED, model=known, failure=error.failure()))

    def _choose(self, name: str) -> ModelRef:
        if self._parts.remote and not name.startswith(f"{SCRIPTED}:"):
            return ModelRef(REMOTE, name or self._parts.remote[0])
        return self._parts.models.chosen(name)

    async def _start(self, model: ModelRef) -> None:
        self.planned = None
        if model.path:
            self._client = self._parts.client(self._engine.endpoint)
            await self._launch(model.path)
            return
        if model.provider == SCRIPTED:
            self._client = await asyncio.to_thread(self._parts.scripted, model.id)
        elif self._parts.remote:
            endpoint = self._parts.remote[1]
            self._client = self._parts.client(lambda: endpoint)
        self._set(EngineStatus(EngineState.READY, model=model.id))

    async def _launch(self, path: Path) -> None:
        self.planned = planned = await self._parts.launches.prepared(path)
        if not (planned.plan.fits or self._anyway):
            raise too_large(planned)
        await self._descend(path, planned)

    async def _descend(
        self, asked: Path, planned: PlannedLaunch, cause: RonyError | None = None
    ) -> None:
        """Start a launch; one that runs out of memory is tried with less, and so on.

        cause says that this one did already, and why.
        """
        launches, tried = self._parts.launches, planned
        while True:
            if cause:
                below = await launches.lowered(tried)
                if below is None:
                    raise cause
                self.planned = tried = below
            try:
                await start_below(self._engine, tried)
                break
            except (EngineOutOfMemory, EngineKilled) as error:
                cause = error
        if tried is not planned:
            with contextlib.suppress(StorageError):
                await launches.remember(asked, tried)
        if tried.rungs:
            self._feed.publish(Notice(lowered(asked, tried)))

    def _step_down(self, planned: PlannedLaunch, cause: RonyError) -> None:
        name = self.model.id if self.model else planned.launch.alias
        self._load_by(self._load_less(planned, cause, name), name)

    async def _load_less(self, planned: PlannedLaunch, cause: RonyError, name: str) -> None:
        """Go on with less than the launch that was too large while it ran."""
        asked = self.model.path if self.model and self.model.path else planned.model.path
        try:
            await self._descend(asked, await self._parts.launches.again(planned), cause)
        except RonyError as error:
            self._set(EngineStatus(EngineState.FAILED, model=name, failure=error.failure()))

    def _fall_asleep(self) -> None:
        self._falling = asyncio.create_task(self._stop_idle(), name="stop idle engine")

    async def _stop_idle(self) -> None:
        """Free the engine's memory, unless it is at work after all."""
        try:
            idle = await self._parts.slot_idle(self._engine.endpoint())
        except RonyError:  # it ended a moment ago
            return
        if self._status.state is not EngineState.READY:
            return
        if self.idle.in_use or not idle:
            self.idle.again()
            return
        self._asleep = True
        await self._engine.stop()

    async def _look_again(self) -> None:
        planned = self.planned
        if planned is None or self._status.pid is None:
            return
        lost: tuple[str, ...] = ()
        with contextlib.suppress(EngineError):  # the examination finds out more
            lost = await self._parts.launches.lost(planned)
        if self.planned is not planned or self._is_loading():
            return
        if not lost:
            self.suspect()
            return
        await asyncio.wait([self._begin(self._name or planned.launch.alias)])
        if self._status.state is EngineState.READY:
            gone = DeviceLost(device=", ".join(lost), model=planned.model.path.name)
            self._feed.publish(Notice(gone.failure()))

    def _failure(self) -> RonyError:
        failure = self._status.failure
        return failure.error() if failure else EngineStopped()

    def _set(self, status: EngineStatus) -> None:
        self._status = status
        self.idle.set_ready(status.state is EngineState.READY and status.pid is not None)
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        self._feed.publish(EngineChanged(status))
