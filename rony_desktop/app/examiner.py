"""Asks a running model what its chat template renders, and in which form it calls tools."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Protocol

from rony_desktop.agent.llm import ClientLLM
from rony_desktop.contract.check import ModelCheck, ShapeCheck, ToolScore
from rony_desktop.contract.error import (
    EmptyAnswer,
    ModelTemplate,
    ProviderError,
    ProviderUnavailable,
    StreamBroken,
)
from rony_desktop.contract.llm import (
    CompletionRequest,
    CompletionResponse,
    InferRequest,
    StopReason,
)
from rony_desktop.contract.message import Message, Role
from rony_desktop.contract.port import LLMClient
from rony_desktop.contract.progress import Tell
from rony_desktop.contract.tool import ToolSchema
from rony_desktop.model.shape import CONVERSATIONS, Conversation, failed, rendered
from rony_desktop.model.tool_case import CASES, SYSTEM, TOOLS, Case, Outcome, score
from rony_desktop.model.tool_mode import chosen, good

# Tokens a reply may have; one of a model that thinks first although it is asked not to.
REPLY, THOUGHT = 96, 512
STEPS = len(CONVERSATIONS) + 2 * len(CASES)

Ask = Callable[[Case], Awaitable[CompletionResponse]]


class Rendering(LLMClient, Protocol):
    """A client that can say what the model's template makes of messages."""

    async def rendered(
        self, messages: tuple[Message, ...], tools: tuple[ToolSchema, ...] = ()
    ) -> str:
        """The prompt. Raises ProviderError."""
        ...


class Examiner:
    """Checks the model behind a client, once; name is its file's, tell hears of steps."""

    def __init__(self, client: Rendering, name: str, tell: Tell) -> None:
        self._client = client
        self._name = name
        self._tell = tell
        self._done = 0
        self._limit = REPLY

    async def examined(self, build: str) -> ModelCheck:
        """Check it; cancelling ends the request on its way.

        Raises:
            ModelTemplate: nothing comes of its template, not even an error.
            EngineError, ProviderError: the engine is gone, or does not answer.
        """
        shapes = tuple([await self._shape(each) for each in CONVERSATIONS])
        native = envelope = None
        if (await self._client.capabilities()).supports_tools:
            native = await self._score(self._native)
        if not good(native):
            envelope = await self._score(self._enveloped)
        self._tell(STEPS, STEPS)
        return ModelCheck(
            build=build,
            mode=chosen(native, envelope),
            shapes=shapes,
            native=native,
            envelope=envelope,
        )

    async def _shape(self, conversation: Conversation) -> ShapeCheck:
        self._step()
        try:
            prompt = await self._client.rendered(conversation.messages, conversation.tools)
        except ProviderUnavailable as error:
            raise ModelTemplate(path=self._name, detail=error.params.get("detail")) from error
        except ProviderError as error:
            return failed(conversation, error.params.get("detail", str(error)))
        return rendered(conversation, prompt)

    async def _score(self, ask: Ask) -> ToolScore:
        return score([await self._outcome(case, ask) for case in CASES])

    async def _outcome(self, case: Case, ask: Ask) -> Outcome:
        """Judge one reply; what the server refuses or leaves empty is of no use."""
        self._step()
        try:
            return case.outcome(await ask(case))
        except (ProviderUnavailable, StreamBroken):
            raise
        except ProviderError:
            return Outcome.BROKEN

    async def _native(self, case: Case) -> CompletionResponse:
        response = await self._call(case)
        if _only_thought(response) and self._limit < THOUGHT:
            self._limit = THOUGHT
            response = await self._call(case)
        return response

    async def _call(self, case: Case) -> CompletionResponse:
        request = CompletionRequest(
            (Message(Role.SYSTEM, SYSTEM), *case.messages),
            tools=TOOLS,
            temperature=0.0,
            max_tokens=self._limit,
            thinks=False,
        )
        return await self._client.generate(request)

    async def _enveloped(self, case: Case) -> CompletionResponse:
        """Ask as the agent does."""
        llm = ClientLLM(lambda: self._client, temperature=0.0)
        request = InferRequest(SYSTEM, case.messages, TOOLS, max_tokens=REPLY, envelope=True)
        async with aclosing(llm.infer(request)) as chunks:
            async for chunk in chunks:
                if chunk.response:
                    return chunk.response
        raise EmptyAnswer()

    def _step(self) -> None:
        self._tell(self._done, STEPS)
        self._done += 1


def _only_thought(response: CompletionResponse) -> bool:
    """Whether a reply was cut before it had come to a word."""
    cut = response.stop_reason is StopReason.MAX_TOKENS
    return cut and bool(response.thinking) and not (response.content or response.tool_calls)
