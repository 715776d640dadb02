"""The loop every shell shares: it holds no conversation, only how a turn is run."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from rony_desktop.agent.context import ContextBuilder, Frame
from rony_desktop.agent.limit import Limit
from rony_desktop.agent.turn import Turn
from rony_desktop.contract.agent import LLM, Response
from rony_desktop.contract.event import Iteration, TurnEvent, TurnFinished
from rony_desktop.contract.port import ToolExecutor
from rony_desktop.contract.session import Session


class Loop:
    """Runs turns. One per process, safe for turns of several sessions at once.

    frame tells, at the start of each turn, what surrounds it in its session.
    """

    def __init__(
        self,
        llm: LLM,
        frame: Callable[[Session], Frame],
        executor: ToolExecutor | None = None,
        on_iteration: Callable[[Iteration], None] | None = None,
    ) -> None:
        self._llm = llm
        self._frame = frame
        self._executor = executor
        self._on_iteration = on_iteration

    async def run(self, text: str, session: Session) -> Response:
        """Run a turn to its end."""
        response: Response | None = None
        async with aclosing(self.run_stream(text, session)) as events:
            async for event in events:
                if isinstance(event, TurnFinished):
                    response = event.response
        if response is None:
            raise AssertionError("a turn ended without TurnFinished")
        return response

    async def run_stream(self, text: str, session: Session) -> AsyncGenerator[TurnEvent, None]:
        """Run a turn as events; text "" answers the session's last message."""
        frame = self._frame(session)
        window = await self._llm.input_limit()
        turn = Turn(
            self._llm,
            ContextBuilder(frame).build(text, session, window),
            session,
            Limit(frame.limits, session.total_tokens),
            self._executor,
            self._on_iteration,
        )
        async with aclosing(turn.events()) as events:
            async for event in events:
                yield event
