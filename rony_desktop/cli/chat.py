"""`chat`: a conversation in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import signal
import sys
import threading

from rony_desktop.app.chat import new_id
from rony_desktop.app.context import AppContext
from rony_desktop.app.lifecycle import running
from rony_desktop.cli.ask import answer, footer, tell
from rony_desktop.contract.agent import Response

LEAVE = {"/quit", "/exit"}
PROMPT = "> "


async def chat(options: argparse.Namespace) -> int:
    """Read questions line by line until the end of input or /quit; Ctrl+C stops an answer."""
    session = options.session or new_id()
    async with running(options.model, trust=options.trust) as app:
        tell(app)
        if options.session:
            await app.chat.open(session)
        while (line := await _line()) is not None:
            if line.strip() in LEAVE:
                break
            if line.strip():
                response = await _answer(app, session, line)
                print(footer(response), file=sys.stderr)
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


async def _line() -> str | None:
    """The next line, None at the end of input.

    At a terminal it is read by a thread that Ctrl+C leaves behind: one of the loop's own would hold
    up the program's end until the user pressed Enter.
    """
    if not sys.stdin.isatty():
        return await asyncio.to_thread(_read, "")
    line: concurrent.futures.Future[str | None] = concurrent.futures.Future()
    line.set_running_or_notify_cancel()
    threading.Thread(target=lambda: line.set_result(_read(PROMPT)), daemon=True).start()
    return await asyncio.wrap_future(line)


def _read(prompt: str) -> str | None:
    try:
        return input(prompt)
    except UnicodeDecodeError:
        return ""
    except (EOFError, OSError):
        return None
