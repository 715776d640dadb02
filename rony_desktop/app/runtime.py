"""The model in use: chosen, planned, launched, watched, and reached through one client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from rony_desktop.app.experience import Experience
from rony_desktop.app.feed import Feed
from rony_desktop.app.model import SCRIPTED, Models
from rony_desktop.contract.engine import Endpoint, EngineState, EngineStatus, Launch
from rony_desktop.contract.error import EngineNotReady, EngineStopped, NotAChatModel, RonyError
from rony_desktop.contract.event import EngineChanged
from rony_desktop.contract.llm import Timings
from rony_desktop.contract.model import ModelMetadata, ModelRef
from rony_desktop.contract.plan import Wanted
from rony_desktop.contract.port import Engine, LLMClient, MetadataReader, SystemProbe
from rony_desktop.model.planner import ModelPlanner

READY_LIMIT_S = 300.0
IDLE_LIMIT_S = 5.0
IDLE_STEP_S = 0.02
REMOTE = "remote"
ENDED = (EngineState.STOPPED, EngineState.FAILED)


@dataclass(frozen=True, slots=True)
class Parts:
    """What Runtime works with; the factory makes them.

    remote is the model and endpoint of a server that already runs, None where the engine is ours.
    look has the engine say which devices it can use, before probe is asked, and gives its label.
    """

    models: Models
    reader: MetadataReader
    probe: SystemProbe
    planner: ModelPlanner
    client: Callable[[Callable[[], Endpoint]], LLMClient]
    scripted: Callable[[str], LLMClient]
    slot_idle: Callable[[Endpoint], Awaitable[bool | None]]
    remote: tuple[str, Endpoint] | None = None
    look: Callable[[], Awaitable[str]] | None = None
    experience: Experience | None = None


class Runtime:
    """Owns the engine. One model at a time; using another ends the one before."""

    def __init__(self, parts: Parts, engine: Engine, feed: Feed) -> None:
        self._parts = parts
        self._engine = engine
        self._feed = feed
        self._status = EngineStatus()
        self._changed = asyncio.Event()
        self._loading: asyncio.Task[None] | None = None
        self._name = ""
        self._client: LLMClient | None = None
        self._launch: Launch | None = None
        self.model: ModelRef | None = None

    def status(self) -> EngineStatus:
        """Where the model in use is."""
        return self._status

    def engine_changed(self, status: EngineStatus) -> None:
        """Take in what the supervisor reports."""
        self._set(replace(status, model=status.model or self._status.model))

    def client(self) -> LLMClient:
        """The client of the model in use.

        Raises:
            EngineStopped: no model is in use.
        """
        if self._client is None:
            raise EngineStopped()
        return self._client

    def use(self, name: str = "") -> asyncio.Task[None]:
        """Load the model of that name, else the chosen one, in the background.

        What goes wrong becomes the status' failure; await ready() to have it raised.
        """
        self._name = name
        before = self._loading
        self._set(EngineStatus(EngineState.LOADING, model=name))
        self._loading = asyncio.create_task(self._load(name, before), name="load model")
        self._loading.add_done_callback(self._load_ended)
        return self._loading

    async def ready(self) -> None:
        """Return when the model can answer; one that failed is tried again.

        Raises:
            ModelFileError: there is no model, or its file cannot be used.
            EngineError: the engine did not come up.
        """
        if self._loading is None or (self._loading.done() and self._status.state in ENDED):
            self.use(self._name)
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

    def learned(self, timings: Timings) -> None:
        """Take in what the engine measured of an answer; its next prediction is better."""
        if self._launch and self._parts.experience and timings.predicted_n:
            self._parts.experience.learned(self._launch, self._status.binary, timings)

    async def stop(self) -> None:
        """End the engine; returns when it is gone."""
        if self._parts.experience:
            await self._parts.experience.close()
        if self._loading:
            self._loading.cancel()
            await asyncio.wait([self._loading])
        await self._engine.stop()

    def _load_ended(self, load: asyncio.Task[None]) -> None:
        """What nobody foresaw must not look like loading for ever; who waits for it logs it."""
        error = None if load.cancelled() else load.exception()
        if error and load is self._loading:
            failure = RonyError(detail=repr(error)).failure()
            self._set(EngineStatus(EngineState.FAILED, self._status.model, failure=failure))

    async def _loaded(self) -> None:
        """Wait for the newest load; one that is given up for another does not count."""
        while loading := self._loading:
            await asyncio.wait([loading])
            if loading is self._loading:
                if loading.cancelled():
                    raise EngineStopped()
                loading.result()
                break

    async def _load(self, name: str, before: asyncio.Task[None] | None) -> None:
        if before:
            before.cancel()
            await asyncio.wait([before])
        known = name
        try:
            model = await asyncio.to_thread(self._choose, name)
            self.model, known = model, model.id
            self._set(EngineStatus(EngineState.LOADING, model=model.id))
            await self._engine.stop()
            await self._start(model)
        except RonyError as error:
            self._set(EngineStatus(EngineState.FAILED, model=known, failure=error.failure()))

    def _choose(self, name: str) -> ModelRef:
        if self._parts.remote and not name.startswith(f"{SCRIPTED}:"):
            return ModelRef(REMOTE, name or self._parts.remote[0])
        return self._parts.models.chosen(name)

    async def _start(self, model: ModelRef) -> None:
        if model.path:
            self._launch = launch = await self._planned(model.path)
            self._client = self._parts.client(self._engine.endpoint)
            await self._engine.start(launch)
            return
        self._launch = None
        if model.provider == SCRIPTED:
            self._client = await asyncio.to_thread(self._parts.scripted, model.id)
        elif self._parts.remote:
            endpoint = self._parts.remote[1]
            self._client = self._parts.client(lambda: endpoint)
        self._set(EngineStatus(EngineState.READY, model=model.id))

    def _read(self, path: Path) -> ModelMetadata:
        """Read the file's header. Blocking."""
        metadata = self._parts.reader.read(path)
        if not metadata.chat_template:
            raise NotAChatModel(path=path.name)
        return metadata

    async def _planned(self, path: Path) -> Launch:
        """The launch of a file for the memory that is free now, tuned where it was tuned."""
        parts = self._parts
        metadata = await asyncio.to_thread(self._read, path)
        build = await parts.look() if parts.look else ""
        machine = await asyncio.to_thread(parts.probe.detect)
        plan = await asyncio.to_thread(parts.planner.plan, metadata, machine, Wanted(parallel=1))
        if parts.experience is None:
            return plan.launch
        return await parts.experience.tuned(metadata, machine, build, plan.launch)

    def _failure(self) -> RonyError:
        failure = self._status.failure
        return failure.error() if failure else EngineStopped()

    def _set(self, status: EngineStatus) -> None:
        self._status = status
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        self._feed.publish(EngineChanged(status))
