"""llama-server as an LLMClient: answers streamed from our own engine or a server that runs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import EmptyAnswer, ProviderRefused, StreamBroken
from rony_desktop.contract.llm import (
    CompletionRequest,
    CompletionResponse,
    ProviderCapabilities,
    StopReason,
    StreamChunk,
    collected,
)
from rony_desktop.contract.message import Message
from rony_desktop.contract.tool import ToolSchema
from rony_desktop.provider import wire
from rony_desktop.provider.exchange import ask, opened, reason
from rony_desktop.provider.stream import events

NAME = "llamacpp"
FIRST_CHUNK_S = 300.0
IDLE_S = 60.0
_DONE = "[DONE]"
_NO_SUCH_PAGE = {"404", "405", "501"}


class LlamaCppClient:
    """Streams chat completions from the llama-server at endpoint, asked anew for each request.

    A connection lives as long as its request: leaving a stream closes it, and the server stops.
    Until the first word silence may last first_chunk_s, for prefill is slow on small machines; in
    the answer it may last idle_s.
    """

    def __init__(
        self,
        endpoint: Callable[[], Endpoint],
        *,
        first_chunk_s: float = FIRST_CHUNK_S,
        idle_s: float = IDLE_S,
    ) -> None:
        self._endpoint = endpoint
        self._first_chunk_s = first_chunk_s
        self._idle_s = idle_s
        self._known: tuple[Endpoint, ProviderCapabilities] | None = None

    def name(self) -> str:
        """The provider's name in the configuration."""
        return NAME

    async def capabilities(self) -> ProviderCapabilities:
        """What the loaded model can do, asked of /props once per endpoint.

        Raises:
            ProviderError: the server cannot be reached, loads its model, or refuses the key.
        """
        endpoint = self._endpoint()
        if self._known is None or self._known[0] != endpoint:
            self._known = endpoint, await _capabilities(endpoint)
        return self._known[1]

    async def generate(self, request: CompletionRequest) -> CompletionResponse:
        """Return one whole answer. Raises ProviderError."""
        async with aclosing(self.stream(request)) as chunks:
            return collected([chunk async for chunk in chunks])

    async def rendered(
        self, messages: tuple[Message, ...], tools: tuple[ToolSchema, ...] = ()
    ) -> str:
        """The prompt that the model's chat template makes of messages; nothing is generated.

        Raises:
            ProviderError: the template fails, in the server's words, or nobody answers.
        """
        body = wire.body(CompletionRequest(messages, tools))
        wanted = {name: body[name] for name in ("messages", "tools") if name in body}
        prompt = (await ask(self._endpoint(), "/apply-template", wanted)).get("prompt")
        if not isinstance(prompt, str):
            raise ProviderRefused(status=200, detail="the answer holds no prompt")
        return prompt

    async def stream(self, request: CompletionRequest) -> AsyncGenerator[StreamChunk, None]:
        """Stream an answer: progress, then text, then its reason to end, usage and timings.

        Raises:
            ProviderUnavailable: nobody answers, or the model still loads.
            ProviderRefused: the server refuses the request.
            ContextOverflow: the messages do not fit.
            StreamBroken: the answer ended early or fell silent.
            EmptyAnswer: the answer ended without text, thinking or a tool call.
        """
        said, finish = False, None
        endpoint, body = self._endpoint(), await asyncio.to_thread(wire.body, request)
        async with (
            opened(endpoint, "/v1/chat/completions", body, self._first_chunk_s) as response,
            aclosing(events(response)) as stream,
        ):
            while (data := await self._next(stream, said, finish)) is not None:
                chunk = wire.chunk(data)
                said = said or _says(chunk)
                finish = chunk.finish_reason or finish
                if _tells(chunk):
                    yield chunk
        if finish is None:
            raise StreamBroken(detail="it ended without a reason")
        if not said:
            raise EmptyAnswer()

    async def _next(
        self, stream: AsyncGenerator[str, None], said: bool, finish: StopReason | None
    ) -> str | None:
        """The next event, None at the end; what breaks after the finish loses nothing."""
        import httpx

        silence_s = self._idle_s if said else self._first_chunk_s
        try:
            async with asyncio.timeout(silence_s):
                data = await anext(stream, _DONE)
        except TimeoutError as error:
            if finish:
                return None
            raise StreamBroken(detail=f"nothing came for {silence_s:g} s") from error
        except httpx.RequestError as error:
            if finish:
                return None
            raise StreamBroken(detail=reason(error)) from error
        return None if data.strip() == _DONE else data


def _says(chunk: StreamChunk) -> bool:
    """Whether a chunk holds a part of an answer; white space alone is none."""
    return bool(chunk.delta.strip() or chunk.thinking.strip() or chunk.tool_calls)


def _tells(chunk: StreamChunk) -> bool:
    """Whether a chunk carries more than its id; a server's first one often does not."""
    return bool(
        chunk.delta
        or chunk.thinking
        or chunk.tool_calls
        or chunk.finish_reason
        or chunk.usage
        or chunk.timings
        or chunk.progress
    )


async def _capabilities(endpoint: Endpoint) -> ProviderCapabilities:
    """What a server says of its model; one without /props is another kind, which takes tools."""
    try:
        said = await ask(endpoint, "/props")
    except ProviderRefused as error:
        if error.params.get("status") not in _NO_SUCH_PAGE:
            raise
        return ProviderCapabilities(supports_tools=True, supports_json=True)
    n_ctx = _object(said.get("default_generation_settings")).get("n_ctx")
    return ProviderCapabilities(
        supports_tools=bool(_object(said.get("chat_template_caps")).get("supports_tools")),
        supports_vision=bool(_object(said.get("modalities")).get("vision")),
        supports_json=True,
        max_context_window=n_ctx if isinstance(n_ctx, int) else 0,
    )


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
