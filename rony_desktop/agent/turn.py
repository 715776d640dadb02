"""One turn: infer, run the tools that were called, until none is called or a limit is reached."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from rony_desktop.agent.limit import Limit
from rony_desktop.contract.agent import LLM, Response
from rony_desktop.contract.error import EmptyAnswer, Failure, RonyError, ToolNotFoundError
from rony_desktop.contract.event import (
    Append,
    Iteration,
    Prefill,
    TextDelta,
    ThinkingDelta,
    TurnEvent,
    TurnFinished,
)
from rony_desktop.contract.llm import (
    Chunk,
    CompletionResponse,
    InferRequest,
    StopReason,
    Timings,
    TokenUsage,
)
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.port import ToolExecutor
from rony_desktop.contract.session import Session
from rony_desktop.log import EventTag, log_event


@dataclass(slots=True)
class Turn:
    """The state of one turn; made by Loop, used once.

    A turn ends in a Response for every outcome but cancellation, which is raised: who cancelled
    it knows why.
    """

    llm: LLM
    request: InferRequest
    session: Session
    limit: Limit
    executor: ToolExecutor | None = None
    on_iteration: Callable[[Iteration], None] | None = None
    _text: str = field(default="", init=False)
    _calls: list[ToolCall] = field(default_factory=list, init=False)
    _usage: TokenUsage = field(default_factory=TokenUsage, init=False)
    _timings: Timings = field(default_factory=Timings, init=False)
    _model: str = field(default="", init=False)
    _last: CompletionResponse | None = field(default=None, init=False)

    async def events(self) -> AsyncGenerator[TurnEvent, None]:
        """Run the turn; TurnFinished is the last event."""
        reason: StopReason | None = None
        failure: Failure | None = None
        try:
            while reason is None:
                reason = self.limit.next_step()
                if reason is None:
                    async with aclosing(self._step()) as step:
                        async for event in step:
                            yield event
                    reason = self._reason()
        except TimeoutError:
            reason = StopReason.TIMEOUT
        except RonyError as error:
            reason, failure = StopReason.ERROR, error.failure()
        yield TurnFinished(self._response(reason, failure))

    async def _step(self) -> AsyncGenerator[TurnEvent, None]:
        """One inference, then its tool calls in order, each answered exactly once."""
        begun = self.limit.elapsed_s
        async with aclosing(self._infer()) as chunks:
            async for event in chunks:
                yield event
        response = self._last
        if response is None or not (response.content.strip() or response.tool_calls):
            raise EmptyAnswer()
        message = Message(
            Role.ASSISTANT,
            response.content,
            thinking=response.thinking,
            tool_calls=response.tool_calls,
        )
        duration = self.limit.elapsed_s - begun
        iteration = Iteration(self.limit.iterations, message, response.usage, duration)
        if self.on_iteration:
            self.on_iteration(iteration)
        yield iteration
        if response.stop_reason is StopReason.TOOL_USE:
            self._add(message)
            for call in response.tool_calls:
                answer = await self._run(call)
                self._add(answer)
                yield Append(answer)

    async def _infer(self) -> AsyncGenerator[TurnEvent, None]:
        self._last = None
        async with aclosing(self.llm.infer(self.request)) as chunks:
            while chunk := await self._next(chunks):
                if chunk.progress:
                    yield Prefill(chunk.progress)
                if chunk.thinking:
                    yield ThinkingDelta(chunk.thinking)
                if chunk.text:
                    self._text += chunk.text
                    yield TextDelta(chunk.text)
                if chunk.response:
                    self._take(chunk.response)

    async def _next(self, chunks: AsyncGenerator[Chunk, None]) -> Chunk | None:
        """The next chunk within the turn's time; a time-out never spans a yield."""
        async with asyncio.timeout(self.limit.remaining_s):
            return await anext(chunks, None)

    def _take(self, response: CompletionResponse) -> None:
        self._last = response
        self._text = response.content
        self._calls += response.tool_calls
        self._usage += response.usage
        self._timings = response.timings
        self._model = response.model
        self.limit.add_tokens(response.usage.total_tokens)

    def _reason(self) -> StopReason | None:
        """Why the turn ends after this step; None where tools ran and the model goes on."""
        match self._last.stop_reason if self._last else StopReason.ERROR:
            case StopReason.TOOL_USE:
                return None
            case StopReason.MAX_TOKENS:
                return StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED
            case _:
                return StopReason.END_TURN

    async def _run(self, call: ToolCall) -> Message:
        """Answer one call. The broad except is one of the four borders: a tool may raise all."""
        self._text = ""
        try:
            result = await self._execute(call)
        except RonyError as error:
            result = ToolResult(str(error), is_error=True)
        except Exception as error:
            log_event(
                EventTag.ERROR_STACKTRACE,
                logging.ERROR,
                tool=call.name,
                detail=traceback.format_exc(),
            )
            result = ToolResult(f"{call.name} failed: {error!r}", is_error=True)
        return Message(Role.TOOL, result.content, tool_call_id=call.id, tool_result=result)

    async def _execute(self, call: ToolCall) -> ToolResult:
        if self.executor is None:
            raise ToolNotFoundError(name=call.name, known="none")
        return await self.executor.execute(call, self.session)

    def _add(self, message: Message) -> None:
        self.request = replace(self.request, messages=(*self.request.messages, message))

    def _response(self, reason: StopReason | None, failure: Failure | None) -> Response:
        return Response(
            content=self._text,
            stop_reason=reason or StopReason.END_TURN,
            tool_calls=tuple(self._calls),
            iterations=self.limit.iterations,
            duration_s=self.limit.elapsed_s,
            usage=self._usage,
            timings=self._timings,
            failure=failure,
            model=self._model,
        )
