"""San's LLM over an LLMClient: inference for the loop, each request and answer logged."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from rony_desktop.contract.llm import (
    Chunk,
    CompletionRequest,
    CompletionResponse,
    InferRequest,
    StreamChunk,
    collected,
)
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.port import LLMClient
from rony_desktop.log import EventTag, log_event


class ClientLLM:
    """Streams an InferRequest through whatever client is current when it is asked."""

    def __init__(self, current: Callable[[], LLMClient], temperature: float | None = None) -> None:
        self._current = current
        self._temperature = temperature

    async def infer(self, request: InferRequest) -> AsyncGenerator[Chunk, None]:
        """Stream chunks; the last has done set and carries the aggregated response.

        Raises:
            ProviderError: the server could not be reached, refused, or broke off.
        """
        client = self._current()
        heard: list[StreamChunk] = []
        log_event(
            EventTag.LLM_REQUEST,
            model=client.name(),
            messages=len(request.messages),
            tools=len(request.tools),
        )
        started = time.monotonic()
        async with aclosing(client.stream(self._completion(request))) as chunks:
            async for chunk in chunks:
                heard.append(chunk)
                if chunk.delta or chunk.thinking or chunk.progress:
                    yield Chunk(chunk.delta, chunk.thinking, chunk.progress)
        response = collected(heard)
        _log(response, time.monotonic() - started)
        yield Chunk(done=True, response=response)

    def _completion(self, request: InferRequest) -> CompletionRequest:
        """A system message always goes first: templates put their own where none is sent."""
        system = Message(Role.SYSTEM, request.system)
        return CompletionRequest(
            messages=(system, *request.messages),
            tools=request.tools,
            temperature=self._temperature,
            max_tokens=request.max_tokens,
        )

    async def input_limit(self) -> int:
        """Context window in tokens, 0 where it is not known."""
        return (await self._current().capabilities()).max_context_window


def _log(response: CompletionResponse, seconds: float) -> None:
    log_event(
        EventTag.LLM_RESPONSE,
        model=response.model,
        ms=round(seconds * 1000),
        tokens=response.usage.total_tokens,
        cached=response.timings.cache_n,
        read=response.timings.prompt_n,
        stop=response.stop_reason,
    )
