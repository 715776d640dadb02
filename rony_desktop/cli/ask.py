"""`ask`: one question, one answer, text or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

from rony_desktop.app.chat import new_id
from rony_desktop.app.context import AppContext
from rony_desktop.app.lifecycle import running
from rony_desktop.cli.terminal import read_all
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import RonyError
from rony_desktop.contract.event import TextDelta, TurnFinished
from rony_desktop.contract.llm import StopReason


async def ask(options: argparse.Namespace) -> int:
    """Ask, print the answer as it comes, its speed on standard error; 0 where it ended well."""
    question = (" ".join(options.question) or await read_all()).strip()
    if not question:
        print("rony-desktop: there is no question; write one after `ask`.", file=sys.stderr)
        return 2
    session = options.session or new_id()
    async with running(options.model, trust=options.trust) as app:
        tell(app)
        if options.session:
            await app.chat.open(session)
        response = await answer(app, session, question, echo=not options.json)
    if options.json:
        print(json.dumps(as_json(response, session), ensure_ascii=False))
    else:
        print(footer(response), file=sys.stderr)
    return 1 if response.failure else 0


def tell(app: AppContext) -> None:
    """Print what was wrong with the configuration on standard error, one line each."""
    for failure in app.notices:
        print(f"rony-desktop: {failure}", file=sys.stderr)


async def answer(app: AppContext, session: str, question: str, *, echo: bool) -> Response:
    """Run one turn and return how it ended; echo prints the text as it comes."""
    response: Response | None = None
    async with aclosing(app.chat.send(session, question)) as events:
        async for event in events:
            match event:
                case TextDelta(text) if echo:
                    print(text, end="", flush=True)
                case TurnFinished(response=response):
                    pass
    if response is None:
        raise RonyError(detail="the turn ended without a result")
    if echo and response.content:
        print(flush=True)  # before what follows on standard error
    return response


def footer(response: Response) -> str:
    """One line about an answer: its failure, or its speed and why it stopped."""
    if response.failure:
        return f"rony-desktop: {response.failure}"
    timings = response.timings
    cut = response.stop_reason is StopReason.MAX_OUTPUT_RECOVERY_EXHAUSTED
    ending = "cut off at the longest length" if cut else response.stop_reason
    return (
        f"[{response.model}: {timings.decode_tokens_per_s:.1f} tok/s, "
        f"{response.usage.output_tokens} tokens, {timings.prompt_ms:.0f} ms prefill, "
        f"{ending}]"
    )


def as_json(response: Response, session: str) -> dict[str, Any]:
    """What `ask --json` prints."""
    timings = response.timings
    found: dict[str, Any] = {
        "content": response.content,
        "stop_reason": str(response.stop_reason),
        "usage": {**asdict(response.usage), "total_tokens": response.usage.total_tokens},
        "timings": {
            **asdict(timings),
            "prefill_tokens_per_s": round(timings.prefill_tokens_per_s, 2),
            "decode_tokens_per_s": round(timings.decode_tokens_per_s, 2),
        },
        "model": response.model,
        "session": session,
    }
    if response.failure:
        found["error"] = {"code": response.failure.code, "message": str(response.failure)}
    return found
