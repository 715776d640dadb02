"""What is asked of a language model and what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from io import StringIO
from typing import Any, Literal

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
    """One request to a language model; model "" means the provider's own.

    response_schema makes the answer JSON of that schema; it is not used together with tools. thinks
    False asks a model that can think first to answer at once.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    tool_choice: ToolChoice = "auto"
    model: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    response_schema: Mapping[str, Any] | None = None
    thinks: bool = True
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CompletionResponse:
    """One whole answer, aggregated from its stream.

    problem says why an answer in the JSON envelope cannot be read; content is then the raw text.
    """

    id: str
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: TokenUsage = TokenUsage()
    stop_reason: StopReason = StopReason.END_TURN
    thinking: str = ""
    timings: Timings = Timings()
    model: str = ""
    problem: str = ""


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


@dataclass(slots=True)
class _Forming:
    id: str = ""
    name: str = ""
    arguments: StringIO = field(default_factory=StringIO)


class Collector:
    """Adds up the chunks of a stream as they come, so that its end costs no more than its start.

    size is the characters so far: text, thinking, and the ids, names and arguments of calls.
    forming is the call that was last added to: its name and the characters of its arguments.
    """

    def __init__(self) -> None:
        self.size = 0
        self.forming: tuple[str, int] | None = None
        self._text = StringIO()
        self._thinking = StringIO()
        self._calls: dict[int, _Forming] = {}
        self._finish: StopReason | None = None
        self._usage: TokenUsage | None = None
        self._timings: Timings | None = None
        self._id = self._model = ""

    def add(self, chunk: StreamChunk) -> None:
        """Take the next chunk in."""
        self.size += self._text.write(chunk.delta) + self._thinking.write(chunk.thinking)
        for piece in chunk.tool_calls:
            self._add(piece)
        self._finish = chunk.finish_reason or self._finish
        self._usage = chunk.usage or self._usage
        self._timings = chunk.timings or self._timings
        self._id = chunk.id or self._id
        self._model = chunk.model or self._model

    def response(self) -> CompletionResponse:
        """The answer so far; calls come in the order of their index."""
        calls = (self._calls[index] for index in sorted(self._calls))
        return CompletionResponse(
            id=self._id,
            content=self._text.getvalue(),
            tool_calls=tuple(ToolCall(c.id, c.name, c.arguments.getvalue()) for c in calls),
            usage=self._usage or TokenUsage(),
            stop_reason=self._finish or StopReason.END_TURN,
            thinking=self._thinking.getvalue(),
            timings=self._timings or Timings(),
            model=self._model,
        )

    def _add(self, piece: ToolCallDelta) -> None:
        call = self._calls.get(piece.index)
        if call is None:
            call = self._calls[piece.index] = _Forming()
        call.id = call.id or piece.id
        call.name = call.name or piece.name
        self.size += call.arguments.write(piece.arguments) + len(piece.id) + len(piece.name)
        self.forming = call.name, call.arguments.tell()


def collected(chunks: Iterable[StreamChunk]) -> CompletionResponse:
    """Add up the chunks of a whole stream into one answer."""
    collector = Collector()
    for chunk in chunks:
        collector.add(chunk)
    return collector.response()


@dataclass(frozen=True, slots=True)
class InferRequest:
    """What an agent asks: system text, history and tool schemas.

    envelope asks for calls in the JSON envelope even where the model could call natively. examples
    are exchanges that show how tools are called; they go before the messages, in the envelope only.
    repairs follow the messages exactly as they are: replies that could not be read, and why.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    max_tokens: int | None = None
    envelope: bool = False
    examples: tuple[Message, ...] = ()
    repairs: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of an inference; the last has done set and carries the response.

    forming is a call being written: its name and the characters of its arguments so far.
    """

    text: str = ""
    thinking: str = ""
    progress: Progress | None = None
    forming: tuple[str, int] | None = None
    done: bool = False
    response: CompletionResponse | None = None
