"""What is asked of a language model and what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from rony_desktop.contract.message import Message, ToolCall
from rony_desktop.contract.tool import ToolSchema


class StopReason(StrEnum):
    """Why a completion or a turn ended. A turn ends only with a member of TURN_REASONS."""

    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    STOP_SEQUENCE = "stop_sequence"
    MAX_STEPS = "max_steps"
    MAX_ITERATIONS = "max_iterations_exceeded"
    TOKEN_CAP = "token_cap"  # noqa: S105 - no password
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    PARSE_ERRORS = "parse_errors"
    REPEATED_CALL = "repeated_call"
    UNABLE = "unable"
    MAX_OUTPUT_RECOVERY_EXHAUSTED = "max_output_recovery_exhausted"
    ERROR = "error"


TURN_REASONS = frozenset(StopReason) - {
    StopReason.TOOL_USE,
    StopReason.MAX_TOKENS,
    StopReason.STOP_SEQUENCE,
}


@dataclass(frozen=True, slots=True)
class ToolRef:
    """Forces one tool by name."""

    name: str


ToolChoice = Literal["auto", "required", "none"] | ToolRef


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one or more requests. cached_tokens is the part of input_tokens not re-read."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: TokenUsage) -> TokenUsage:
        """Add usage over the requests of a turn."""
        return TokenUsage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True)
class Timings:
    """What the engine measured of one request, times in milliseconds.

    prompt_n counts tokens really read (prefill), cache_n those found in the KV cache.
    """

    cache_n: int = 0
    prompt_n: int = 0
    prompt_ms: float = 0.0
    predicted_n: int = 0
    predicted_ms: float = 0.0

    @property
    def prefill_tokens_per_s(self) -> float:
        """Prefill speed, 0 where nothing was read."""
        return self.prompt_n * 1000.0 / self.prompt_ms if self.prompt_ms else 0.0

    @property
    def decode_tokens_per_s(self) -> float:
        """Decode speed, 0 where nothing was generated."""
        return self.predicted_n * 1000.0 / self.predicted_ms if self.predicted_ms else 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far prefill is, in tokens of the prompt; cached ones count as processed."""

    total: int
    cached: int
    processed: int
    elapsed_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class ProviderCapabilities:
    """What a model behind a provider can do. max_context_window is in tokens, 0 = unknown."""

    supports_tools: bool = False
    supports_vision: bool = False
    supports_json: bool = False
    max_context_window: int = 0


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One request to a language model; model "" means the provider's own."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: ToolChoice = "auto"
    model: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompletionResponse:
    """One whole answer, aggregated from its stream."""

    id: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: TokenUsage = TokenUsage()
    stop_reason: StopReason = StopReason.END_TURN
    thinking: str = ""
    timings: Timings = Timings()
    model: str = ""


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A piece of a tool call; pieces with one index belong together, arguments concatenate."""

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class StreamChunk:
    """One piece of a stream. finish_reason, usage and timings come on the last chunks only."""

    delta: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolCallDelta, ...] = ()
    finish_reason: StopReason | None = None
    usage: TokenUsage | None = None
    timings: Timings | None = None
    progress: Progress | None = None
    id: str = ""
    model: str = ""


def collected(chunks: Iterable[StreamChunk]) -> CompletionResponse:
    """Add up the chunks of a stream into one answer; calls come in the order of their index."""
    text: list[str] = []
    thinking: list[str] = []
    calls: dict[int, ToolCall] = {}
    last = StreamChunk()
    for chunk in chunks:
        text.append(chunk.delta)
        thinking.append(chunk.thinking)
        for piece in chunk.tool_calls:
            old = calls.get(piece.index, ToolCall("", "", ""))
            calls[piece.index] = ToolCall(
                old.id or piece.id, old.name or piece.name, old.arguments + piece.arguments
            )
        last = StreamChunk(
            finish_reason=chunk.finish_reason or last.finish_reason,
            usage=chunk.usage or last.usage,
            timings=chunk.timings or last.timings,
            id=chunk.id or last.id,
            model=chunk.model or last.model,
        )
    return CompletionResponse(
        id=last.id,
        content="".join(text),
        tool_calls=tuple(calls[index] for index in sorted(calls)),
        usage=last.usage or TokenUsage(),
        stop_reason=last.finish_reason or StopReason.END_TURN,
        thinking="".join(thinking),
        timings=last.timings or Timings(),
        model=last.model,
    )


@dataclass(frozen=True, slots=True)
class InferRequest:
    """What an agent asks: system text, history and tool schemas."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of an inference; the last has done set and carries the response."""

    text: str = ""
    thinking: str = ""
    progress: Progress | None = None
    done: bool = False
    response: CompletionResponse | None = None
