"""An LLM that answers from a script, what surrounds its turns, and a ToolExecutor."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence

from rony_desktop.agent.context import Frame
from rony_desktop.agent.limit import Limits
from rony_desktop.agent.prompt import system_prompt
from rony_desktop.contract.llm import Chunk, CompletionResponse, InferRequest
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.session import Session

FRAME = Frame(system_prompt(), Limits(50, 20, 1_000_000, 60, 5))


class FakeLLM:
    """Each inference takes the next answer: a response, or an error to raise.

    requests keeps what was asked. A call forms in one piece; what is a problem is not shown. hold,
    where set, is awaited before the second half of a text.
    """

    def __init__(self, answers: Sequence[CompletionResponse | Exception]) -> None:
        self._answers = list(answers)
        self.requests: list[InferRequest] = []
        self.hold: asyncio.Event | None = None
        self.closed = 0

    async def infer(self, request: InferRequest) -> AsyncGenerator[Chunk, None]:
        self.requests.append(request)
        answer = self._answers.pop(0)
        try:
            if isinstance(answer, Exception):
                raise answer
            text = "" if answer.problem else answer.content
            half = len(text) // 2
            if text[:half]:
                yield Chunk(text[:half])
            if self.hold:
                await self.hold.wait()
            if text[half:]:
                yield Chunk(text[half:])
            for call in answer.tool_calls:
                yield Chunk(forming=(call.name, len(call.arguments)))
            yield Chunk(done=True, response=answer)
        finally:
            self.closed += 1

    async def input_limit(self) -> int:
        return 4096


class FakeExecutor:
    """Answers every call with the same, or with what a function makes of the call."""

    def __init__(self, answer: ToolResult | Exception | Callable[[ToolCall], ToolResult]) -> None:
        self._answer = answer
        self.sessions: list[Session] = []
        self.calls: list[ToolCall] = []

    async def execute(self, call: ToolCall, session: Session) -> ToolResult:
        self.sessions.append(session)
        self.calls.append(call)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer if isinstance(self._answer, ToolResult) else self._answer(call)
