"""Every setting with its default, written once here. Names are the seeds'.

A setting that is read and changes nothing yet says so in its description.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from rony_desktop.contract.tool import Permission


class Section(BaseModel):
    """A part of the configuration: unknown keys are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OptimizationMode(StrEnum):
    """What a launch plan favours."""

    BALANCED = "balanced"
    SPEED = "speed"
    CONTEXT = "context"
    SMALL = "small"


class ProviderConfig(Section):
    """Where answers come from; base_url reaches a server that already runs."""

    name: Literal["llamacpp", "scripted"] = Field(
        "llamacpp", description="Provider of the model (not used yet)"
    )
    base_url: str = Field("", description="Address of a running llama-server; empty: our own")
    temperature: Annotated[float, Field(ge=0, le=2)] | None = Field(
        None, description="Randomness of answers, 0 is none; empty: the server's own"
    )


class ToolPolicy(Section):
    """Permissions by tool name."""

    permissions: dict[str, Permission] = Field(
        {}, description="allow, ask or deny by tool name; what changes files asks at least"
    )


class LoggingConfig(Section):
    """What is written to logs/."""

    level: Literal["debug", "info", "warning", "error"] = Field("info", description="Log level")


class SandboxConfig(Section):
    """Where tools may work."""

    workspace: Path | None = Field(None, description="Folder a new chat works in")


class MainModel(Section):
    """The chat model."""

    path: Path | None = Field(None, description="GGUF file; empty: the model chosen in the window")
    port: Annotated[int, Field(ge=1, le=65535)] = Field(
        8080, description="Loopback port, used only where it is set; else a private socket"
    )
    ctx_size: Annotated[int, Field(ge=256, le=16_777_216)] | None = Field(
        None, description="Context window in tokens, at most the model's own; empty: chosen"
    )


class LlamaModels(Section):
    """Models by role."""

    main: MainModel = MainModel()


class LlamaConfig(Section):
    """The local engine."""

    binary_path: Path | None = Field(None, description="llama-server to use before any other")
    engine: str = Field(
        "", description="Installed engine build, as b9860-vulkan; empty: the one chosen by use"
    )
    releases_url: str = Field(
        "", description="Address of the list of engine releases; empty: llama.cpp's own"
    )
    models_dirs: tuple[Path, ...] = Field(
        (), description="Folders with models, beside the program's own"
    )
    models: LlamaModels = LlamaModels()
    optimization_mode: OptimizationMode = Field(
        OptimizationMode.BALANCED, description="What the launch plan favours"
    )
    os_reserve_mb: Annotated[int, Field(ge=0)] = Field(
        4096, description="Memory left to the system, MiB"
    )
    idle_stop_minutes: Annotated[int, Field(ge=0)] = Field(
        60, description="Minutes without a question until the engine frees its memory; 0: never"
    )
    rpc_workers: tuple[Annotated[str, Field(pattern=r"^[^\s,]+:\d{1,5}$")], ...] = Field(
        (),
        description="Machines (host:port) with llama.cpp's rpc-server that hold a part of the"
        " model; neither encrypted nor protected: only on a network you trust",
    )
    disk_reserve_mb: Annotated[int, Field(ge=0)] = Field(
        4096, description="Disk space left free by downloads; less: the doctor warns, MiB"
    )


class HubConfig(Section):
    """Where models are found and downloaded; the token is taken from HF_TOKEN."""

    endpoint: str = Field("", description="Address of the hub; empty: HF_ENDPOINT, else its own")
    mirror: str = Field("", description="Address files are taken from instead; gets no token")
    parallel: Annotated[int, Field(ge=1, le=8)] = Field(2, description="Downloads at once")


class NetworkConfig(Section):
    """How other machines are reached."""

    offline: bool = Field(
        False, description="Contact no other machine, so that no model can be found or downloaded"
    )
    proxy: str = Field("", description="Proxy (http://host:port); empty: the system's")
    ca_file: Path | None = Field(None, description="Certificates (PEM) trusted beside the system's")


class AppConfig(Section):
    """Limits of a conversation."""

    history_limit: Annotated[int, Field(ge=2)] = Field(
        12, description="Messages kept as they are when a chat is compacted (not used yet)"
    )
    max_steps: Annotated[int, Field(ge=1)] = Field(20, description="Steps of one turn")
    context_token_budget: Annotated[int, Field(ge=256)] = Field(
        6000, description="Prompt budget in tokens (not used yet)"
    )
    tool_result_inline_limit: Annotated[int, Field(ge=256)] = Field(
        6144, description="Bytes of a tool result kept inline; larger ones are stored"
    )
    max_parse_errors: Annotated[int, Field(ge=1)] = Field(
        5, description="Unreadable tool calls in a row that end a turn"
    )


class LimitConfig(Section):
    """Hard limits of the loop."""

    max_iterations: Annotated[int, Field(ge=1)] = Field(50, description="Cycles of one turn")
    max_tokens_per_session: Annotated[int, Field(ge=1)] = Field(
        1_000_000, description="Tokens of one chat"
    )
    max_tool_output_bytes: Annotated[int, Field(ge=1024)] = Field(
        51_200, description="Largest tool output the model is shown, bytes"
    )
    tool_timeout_s: Annotated[float, Field(gt=0)] = Field(
        30.0, description="Time of one tool, the user's answer aside"
    )
    turn_timeout_s: Annotated[float, Field(gt=0)] = Field(600.0, description="Time of one turn")


class AgentConfig(Section):
    """One named agent."""

    tools: tuple[str, ...] = Field((), description="Names of its tools; empty: all")


class Config(Section):
    """Everything that affects behaviour."""

    model: str = Field("", description="Model: an id, a path, or provider:model")
    persona: str = Field("", description="Persona: the name of its file; empty: none")
    provider: ProviderConfig = ProviderConfig()
    tools: ToolPolicy = ToolPolicy()
    logging: LoggingConfig = LoggingConfig()
    sandbox: SandboxConfig = SandboxConfig()
    llama: LlamaConfig = LlamaConfig()
    hub: HubConfig = HubConfig()
    network: NetworkConfig = NetworkConfig()
    workspace: Path | None = Field(None, description="Root of stored skills (not used yet)")
    app: AppConfig = AppConfig()
    limits: LimitConfig = LimitConfig()
    agents: dict[str, AgentConfig] = Field(
        {"assistant": AgentConfig()}, description="Agents by name; assistant answers in chats"
    )


def is_set(section: Section, field: str) -> bool:
    """Whether a value was given anywhere, rather than taken from the defaults."""
    return field in section.model_fields_set
