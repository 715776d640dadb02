"""Tokens read again per turn: how well the prompt's prefix stays in the KV cache."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from rony_desktop.app.id import new_id
from rony_desktop.contract.agent import Response
from rony_desktop.contract.event import TurnFinished
from scripts.bench.figure import Figure

if TYPE_CHECKING:
    from rony_desktop.app.context import AppContext

TURNS = 10
SLACK = 16


async def measure(app: AppContext) -> list[Figure]:
    """One chat of ten turns; the worst turn's tokens above what had to be read."""
    session = new_id()
    before: Response | None = None
    worst = 0
    for turn in range(TURNS):
        now = await ask(app, session, f"Tell me one short thing about the number {turn}.")
        if before:
            known = before.usage.total_tokens
            new = now.usage.input_tokens - known
            worst = max(worst, now.timings.prompt_n - new)
        before = now
    return [Figure("tokens read again per turn, worst of ten", worst, SLACK, "tokens")]


async def ask(app: AppContext, session: str, text: str) -> Response:
    """One turn to its end."""
    async with aclosing(app.chat.send(session, text)) as events:
        async for event in events:
            if isinstance(event, TurnFinished):
                return event.response
    raise RuntimeError("the turn did not finish")
