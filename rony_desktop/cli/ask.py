"""`ask`: one question, one answer, text or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict
from typing import Any

from rony_desktop.app.context import AppContext
from rony_desktop.app.id import new_id
from rony_desktop.app.lifecycle import running
from rony_desktop.app.tool import plain_result
from rony_desktop.cli.sum import memory
from rony_desktop.cli.terminal import read_all
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import PlanTooLarge, RonyError
from rony_desktop.contract.event import Append, Iteration, TextDelta, TurnFinished
from rony_desktop.contract.launch import PlannedLaunch
from rony_desktop.contract.llm import StopReason
from rony_desktop.contract.message import ToolResult

ANYWAY = "Run the command with --anyway to load it nevertheless."


async def ask(options: argparse.Namespace) -> int:
    """Ask, print the answer as it comes, its speed on standard error; 0 where it ended well."""
    question = (" ".join(options.question) or await read_all()).strip()
    if not question:
        print("rony-desktop: there is no question; write one after `ask`.", file=sys.stderr)
        return 2
    async with conversation(options) as (app, session):
        response = await answer(app, session, question, echo=not options.json)
    if options.json:
        print(json.dumps(as_json(response, session), ensure_ascii=False))
    else:
        print(footer(response, app.runtime.planned), file=sys.stderr)
    return 1 if response.failure else 0


@asynccontextmanager
async def conversation(options: argparse.Namespace) -> AsyncIterator[tuple[AppContext, str]]:
    """The program and the chat that a command's options name."""
    session = options.session or new_id()
    folder = options.workspace or ""
    allowed = options.allow_tool or ()
    program = running(
        options.model,
        trust=options.trust,
        folder=folder,
        allowed=allowed,
        anyway=options.anyway,
    )
    async with program as app:
        tell(app)
        if options.session:
            await app.chat.open(session)
            if folder:
                await app.chat.choose_folder(session, await app.workspaces.remember(folder))
        await _trust(app, session, trust=options.trust)
        yield app, session


async def _trust(app: AppContext, session: str, *, trust: bool) -> None:
    """Use what the chat's folder brings along where --trust says so, else say that it is not."""
    files = await app.folders.untrusted(session)
    if files and trust:
        await app.folders.trust(session, files, trusted=True)
    elif files:
        names = " and ".join(file.name for file in files)
        print(f"rony-desktop: {names} of the folder not used; --trust uses it.", file=sys.stderr)


def tell(app: AppContext) -> None:
    """Print what was wrong with the configuration on standard error, one line each."""
    for failure in app.notices:
        print(f"rony-desktop: {failure}", file=sys.stderr)


async def answer(app: AppContext, session: str, question: str, *, echo: bool) -> Response:
    """Run one turn and return how it ended; echo prints the text as it comes, and each tool."""
    response: Response | None = None
    names: dict[str, str] = {}
    async with aclosing(app.chat.send(session, question)) as events:
        async for event in events:
            match event:
                case TextDelta(text) if echo:
                    print(text, end="", flush=True)
                case Iteration(message=message):
                    names |= {call.id: call.name for call in message.tool_calls}
                case Append(message) if echo and message.tool_result:
                    name = names.get(message.tool_call_id, "")
                    print(tool_line(name, message.tool_result), file=sys.stderr)
                case TurnFinished(response=response):
                    pass
    if response is None:
        raise RonyError(detail="the turn ended without a result")
    if echo and response.content:
        print(flush=True)  # before what follows on standard error
    return response


def tool_line(name: str, result: ToolResult) -> str:
    """One line about a call: that it worked, else why it did not."""
    said = plain_result(result).partition("\n")[0] if result.is_error else "done"
    return f"[{printable(name)}: {printable(said)}]"


def printable(text: str) -> str:
    """Words of a model for a terminal: nothing that moves its cursor."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def footer(response: Response, launch: PlannedLaunch | None = None) -> str:
    """One line about an answer: its speed and why it stopped; or its failure.

    A launch that was refused for its size is told as a sum, and how to have it anyway.
    """
    if response.failure and response.failure.code == PlanTooLarge.code and launch:
        lines = (f"rony-desktop: {response.failure}", *memory(launch.plan), ANYWAY)
        return "\n".join(lines)
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
        "tool_calls": [
            {"name": call.name, "arguments": call.arguments} for call in response.tool_calls
        ],
        "model": response.model,
        "session": session,
    }
    if response.failure:
        found["error"] = {"code": response.failure.code, "message": str(response.failure)}
    return found
