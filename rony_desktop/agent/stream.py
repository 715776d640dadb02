"""Puts the pieces of a stream together into one response."""

from __future__ import annotations

from rony_desktop.contract.llm import (
    CompletionResponse,
    StopReason,
    StreamChunk,
    Timings,
    TokenUsage,
    ToolCallDelta,
)
from rony_desktop.contract.message import ToolCall


class Collector:
    """Adds up chunks; response() is whole once the stream has ended."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._calls: dict[int, ToolCallDelta] = {}
        self._reason: StopReason | None = None
        self._usage = TokenUsage()
        self._timings = Timings()
        self._id = ""
        self._model = ""

    def add(self, chunk: StreamChunk) -> None:
        """Take one chunk in."""
        self._text.append(chunk.delta)
        self._thinking.append(chunk.thinking)
        for piece in chunk.tool_calls:
            self._calls[piece.index] = _join(self._calls.get(piece.index), piece)
        self._reason = chunk.finish_reason or self._reason
        self._usage = chunk.usage or self._usage
        self._timings = chunk.timings or self._timings
        self._id = chunk.id or self._id
        self._model = chunk.model or self._model

    def response(self) -> CompletionResponse:
        """The answer so far; calls in the order of their index."""
        calls = (self._calls[index] for index in sorted(self._calls))
        return CompletionResponse(
            id=self._id,
            content="".join(self._text),
            thinking="".join(self._thinking),
            tool_calls=tuple(ToolCall(c.id, c.name, c.arguments) for c in calls),
            usage=self._usage,
            timings=self._timings,
            stop_reason=self._reason or StopReason.END_TURN,
            model=self._model,
        )


def _join(old: ToolCallDelta | None, new: ToolCallDelta) -> ToolCallDelta:
    """Later pieces add arguments; a repeated id or name does not."""
    if old is None:
        return new
    return ToolCallDelta(
        old.index, old.id or new.id, old.name or new.name, old.arguments + new.arguments
    )
