"""The tools of a chat: which there are, which it is offered, and what surrounds its turns."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.agent.context import Frame
from rony_desktop.agent.limit import Limits
from rony_desktop.agent.prompt import system_prompt
from rony_desktop.app.feed import Feed
from rony_desktop.app.workspace import BROUGHT, Brought, TrustState, Workspaces
from rony_desktop.contract.config import AgentConfig, Config
from rony_desktop.contract.error import ConfigValue, Failure, PersonaError
from rony_desktop.contract.event import Notice, TrustNeeded
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.persona import Persona
from rony_desktop.contract.port import ResultStore
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool_spec import PermissionPolicy, ToolSpec
from rony_desktop.store.config import Loaded, YamlConfigLoader
from rony_desktop.store.persona import YamlPersonaLoader
from rony_desktop.tool.builtin.edit import edit_tools
from rony_desktop.tool.builtin.file import file_tools
from rony_desktop.tool.builtin.output import output_tools
from rony_desktop.tool.builtin.recovery import recovery_tools
from rony_desktop.tool.builtin.search import search_tools
from rony_desktop.tool.builtin.session import session_tools
from rony_desktop.tool.output import unwrapped
from rony_desktop.tool.registry import ToolRegistry

ASSISTANT = "assistant"


def built_in(results: ResultStore, inline_limit: int) -> ToolRegistry:
    """A registry of the tools that come with the program."""
    registry = ToolRegistry()
    for tool in (
        *file_tools(inline_limit),
        *edit_tools(),
        *search_tools(inline_limit),
        *output_tools(results, inline_limit),
        *session_tools(inline_limit),
        *recovery_tools(),
    ):
        registry.register(tool)
    return registry


class Toolbox:
    """Which of the registered tools a chat is offered: all that agents.assistant.tools names.

    Without a folder there are none: a chat that only talks keeps its context for talking.
    """

    def __init__(self, registry: ToolRegistry, policy: PermissionPolicy, config: Config) -> None:
        self._registry = registry
        self._policy = policy
        self._names = config.agents.get(ASSISTANT, AgentConfig()).tools

    def offered(self, session: Session) -> tuple[ToolSpec, ...]:
        """The tools of a chat, sorted by name."""
        if not session.folder:
            return ()
        tools = self._registry.filter(self._policy)
        return tuple(tool for tool in tools if not self._names or tool.name in self._names)

    def unknown(self) -> tuple[Failure, ...]:
        """Names in the configuration that are no tool."""
        known = [tool.name for tool in self._registry.all()]
        expected = f"one of: {', '.join(known)}"
        key = f"agents.{ASSISTANT}.tools"
        return tuple(
            ConfigValue(key=key, file="the configuration", value=name, expected=expected).failure()
            for name in self._names
            if name not in known
        )


@dataclass(frozen=True, slots=True)
class _Held:
    """A frame's parts as they were read; digest is of the files they were read from."""

    digest: str
    frame: Frame
    model: str = ""


class Frames:
    """What surrounds a chat's turns, held between them so that the prompt's prefix stays."""

    def __init__(
        self,
        loaded: Loaded,
        settings: YamlConfigLoader,
        personas: YamlPersonaLoader,
        toolbox: Toolbox,
        workspaces: Workspaces,
        feed: Feed,
    ) -> None:
        self._settings = settings
        self._personas = personas
        self._toolbox = toolbox
        self._workspaces = workspaces
        self._feed = feed
        self._held: dict[str, _Held] = {}
        self.notices: list[Failure] = []
        self._plain = self._frame(loaded.config, "", self.notices)

    async def prepare(self, session: Session) -> None:
        """Read what a chat's folder brings along; what is not trusted is not used.

        Raises:
            WorkspaceMissing: the folder cannot be opened.
        """
        if not session.folder:
            return
        brought = await self._workspaces.brought(session.folder)
        if brought.state is TrustState.UNKNOWN:
            self._feed.publish(TrustNeeded(session.folder))
        used = brought if brought.state is TrustState.TRUSTED else Brought(session.folder)
        held = self._held.get(session.folder)
        if held is None or held.digest != used.digest:
            await self._read(used)

    async def model_of(self, folder: str) -> str:
        """The model a trusted folder asks for, "" where it asks for none."""
        await self.prepare(Session("", folder=folder))
        return self._held[folder].model

    def frame(self, session: Session) -> Frame:
        """The frame of a chat whose folder was prepared."""
        held = self._held.get(session.folder)
        frame = held.frame if held else self._plain
        tools = self._toolbox.offered(session)
        return Frame(frame.system, frame.limits, frame.few_shot, tools)

    async def _read(self, brought: Brought) -> None:
        notices: list[Failure] = []
        held = await asyncio.to_thread(self._build, brought, notices)
        self._held[brought.folder] = held
        for failure in notices:
            self._feed.publish(Notice(failure))

    def _build(self, brought: Brought, notices: list[Failure]) -> _Held:
        settings, instructions = (brought.files.get(name, "") for name in BROUGHT)
        folder = Path(brought.folder)
        loaded = self._settings.read(folder, trusted=settings)
        if settings:
            notices += loaded.notices
        here = loaded.sources.get("model") == str(folder / BROUGHT[0])
        frame = self._frame(loaded.config, instructions, notices, tools=True)
        return _Held(brought.digest, frame, loaded.config.model if here else "")

    def _frame(
        self, config: Config, instructions: str, notices: list[Failure], *, tools: bool = False
    ) -> Frame:
        persona = self._persona(config.persona, notices)
        return Frame(
            system_prompt(persona, instructions, tools=tools),
            Limits.of(config.limits, config.app),
            persona.few_shot if persona else (),
        )

    def _persona(self, name: str, notices: list[Failure]) -> Persona | None:
        """The persona of that name; one that cannot be used is told and left out."""
        try:
            return self._personas.named(name) if name else None
        except PersonaError as error:
            notices.append(error.failure())
            return None


def plain_result(result: ToolResult) -> str:
    """A result as a person reads it, without the wrapping that marks it as data for the model."""
    return unwrapped(result.content)
