"""The composition root: the only place where ports meet their adapters."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from rony_desktop.agent.llm import ClientLLM
from rony_desktop.agent.loop import Loop
from rony_desktop.app.answer import Services
from rony_desktop.app.approval import Approvals
from rony_desktop.app.bench import BenchService
from rony_desktop.app.budget import budget, monitor_of
from rony_desktop.app.chat import ChatService
from rony_desktop.app.context import AppContext
from rony_desktop.app.device import Devices
from rony_desktop.app.engine import Engines
from rony_desktop.app.experience import Experience
from rony_desktop.app.feed import Feed
from rony_desktop.app.folder import FolderService
from rony_desktop.app.grant import GrantService
from rony_desktop.app.header import Headers
from rony_desktop.app.launch import LaunchParts, LaunchService
from rony_desktop.app.model import Models
from rony_desktop.app.pressure import PressureWatch
from rony_desktop.app.runtime import Parts, Runtime
from rony_desktop.app.tool import Frames, Toolbox, built_in
from rony_desktop.app.workspace import Workspaces
from rony_desktop.contract.config import Config
from rony_desktop.contract.engine import Endpoint, EngineStatus
from rony_desktop.contract.error import ModelFileError
from rony_desktop.contract.event import ToolProgress
from rony_desktop.contract.port import Approver, Engine
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.fleet import CHAT, Fleet
from rony_desktop.engine.health import slot_idle
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.supervisor import ProcessSupervisor
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
    config = loaded.config
    models = Models(config, (place.models_dir, place.starter_dir), _can_chat)
    store, records = FileSessionStore(place), FileRecordStore(place.records_dir)
    benches = _engines(config, place, models, feed, remote, records)
    artifacts = FileArtifactStore(place.artifacts_dir)
    workspaces = Workspaces(records, place.config_dir, (place.data_dir,))
    approvals = Approvals(lambda request: chat.ask(request))  # noqa: PLW0108
    gate = ApprovalGate(approver or approvals, records)
    observe: Observe = lambda session, step: chat.note(session, step)  # noqa: E731, PLW0108
    toolbox, executor = _tools(config, artifacts, gate, workspaces, observe)
    frames = Frames(loaded, settings, _personas(place), toolbox, workspaces, feed)
    llm = ClientLLM(benches.runtime.client, config.provider.temperature)
    loop = Loop(llm, frames.frame, executor)
    folder = str(config.sandbox.workspace or "")
    chat = ChatService(Services(store, loop, benches.runtime, feed, frames), place.user, folder)
    return AppContext(
        place=place,
        config=config,
        notices=(*loaded.notices, *frames.notices, *toolbox.unknown()),
        sources=loaded.sources,
        settings=settings,
        feed=feed,
        store=store,
        records=records,
        artifacts=artifacts,
        models=models,
        benches=benches,
        loop=loop,
        chat=chat,
        workspaces=workspaces,
        folders=FolderService(chat, workspaces, frames, benches.runtime),
        approvals=approvals,
        grants=GrantService(gate, store),
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


def _engines(
    config: Config,
    place: Place,
    models: Models,
    feed: Feed,
    remote: tuple[str, Endpoint] | None,
    records: FileRecordStore,
) -> BenchService:
    """The runtime and its engine, which report to each other, and what measures them."""
    binary = Engines(config.llama, place, records).find

    if config.provider.base_url and remote is None:
        address = config.provider.base_url.rstrip("/").removesuffix("/v1")
        remote = config.model or address, Endpoint(address)
    devices = Devices(binary, place.cache_dir, config.llama.rpc_workers)
    experience, launches = _launches(config, models, records, devices)
    parts = Parts(
        models=models,
        launches=launches,
        client=LlamaCppClient,
        scripted=lambda name: ScriptedClient.from_file(Path(name).expanduser()),
        slot_idle=slot_idle,
        remote=remote,
        experience=experience,
        idle_stop_s=60 * config.llama.idle_stop_minutes,
    )
    fleet = _fleet(binary, place.run_dir, config.llama.os_reserve_mb, lambda: runtime)
    runtime = Runtime(parts, fleet.engine(CHAT), feed)
    launches.held = budget(fleet, CHAT, runtime.held)
    return BenchService(runtime, launches, records, experience, fleet)


def _fleet(
    binary: Callable[[], Awaitable[Candidate]],
    run_dir: Path,
    reserve_mb: int,
    runtime: Callable[[], Runtime],
) -> Fleet:
    """The engines; that of the chats reports to the runtime, which is made after it."""

    def changed(status: EngineStatus) -> None:
        runtime().engine_changed(status)

    def made(role: str) -> Engine:
        if role != CHAT:
            return ProcessSupervisor(binary, run_dir, role=role)
        chat = ProcessSupervisor(binary, run_dir, changed)
        pressure = PressureWatch(monitor_of(fleet), reserve_mb)
        chat.oversight = Oversight(pressure.beat, pressure.again, lambda: runtime().resumed())
        return chat

    fleet = Fleet(made)
    return fleet


def _launches(
    config: Config, models: Models, records: FileRecordStore, devices: Devices
) -> tuple[Experience, LaunchService]:
    """What plans launches, and what earlier runs taught it."""
    # Launches and speeds ask for the same files.
    reader = Headers(GgufMetadataReader())
    probe = HardwareProbe(list_devices=devices.text)
    experience = Experience(records, reader, probe)
    parts = LaunchParts(
        reader=reader,
        probe=probe,
        devices=devices,
        config=config.llama,
        records=records,
        experience=experience,
        models=models.list,
    )
    return experience, LaunchService(parts)
