"""The agent primitives: an LLM in a loop, its system prompt, its tools."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rony_desktop.contract.error import Failure
from rony_desktop.contract.llm import Chunk, InferRequest, StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Message, ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.system import Section, SystemChange
from rony_desktop.contract.tool import ToolsChange, ToolSchema
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec

if TYPE_CHECKING:
    from rony_desktop.contract.event import TurnEvent


@dataclass(frozen=True, slots=True)
class Response:
    """The outcome of a turn. failure is set only where stop_reason is error."""

    content: str
    stop_reason: StopReason
    tool_calls: tuple[ToolCall, ...] = ()
    iterations: int = 0
    duration_s: float = 0.0
    usage: TokenUsage = TokenUsage()
    timings: Timings = Timings()
    failure: Failure | None = None
    model: str = ""


class LLM(Protocol):
    """Inference for an agent."""

    def infer(self, request: InferRequest) -> AsyncGenerator[Chunk, None]:
        """Stream chunks; the last has done set and carries the aggregated response."""
        ...

    async def input_limit(self) -> int:
        """Context window in tokens, 0 where it is not known."""
        ...


class Tool(Protocol):
    """One capability an agent can execute. Pure: no hooks, no permissions."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def description(self) -> str: ...  # noqa: D102
    def schema(self) -> ToolSchema: ...  # noqa: D102
    async def execute(self, context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        """Run with arguments that passed the schema. Raises RonyError."""
        ...


class Tools(Protocol):
    """A mutable collection of tools; all and schemas are sorted by name."""

    def get(self, name: str) -> ToolSpec | None: ...  # noqa: D102
    def all(self) -> tuple[ToolSpec, ...]: ...  # noqa: D102
    def add(self, tool: ToolSpec, caller: str) -> None: ...  # noqa: D102
    def remove(self, name: str, caller: str) -> None: ...  # noqa: D102
    def schemas(self) -> tuple[ToolSchema, ...]: ...  # noqa: D102
    def set_observer(self, observer: Callable[[ToolsChange], None]) -> None:
        """Attach the observer and replay what is there."""
        ...


class System(Protocol):
    """The composable, mutable system prompt."""

    def prompt(self) -> str: ...  # noqa: D102
    def use(self, section: Section, caller: str) -> None: ...  # noqa: D102
    def drop(self, name: str, caller: str) -> None: ...  # noqa: D102
    def refresh(self, name: str, caller: str) -> None: ...  # noqa: D102
    def sections(self) -> tuple[Section, ...]: ...  # noqa: D102
    def set_observer(self, observer: Callable[[SystemChange], None]) -> None:
        """Attach the observer and replay what is there."""
        ...


class Loop(Protocol):
    """One turn of a conversation: infer, run tools, until there is nothing left to run."""

    async def run(self, text: str, session: Session) -> Response:
        """Run a turn to its end."""
        ...

    def run_stream(self, text: str, session: Session) -> AsyncGenerator[TurnEvent, None]:
        """Run a turn as events; TurnFinished is the last one, cancellation aside."""
        ...


class Agent(Protocol):
    """San's agent: identity, channels, conversation, execution."""

    @property
    def id(self) -> str: ...  # noqa: D102
    def system(self) -> System: ...  # noqa: D102
    def tools(self) -> Tools: ...  # noqa: D102
    async def send(self, message: Message) -> None:
        """Put a message in the inbox; raises once the agent has ended."""
        ...

    def outbox(self) -> AsyncGenerator[TurnEvent, None]:
        """Events until run returns; one consumer."""
        ...

    def messages(self) -> tuple[Message, ...]: ...  # noqa: D102
    def set_messages(self, messages: tuple[Message, ...]) -> None: ...  # noqa: D102
    def append(self, message: Message) -> None: ...  # noqa: D102
    async def think_act(self) -> Response:
        """Run one turn over the messages; every outcome but a deliberate stop is a Response."""
        ...

    async def run(self) -> None:
        """Serve the inbox until it is closed or a stop signal arrives."""
        ...
