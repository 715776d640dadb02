"""`chat`: a conversation in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import sys

from rony_desktop.app.chat import new_id
from rony_desktop.app.lifecycle import running
from rony_desktop.cli.ask import answer, footer

LEAVE = {"/quit", "/exit"}


async def chat(options: argparse.Namespace) -> int:
    """Read questions line by line until the end of input or /quit; Ctrl+C stops an answer."""
    session = options.session or new_id()
    async with running(options.model, trust=options.trust) as app:
        if options.session:
            await app.chat.open(session)
        prompt = "> " if sys.stdin.isatty() else ""
        while (line := await asyncio.to_thread(_read, prompt)) is not None:
            if line.strip() in LEAVE:
                break
            if line.strip():
                response = await answer(app, session, line, echo=True)
                print(footer(response), file=sys.stderr)
    return 0


def _read(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None
