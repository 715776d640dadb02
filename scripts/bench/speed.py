"""Decode speed and time to first token: ChatService and presenter against a bare HTTP client."""

from __future__ import annotations

import json
import os
import statistics
import tempfile
import time
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rony_desktop.agent.prompt import BASE
from rony_desktop.contract.llm import Progress
from rony_desktop.ui.chat.presenter import ChatPresenter
from scripts.bench.figure import Figure

if TYPE_CHECKING:
    from rony_desktop.app.context import AppContext
    from rony_desktop.contract.engine import Endpoint

REPEATS = 8
SYNCS = 40
TOPICS = ("rivers", "clocks", "bridges", "bread", "maps", "violins", "glass", "gardens")


@dataclass(slots=True)
class Run:
    """Times of one answer: the question left, the first piece came, the last piece came."""

    sent: float
    first: float = 0.0
    last: float = 0.0
    pieces: int = 0

    def heard(self) -> None:
        """One piece of text came."""
        self.last = time.perf_counter()
        self.first = self.first or self.last
        self.pieces += 1

    @property
    def wait_ms(self) -> float:
        """Time to the first piece."""
        return (self.first - self.sent) * 1000

    @property
    def tokens_per_s(self) -> float:
        """Pieces after the first, per second."""
        return (self.pieces - 1) / (self.last - self.first)


class Ear:
    """A ChatView that only listens."""

    def __init__(self) -> None:
        self.run = Run(0.0)

    def append_text(self, text: str) -> None:
        """Count a piece."""
        self.run.heard()

    def show_progress(self, progress: Progress | None) -> None:
        """Not counted."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


def question(turn: int) -> str:
    """Questions of one length, each new to the engine, answered in some hundred tokens."""
    return f"Number {turn}: write two short paragraphs about {TOPICS[turn % len(TOPICS)]}."


async def through_product(app: AppContext, text: str) -> Run:
    """One answer through presenter, ChatService, loop, store and provider."""
    ear = Ear()
    presenter = ChatPresenter(app.chat, ear)
    ear.run = Run(time.perf_counter())
    await presenter.send(text)
    return ear.run


async def bare(endpoint: Endpoint, text: str, limit: int) -> Run:
    """The same request by an HTTP client that only reads the stream."""
    import httpx

    transport = httpx.AsyncHTTPTransport(uds=str(endpoint.socket)) if endpoint.socket else None
    body = {
        "messages": [{"role": "system", "content": BASE}, {"role": "user", "content": text}],
        "stream": True,
        "max_tokens": limit,
        "stream_options": {"include_usage": True},
        "return_progress": True,
    }
    headers = {"Authorization": f"Bearer {endpoint.key}"}
    async with httpx.AsyncClient(
        transport=transport, base_url=endpoint.base_url, headers=headers, timeout=60, verify=False
    ) as http:
        run = Run(time.perf_counter())
        async with (
            http.stream("POST", "/v1/chat/completions", json=body) as response,
            aclosing(response.aiter_lines()) as lines,
        ):
            async for line in lines:
                if line.startswith("data: {"):
                    choices = json.loads(line[6:])["choices"]
                    if choices and choices[0]["delta"].get("content"):
                        run.heard()
    return run


def fdatasync_ms() -> float:
    """Median of the machine's own fdatasync after a small write."""
    times = []
    with tempfile.NamedTemporaryFile(dir=os.environ["XDG_DATA_HOME"]) as file:
        for _ in range(SYNCS):
            file.write(b"x" * 300)
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


async def measure(app: AppContext) -> list[Figure]:
    """Interleaved repeats, medians."""
    lent = app.runtime.lend()
    if lent is None:
        raise RuntimeError("the engine is not running")
    limit = await app.runtime.context_window() // 4
    await through_product(app, "Say hello.")
    await bare(lent[1], "Say hello.", 16)
    ours: list[Run] = []
    theirs: list[Run] = []
    for turn in range(REPEATS):
        pair = [
            (ours, lambda t=turn: through_product(app, question(2 * t))),
            (theirs, lambda t=turn: bare(lent[1], question(2 * t + 1), limit)),
        ]
        for found, run in pair if turn % 2 else reversed(pair):
            found.append(await run())
    rate = [statistics.median(run.tokens_per_s for run in runs) for runs in (ours, theirs)]
    wait = [statistics.median(run.wait_ms for run in runs) for runs in (ours, theirs)]
    sync = fdatasync_ms()
    return [
        Figure(
            "decode speed over a bare client's", rate[0] / rate[1], 0.95, least=True,
            detail=f"{rate[0]:.1f} and {rate[1]:.1f} tok/s",
        ),
        Figure(
            "added time to first token", wait[0] - wait[1], 30 + sync, "ms",
            detail=f"{wait[0]:.1f} and {wait[1]:.1f} ms; fdatasync {sync:.2f} ms",
        ),
    ]  # fmt: skip
