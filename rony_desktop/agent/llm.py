"""San's LLM over an LLMClient: inference for the loop, each request and answer logged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from rony_desktop.agent import envelope
from rony_desktop.agent.parser import ReplyReader
from rony_desktop.contract.check import ToolMode
from rony_desktop.contract.llm import (
    Chunk,
    Collector,
    CompletionRequest,
    CompletionResponse,
    InferRequest,
    StopReason,
    StreamChunk,
)
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.port import LLMClient
from rony_desktop.log import EventTag, log_event

# A reply that grows beyond this is cut, whatever the server's own limit is.
REPLY_LIMIT = 4 * 1024 * 1024
# Chunks that have come already are read without a pause: give others their turn now and then.
BREATH_S = 0.003


class ClientLLM:
    """Streams an InferRequest through whatever client is current when it is asked.

    Tools are called as checked says, where a check of the current model has told; else natively
    where the model can, and in the JSON envelope where it cannot.
    """

    def __init__(
        self,
        current: Callable[[], LLMClient],
        temperature: float | None = None,
        checked: Callable[[], Awaitable[ToolMode | None]] | None = None,
    ) -> None:
        self._current = current
        self._temperature = temperature
        self._checked = checked

    async def infer(self, request: InferRequest) -> AsyncGenerator[Chunk, None]:
        """Stream chunks; the last has done set and carries the aggregated response.

        Raises:
            ProviderError: the server could not be reached, refused, or broke off.
        """
        client = self._current()
        mode = await self._mode(client, request)
        if mode is ToolMode.NONE:
            request = replace(request, tools=())
        enveloped = mode is ToolMode.ENVELOPE
        log_event(
            EventTag.LLM_REQUEST,
            model=client.name(),
            messages=len(request.messages),
            tools=len(request.tools),
        )
        started = time.monotonic()
        heard = _Heard(ReplyReader() if enveloped else None)
        completion = await asyncio.to_thread(self._completion, request, enveloped)
        async with aclosing(client.stream(completion)) as chunks:
            async for chunk in chunks:
                if said := heard.take(chunk):
                    yield said
                if heard.cut:
                    break
                if heard.long_since_breath():
                    await asyncio.sleep(0)
        response = await heard.response()
        _log(response, time.monotonic() - started)
        if rest := heard.unsaid(response):
            yield Chunk(rest)
        yield Chunk(done=True, response=response)

    def _completion(self, request: InferRequest, enveloped: bool) -> CompletionRequest:
        """A system message always goes first: templates put their own where none is sent."""
        system, messages = request.system, (*request.messages, *request.repairs)
        if enveloped:
            system = "\n\n".join(filter(None, (system, envelope.instructions(request.tools))))
            messages = envelope.messages(request)
        return CompletionRequest(
            messages=(Message(Role.SYSTEM, system), *messages),
            tools=() if enveloped else request.tools,
            temperature=self._temperature,
            max_tokens=request.max_tokens,
            response_schema=envelope.schema(request.tools) if enveloped else None,
        )

    async def _mode(self, client: LLMClient, request: InferRequest) -> ToolMode:
        """How tools are called in this request."""
        if not request.tools:
            return ToolMode.NONE
        if self._checked and (found := await self._checked()) is not None:
            mode = found
        else:
            can = (await client.capabilities()).supports_tools
            mode = ToolMode.NATIVE if can else ToolMode.ENVELOPE
        repaired = request.envelope and mode is ToolMode.NATIVE
        return ToolMode.ENVELOPE if repaired else mode

    async def input_limit(self) -> int:
        """Context window in tokens, 0 where it is not known."""
        return (await self._current().capabilities()).max_context_window


@dataclass(slots=True)
class _Heard:
    """What came of one reply; reader is there where it is in the envelope."""

    reader: ReplyReader | None
    cut: bool = False
    _collector: Collector = field(default_factory=Collector)
    _breath: float = field(default_factory=time.monotonic)

    def take(self, chunk: StreamChunk) -> Chunk | None:
        """Take a chunk in; what of it can be shown now."""
        self._collector.add(chunk)
        self.cut = self._collector.size > REPLY_LIMIT
        text, forming = chunk.delta, self._collector.forming if chunk.tool_calls else None
        if self.reader:
            text = self.reader.feed(chunk.delta)
            forming = self.reader.call if chunk.delta else None
        if text or chunk.thinking or chunk.progress or forming:
            return Chunk(text, chunk.thinking, chunk.progress, forming)
        return None

    def long_since_breath(self) -> bool:
        """Whether others have waited long enough for their turn."""
        now = time.monotonic()
        late = now - self._breath > BREATH_S
        if late:
            self._breath = now
        return late

    async def response(self) -> CompletionResponse:
        """The whole reply; one that was cut counts as one that ran out of tokens."""
        response = self._collector.response()
        if self.cut:
            response = replace(response, stop_reason=StopReason.MAX_TOKENS)
        return await envelope.opened(response, self.reader.text) if self.reader else response

    def unsaid(self, response: CompletionResponse) -> str:
        """The part of a final answer that could not be shown while it came."""
        if self.reader is None or response.problem:
            return ""
        return response.content.removeprefix(self.reader.text)


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
