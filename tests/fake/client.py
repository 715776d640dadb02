"""An LLMClient that answers at once and reports the speed it is told; for tests that measure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import EngineError
from rony_desktop.contract.llm import (
    CompletionRequest,
    CompletionResponse,
    ProviderCapabilities,
    StopReason,
    StreamChunk,
    Timings,
    collected,
)

Rates = tuple[float, float]


def timings(read: int, prefill: float, written: int, decode: float) -> Timings:
    """What an engine reports of one request at these rates."""
    return Timings(0, read, read * 1000 / prefill, written, written * 1000 / decode)


class FakeClient:
    """Reads one token a word. rates are those of the next requests; the last one stays.

    requests keeps what was asked. Answers end after longest tokens. hold, where set, is awaited
    before a request is answered; closed counts those that ended, either way.
    """

    def __init__(
        self, rates: Iterable[Rates] = ((500.0, 50.0),), *, window: int = 4096, longest: int = 999
    ) -> None:
        self._rates = list(rates)
        self._window = window
        self._longest = longest
        self.requests: list[CompletionRequest] = []
        self.hold: asyncio.Event | None = None
        self.failure: Exception | None = None
        self.closed = 0

    async def generate(self, request: CompletionRequest) -> CompletionResponse:
        return collected([chunk async for chunk in self.stream(request)])

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[StreamChunk, None]:
        self.requests.append(request)
        prefill, decode = self._rates.pop(0) if len(self._rates) > 1 else self._rates[0]
        try:
            if self.hold:
                await self.hold.wait()
            if self.failure:
                raise self.failure
            yield StreamChunk(delta="word")
            read = len(request.messages[0].content.split())
            written = min(request.max_tokens or 1, self._longest)
            yield StreamChunk(
                finish_reason=StopReason.MAX_TOKENS,
                timings=timings(read, prefill, written, decode),
            )
        finally:
            self.closed += 1

    def name(self) -> str:
        return "fake"

    async def capabilities(self) -> ProviderCapabilities:
        return ProviderCapabilities(max_context_window=self._window)


class FakeBench:
    """A Bench whose engines have the speed that a function of launch and round tells.

    A speed of None is an engine that does not start. runs are the launches so far, alive those
    whose engine was not ended.
    """

    def __init__(self, speed: Callable[[Launch, int], Rates | None]) -> None:
        self._speed = speed
        self.runs: list[Launch] = []
        self.alive: list[Launch] = []
        self.hold: asyncio.Event | None = None
        self.longest = 999

    @asynccontextmanager
    async def running(self, launch: Launch) -> AsyncIterator[FakeClient]:
        rates = self._speed(launch, self.runs.count(launch))
        self.runs.append(launch)
        if rates is None:
            raise EngineError(detail="it does not start")
        client = FakeClient([rates], longest=self.longest)
        client.hold = self.hold
        self.alive.append(launch)
        try:
            yield client
        finally:
            self.alive.remove(launch)
