"""`chat`: a conversation in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys

from rony_desktop.app.context import AppContext
from rony_desktop.cli.ask import answer, conversation, footer
from rony_desktop.cli.terminal import read_line
from rony_desktop.contract.agent import Response

LEAVE = {"/quit", "/exit"}
PROMPT = "> "


async def chat(options: argparse.Namespace) -> int:
    """Read questions line by line until the end of input or /quit; Ctrl+C stops an answer."""
    async with conversation(options) as (app, session):
        while (line := await read_line(PROMPT)) is not None:
            if line.strip() in LEAVE:
                break
            if line.strip():
                response = await _answer(app, session, line)
                print(footer(response, app.runtime.planned), file=sys.stderr)
    return 0


async def _answer(app: AppContext, session: str, line: str) -> Response:
    """One turn; Ctrl+C stops it and not the program, where the loop can hear of it."""
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    stops: list[asyncio.Task[None]] = []
    try:
        loop.add_signal_handler(
            signal.SIGINT, lambda: stops.append(loop.create_task(app.chat.stop(session)))
        )
    except NotImplementedError:  # Windows
        return await answer(app, session, line, echo=True)
    try:
        return await answer(app, session, line, echo=True)
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)
        await asyncio.gather(*stops)
