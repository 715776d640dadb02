"""The composition root: the only place where ports meet their adapters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rony_desktop.agent.context import ContextBuilder
from rony_desktop.agent.limit import Limits
from rony_desktop.agent.llm import ClientLLM
from rony_desktop.agent.loop import Loop
from rony_desktop.agent.prompt import system_prompt
from rony_desktop.app.answer import Services
from rony_desktop.app.chat import ChatService
from rony_desktop.app.context import AppContext
from rony_desktop.app.feed import Feed
from rony_desktop.app.model import Models
from rony_desktop.app.runtime import Parts, Runtime
from rony_desktop.contract.config import Config
from rony_desktop.contract.engine import Endpoint, EngineStatus
from rony_desktop.contract.error import Failure, ModelFileError, PersonaError
from rony_desktop.contract.persona import Persona
from rony_desktop.engine.binary import find
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.health import slot_idle
from rony_desktop.engine.supervisor import ProcessSupervisor
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hardware import HardwareProbe
from rony_desktop.model.planner import ModelPlanner
from rony_desktop.provider.llamacpp import LlamaCppClient
from rony_desktop.provider.scripted import ScriptedClient
from rony_desktop.store.config import YamlConfigLoader
from rony_desktop.store.persona import YamlPersonaLoader
from rony_desktop.store.place import Place
from rony_desktop.store.session import FileSessionStore


def create_app(
    flags: Mapping[str, object] | None = None,
    *,
    trust: bool = False,
    place: Place | None = None,
    remote: tuple[str, Endpoint] | None = None,
) -> AppContext:
    """Build the program; nothing is started, written or sent. Blocks for the reading of files.

    flags are dotted keys that outrank every file. remote names the model and the endpoint of a
    running engine to use instead of one of our own.
    """
    place = place or Place.of()
    settings = YamlConfigLoader(place.config_file, flags=flags or {})
    loaded = settings.read(_folder(), trust=trust)
    config = loaded.config
    feed = Feed()
    models = Models(config, (place.models_dir, place.starter_dir), _can_chat)
    runtime = _runtime(config, place, models, feed, remote)
    store = FileSessionStore(place)
    persona, notices = _persona(config, place)
    loop = Loop(
        ClientLLM(runtime.client, config.provider.temperature),
        ContextBuilder(system_prompt(persona), persona.few_shot if persona else ()),
        Limits.of(config.limits, config.app),
    )
    return AppContext(
        place=place,
        config=config,
        notices=(*loaded.notices, *notices),
        sources=loaded.sources,
        settings=settings,
        feed=feed,
        store=store,
        models=models,
        runtime=runtime,
        loop=loop,
        chat=ChatService(Services(store, loop, runtime, feed), place.user),
    )


def _folder() -> Path | None:
    """The current folder, None where it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None


def _persona(config: Config, place: Place) -> tuple[Persona | None, tuple[Failure, ...]]:
    """The persona the configuration names; one that cannot be used is told and left out."""
    if not config.persona:
        return None, ()
    try:
        return YamlPersonaLoader(place.config_dir / "personas").named(config.persona), ()
    except PersonaError as error:
        return None, (error.failure(),)


def _can_chat(path: Path) -> bool:
    """Whether a file's header says that it is a chat model."""
    try:
        return bool(GgufMetadataReader().read(path).chat_template)
    except ModelFileError:
        return False


def _runtime(
    config: Config,
    place: Place,
    models: Models,
    feed: Feed,
    remote: tuple[str, Endpoint] | None,
) -> Runtime:
    """The runtime and its engine, which report to each other."""

    async def binary() -> Candidate:
        return await find(config.llama.binary_path, place.cache_dir)

    def changed(status: EngineStatus) -> None:
        runtime.engine_changed(status)

    if config.provider.base_url and remote is None:
        address = config.provider.base_url.rstrip("/").removesuffix("/v1")
        remote = config.model or address, Endpoint(address)
    parts = Parts(
        models=models,
        reader=GgufMetadataReader(),
        probe=HardwareProbe(),
        planner=ModelPlanner(config.llama),
        client=LlamaCppClient,
        scripted=lambda name: ScriptedClient.from_file(Path(name).expanduser()),
        slot_idle=slot_idle,
        remote=remote,
    )
    runtime = Runtime(parts, ProcessSupervisor(binary, place.run_dir, changed), feed)
    return runtime
