"""The composition root: the only place where ports meet their adapters."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from rony_desktop.agent.llm import ClientLLM
from rony_desktop.agent.loop import Loop
from rony_desktop.app.answer import Services
from rony_desktop.app.approval import Approvals
from rony_desktop.app.base import Base
from rony_desktop.app.bench import BenchService
from rony_desktop.app.budget import budget, monitor_of
from rony_desktop.app.chat import ChatService
from rony_desktop.app.context import AppContext
from rony_desktop.app.device import Devices
from rony_desktop.app.engine import Engines
from rony_desktop.app.examine import ModelCheckService
from rony_desktop.app.experience import Experience
from rony_desktop.app.feed import Feed
from rony_desktop.app.folder import FolderService
from rony_desktop.app.grant import GrantService
from rony_desktop.app.header import Headers
from rony_desktop.app.launch import LaunchParts, LaunchService
from rony_desktop.app.model import Models
from rony_desktop.app.pressure import PressureWatch
from rony_desktop.app.runtime import Parts, Runtime
from rony_desktop.app.stock import Stock
from rony_desktop.app.tool import Frames, Toolbox, built_in
from rony_desktop.app.workspace import Workspaces
from rony_desktop.contract.config import Config
from rony_desktop.contract.engine import Endpoint, EngineStatus
from rony_desktop.contract.error import ModelFileError
from rony_desktop.contract.event import ToolProgress
from rony_desktop.contract.port import Approver, Engine
from rony_desktop.engine.fleet import CHAT, CHECK, Fleet
from rony_desktop.engine.health import slot_idle
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.engine.timing import Timing
from rony_desktop.memory.result import ArtifactResultStore
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.provider.llamacpp import LlamaCppClient
from rony_desktop.provider.scripted import ScriptedClient
from rony_desktop.store.artifact import FileArtifactStore
from rony_desktop.store.config import YamlConfigLoader
from rony_desktop.store.persona import YamlPersonaLoader
from rony_desktop.store.place import Place
from rony_desktop.store.record import FileRecordStore
from rony_desktop.store.session import FileSessionStore
from rony_desktop.tool.approval import ApprovalGate
from rony_desktop.tool.executor import Executor
from rony_desktop.tool.output import Output
from rony_desktop.tool.policy import ConfigPolicy

Observe = Callable[[str, ToolProgress], Awaitable[None]]


def create_app(
    flags: Mapping[str, object] | None = None,
    *,
    trust: bool = False,
    place: Place | None = None,
    remote: tuple[str, Endpoint] | None = None,
    approver: Approver | None = None,
) -> AppContext:
    """Build the program; nothing is started, written or sent. Blocks for the reading of files.

    flags are dotted keys that outrank every file; remote is the model and endpoint of a running
    engine to use. Without approver, which answers what would ask the user, the window has to.
    """
    place = place or Place.of()
    settings = YamlConfigLoader(place.config_file, flags=flags or {})
    loaded, feed = settings.read(_folder(), trust=trust), Feed()
    config, store = loaded.config, FileSessionStore(place)
    base = _base(config, place, feed)
    benches, checks = _benches(base, remote)
    artifacts = FileArtifactStore(place.artifacts_dir)
    workspaces = Workspaces(base.records, place.config_dir, (place.data_dir,))
    approvals = Approvals(lambda request: chat.ask(request))  # noqa: PLW0108
    gate = ApprovalGate(approver or approvals, base.records)
    observe: Observe = lambda session, step: chat.note(session, step)  # noqa: E731, PLW0108
    toolbox, executor = _tools(config, artifacts, gate, workspaces, observe)
    frames = Frames(loaded, settings, _personas(place), toolbox, workspaces, feed)
    llm = ClientLLM(benches.runtime.client, config.provider.temperature, checks.mode)
    loop = Loop(llm, frames.frame, executor)
    services = Services(store, loop, benches.runtime, feed, frames)
    chat = ChatService(services, place.user, str(config.sandbox.workspace or ""))
    return AppContext(
        base=base,
        notices=(*loaded.notices, *frames.notices, *toolbox.unknown()),
        sources=loaded.sources,
        settings=settings,
        store=store,
        artifacts=artifacts,
        benches=benches,
        stock=Stock(base, benches.launches),
        checks=checks,
        loop=loop,
        chat=chat,
        workspaces=workspaces,
        folders=FolderService(chat, workspaces, frames, benches.runtime),
        approvals=approvals,
        grants=GrantService(gate, store),
    )


def _base(config: Config, place: Place, feed: Feed) -> Base:
    records = FileRecordStore(place.records_dir)
    return Base(
        config=config,
        place=place,
        models=Models(config, (place.models_dir, place.starter_dir), _can_chat),
        records=records,
        feed=feed,
        # Launches and speeds ask for the same files.
        reader=Headers(GgufMetadataReader()),
        engines=Engines(config.llama, place, records),
    )


def _tools(
    config: Config,
    artifacts: FileArtifactStore,
    gate: ApprovalGate,
    workspaces: Workspaces,
    observe: Observe,
) -> tuple[Toolbox, Executor]:
    """The tools, and what runs them."""
    results = ArtifactResultStore(artifacts)
    most_bytes = config.limits.max_tool_output_bytes
    inline_limit = min(config.app.tool_result_inline_limit, most_bytes)
    policy = ConfigPolicy(config.tools.permissions)
    toolbox = Toolbox(built_in(results, inline_limit), policy, config)
    executor = Executor(
        tools=toolbox.offered,
        policy=policy,
        gate=gate,
        output=Output(results, inline_limit, most_bytes),
        sandbox_of=workspaces.sandbox,
        observe=observe,
        timeout_s=config.limits.tool_timeout_s,
    )
    return toolbox, executor


def _folder() -> Path | None:
    """The current folder, None where it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None


def _personas(place: Place) -> YamlPersonaLoader:
    return YamlPersonaLoader(place.config_dir / "personas")


def _can_chat(path: Path) -> bool:
    """Whether a file's header says that it is a chat model."""
    try:
        return bool(GgufMetadataReader().read(path).chat_template)
    except ModelFileError:
        return False


def _benches(
    base: Base, remote: tuple[str, Endpoint] | None
) -> tuple[BenchService, ModelCheckService]:
    """The runtime and its engine, which report to each other; what measures and checks models."""
    config = base.config
    if config.provider.base_url and remote is None:
        address = config.provider.base_url.rstrip("/").removesuffix("/v1")
        remote = config.model or address, Endpoint(address)
    devices = Devices(base.engines.find, base.place.cache_dir, config.llama.rpc_workers)
    experience, launches = _launches(base, devices)
    parts = Parts(
        models=base.models,
        launches=launches,
        client=LlamaCppClient,
        scripted=lambda name: ScriptedClient.from_file(Path(name).expanduser()),
        slot_idle=slot_idle,
        remote=remote,
        experience=experience,
        idle_stop_s=60 * config.llama.idle_stop_minutes,
    )
    fleet = _fleet(base, lambda: runtime)
    runtime = Runtime(parts, fleet.engine(CHAT), base.feed)
    launches.held = budget(fleet, CHAT, runtime.held)
    checks = ModelCheckService(
        runtime=runtime,
        launches=launches,
        devices=devices,
        reader=base.reader,
        records=base.records,
        engine=lambda: fleet.engine(CHECK),
    )
    return BenchService(runtime, launches, base.records, experience, fleet), checks


def _fleet(base: Base, runtime: Callable[[], Runtime]) -> Fleet:
    """The engines; that of the chats reports to the runtime, which is made after it."""
    binary, run_dir = base.engines.find, base.place.run_dir

    def changed(status: EngineStatus) -> None:
        runtime().engine_changed(status)

    def made(role: str) -> Engine:
        if role != CHAT:
            # What ends an engine that is only tried ends it again.
            timing = Timing(failed_starts=1) if role == CHECK else None
            return ProcessSupervisor(binary, run_dir, role=role, timing=timing)
        chat = ProcessSupervisor(binary, run_dir, changed)
        pressure = PressureWatch(monitor_of(fleet), base.config.llama.os_reserve_mb)
        chat.oversight = Oversight(pressure.beat, pressure.again, lambda: runtime().resumed())
        return chat

    fleet = Fleet(made)
    return fleet


def _launches(base: Base, devices: Devices) -> tuple[Experience, LaunchService]:
    """What plans launches, and what earlier runs taught it."""
    probe = HardwareProbe(list_devices=devices.text)
    experience = Experience(base.records, base.reader, probe)
    parts = LaunchParts(
        reader=base.reader,
        probe=probe,
        devices=devices,
        config=base.config.llama,
        records=base.records,
        experience=experience,
        models=base.models.list,
    )
    return experience, LaunchService(parts)
