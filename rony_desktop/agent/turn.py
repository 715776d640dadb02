"""One turn: infer, run the tools that were called, until none is called or a limit is reached."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial

from rony_desktop.agent import repair
from rony_desktop.agent.call_id import CallIds
from rony_desktop.agent.forming import Forming
from rony_desktop.agent.limit import Limit
from rony_desktop.agent.parser import aside
from rony_desktop.agent.repeat import RECORDED, Repeats, key_of
from rony_desktop.contract.agent import LLM, Response
from rony_desktop.contract.error import (
    EmptyAnswer,
    Failure,
    RonyError,
    StreamBroken,
    ToolNotFoundError,
    ToolReplyError,
)
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
from rony_desktop.contract.tool import CHANGED, DURATION_MS, ENDS_TURN
from rony_desktop.log import EventTag, log_event

# After so many replies in a row that cannot be read the server is asked to enforce their form.
ENVELOPE_AFTER = 2
# A reply that cannot be read is shown to the model again up to here; so is a call that was cut.
SHOWN_AGAIN = 2_000


@dataclass(slots=True)
class Turn:
    """The state of one turn; made by Loop, used once.

    A turn ends in a Response for every outcome but cancellation, which is raised: who cancelled
    it knows why. Every call of an announced reply is answered once and in order, cancellation
    aside; none is run twice.
    """

    llm: LLM
    request: InferRequest
    session: Session
    limit: Limit
    executor: ToolExecutor | None = None
    on_iteration: Callable[[Iteration], None] | None = None
    _ids: CallIds = field(init=False)
    _repeats: Repeats = field(default_factory=Repeats, init=False)
    _ending: StopReason | None = field(default=None, init=False)
    _unreadable: bool = field(default=False, init=False)
    _text: list[str] = field(default_factory=list, init=False)
    _last_words: str = field(default="", init=False)
    _calls: list[ToolCall] = field(default_factory=list, init=False)
    _usage: TokenUsage = field(default_factory=TokenUsage, init=False)
    _timings: Timings = field(default_factory=Timings, init=False)
    _model: str = field(default="", init=False)
    _last: CompletionResponse | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        asked = (call.id for message in self.request.messages for call in message.tool_calls)
        self._ids = CallIds((*asked, *self.session.calls))

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
                    reason = self._ending
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
        if response is None:
            raise EmptyAnswer()
        if response.problem:
            self._repair(response)
            return
        self._ending = _ending(response)
        message = self._message(response)
        duration = self.limit.elapsed_s - begun
        iteration = Iteration(self.limit.iterations, message, response.usage, duration)
        if self.on_iteration:
            self.on_iteration(iteration)
        yield iteration
        if message.tool_calls:
            self.request = replace(self.request, repairs=())
            self._add(message)
            async with aclosing(self._answers(message.tool_calls)) as answers:
                async for event in answers:
                    yield event

    async def _infer(self) -> AsyncGenerator[TurnEvent, None]:
        self._last, forming = None, Forming()
        self._text.clear()
        async with aclosing(self.llm.infer(self.request)) as chunks:
            while chunk := await self._next(chunks):
                if chunk.progress:
                    yield Prefill(chunk.progress)
                if chunk.thinking:
                    yield ThinkingDelta(chunk.thinking)
                if chunk.text:
                    self._text.append(chunk.text)
                    yield TextDelta(chunk.text)
                if chunk.forming and (event := forming.event(*chunk.forming)):
                    yield event
                if chunk.response:
                    self._take(chunk.response)

    async def _next(self, chunks: AsyncGenerator[Chunk, None]) -> Chunk | None:
        """The next chunk within the turn's time; a time-out never spans a yield."""
        async with asyncio.timeout(self.limit.remaining_s):
            return await anext(chunks, None)

    def _take(self, response: CompletionResponse) -> None:
        self._last = response
        self._text = [] if response.problem else [response.content]
        self._usage += response.usage
        self._timings = response.timings
        self._model = response.model
        self.limit.add_tokens(response.usage.total_tokens)

    def _message(self, response: CompletionResponse) -> Message:
        """The reply as it is announced: the ids of its calls are final."""
        calls = self._ids.settle(response.tool_calls)
        if response.stop_reason is StopReason.MAX_TOKENS:
            calls = tuple(replace(c, arguments=c.arguments[:SHOWN_AGAIN]) for c in calls)
        self._calls += calls
        return Message(
            Role.ASSISTANT, response.content, thinking=response.thinking, tool_calls=calls
        )

    def _repair(self, response: CompletionResponse) -> None:
        """Tell the model what was wrong, within the request alone: nobody else hears of it."""
        raw = Message(Role.ASSISTANT, response.content[:SHOWN_AGAIN])
        told = Message(Role.USER, repair.reply(response.problem))
        self.request = replace(self.request, repairs=(*self.request.repairs, raw, told))
        self._read(well=False)

    def _read(self, *, well: bool) -> None:
        """Count whether a reply could be read. What enforces its form stays for the turn."""
        self._ending = self.limit.read(well=well) or self._ending
        if self.limit.parse_errors >= ENVELOPE_AFTER:
            self.request = replace(self.request, envelope=True)

    async def _answers(self, calls: Sequence[ToolCall]) -> AsyncGenerator[TurnEvent, None]:
        """Answer the calls of one reply; once the turn ends, the rest is answered unrun."""
        whole, self._unreadable = self._ending is None, False
        for call in calls:
            if not self.limit.remaining_s:
                self._ending = self._ending or StopReason.TIMEOUT
            result = await self._answer(call) if self._ending is None else self._not_run()
            answer = Message(Role.TOOL, result.content, tool_call_id=call.id, tool_result=result)
            self._add(answer)
            yield Append(answer)
        if whole:
            self._read(well=not self._unreadable)
        if self._last_words:
            self._text = [self._last_words]
            yield TextDelta(self._last_words)

    async def _answer(self, call: ToolCall) -> ToolResult:
        """Run a call, unless it cannot be read or was made before, again and again."""
        try:
            key = await aside(partial(key_of, call.name), call.arguments)
        except ToolReplyError as error:
            self._unreadable = True
            problem = repair.reason(error)
            return ToolResult(repair.arguments(call.name, problem), is_error=True)
        count = self._repeats.count(key)
        if count == RECORDED:
            kept = self._repeats.kept(key)
            return replace(kept, content=repair.repeated(kept.content), metadata={})
        if count > RECORDED:
            self._ending = StopReason.REPEATED_CALL
            return self._not_run()
        result = await self._run(call)
        self._repeats.keep(key, result)
        if CHANGED in result.metadata and not result.is_error:
            self._repeats.forget_others(key)
        return result

    def _not_run(self) -> ToolResult:
        return ToolResult(repair.not_run(self._ending), is_error=True)

    async def _run(self, call: ToolCall) -> ToolResult:
        """Run one call. The broad except is one of the four borders: a tool may raise all."""
        try:
            with self.limit.paused():
                result = await self._execute(call)
            self._note(result)
        except RonyError as error:
            return ToolResult(str(error), is_error=True)
        except Exception as error:
            log_event(
                EventTag.ERROR_STACKTRACE,
                logging.ERROR,
                tool=call.name,
                detail=traceback.format_exc(),
            )
            return ToolResult(f"{call.name} failed: {error!r}", is_error=True)
        return result

    async def _execute(self, call: ToolCall) -> ToolResult:
        if self.executor is None:
            raise ToolNotFoundError(name=call.name, known="none")
        return await self.executor.execute(call, self.session)

    def _note(self, result: ToolResult) -> None:
        """Count the tool's own time, and hear whether it ends the turn."""
        self.limit.add_time(float(result.metadata.get(DURATION_MS, 0)) / 1000)
        if ENDS_TURN in result.metadata:
            self._ending = StopReason(result.metadata[ENDS_TURN])
            self._last_words = result.content

    def _add(self, message: Message) -> None:
        self.request = replace(self.request, messages=(*self.request.messages, message))

    def _response(self, reason: StopReason | None, failure: Failure | None) -> Response:
        return Response(
            content="".join(self._text),
            stop_reason=reason or StopReason.END_TURN,
            tool_calls=tuple(self._calls),
            iterations=self.limit.iterations,
            duration_s=self.limit.elapsed_s,
            usage=self._usage,
            timings=self._timings,
            failure=failure,
            model=self._model,
        )


def _ending(response: CompletionResponse) -> StopReason | None:
    """Why the turn ends with this reply; None where its calls are run and the model goes on."""
    if response.stop_reason is StopReason.MAX_TOKENS:
        return StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED
    if response.tool_calls:
        return None  # Some servers end such a reply as if it were plain.
    if not response.content.strip():
        raise EmptyAnswer()
    if response.stop_reason is StopReason.TOOL_USE:
        raise StreamBroken(detail="the tool call it announced did not come")
    return StopReason.END_TURN
