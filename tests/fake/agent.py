"""An LLM that answers from a script; for tests of the loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence

from rony_desktop.contract.llm import Chunk, CompletionResponse, InferRequest


class FakeLLM:
    """Each inference takes the next answer: a response, or an error to raise.

    requests keeps what was asked. hold, where set, is awaited before the second half of a text.
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
            half = len(answer.content) // 2
            if answer.content[:half]:
                yield Chunk(answer.content[:half])
            if self.hold:
                await self.hold.wait()
            if answer.content[half:]:
                yield Chunk(answer.content[half:])
            yield Chunk(done=True, response=answer)
        finally:
            self.closed += 1

    async def input_limit(self) -> int:
        return 4096
