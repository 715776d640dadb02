"""The command line: parse, run one command, turn every error into a sentence and an exit code."""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence

from rony_desktop import __version__
from rony_desktop.contract.error import RonyError

FAILED = 1
INTERRUPTED = 130


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the window, or of a command beside it; a wrong one ends the program.

    Most starts open the window and do without a megabyte of other options.
    """
    top = argparse.ArgumentParser(
        prog="rony-desktop", description="A private AI assistant on your own computer."
    )
    top.add_argument("--version", action="version", version=f"rony-desktop {__version__}")
    top.add_argument("--smoke", action="store_true", help="open the window, report as JSON, end")
    top.add_argument("--demo", metavar="QUESTION", help="ask one question in the window and end")
    top.add_argument("--picture", metavar="FILE", help="with --demo: save a picture of the window")
    _common(top, suppress=False)
    if any(not word.startswith("-") or word.startswith(("-h", "--h")) for word in arguments):
        _add_commands(top)
    else:
        top.set_defaults(command=None)
    return top.parse_args(arguments)


def _add_commands(top: argparse.ArgumentParser) -> None:
    from rony_desktop.cli.option import add_engine, add_file, add_models, add_plan

    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    ask = commands.add_parser("ask", help="ask one question and print the answer")
    ask.add_argument("question", nargs="*", help="the question; standard input where it is missing")
    ask.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    _chat(ask)
    _common(ask)
    chat = commands.add_parser("chat", help="talk in the terminal until /quit")
    _chat(chat)
    _common(chat)
    doctor = commands.add_parser("doctor", help="check this computer and say what is wrong")
    doctor.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    _common(doctor)
    plan = commands.add_parser("plan", help="say how a model would be launched here, and why")
    add_file(plan)
    add_plan(plan)
    inspect = commands.add_parser("inspect", help="say what is in a model's file")
    add_file(inspect)
    _speed(commands)
    add_engine(commands.add_parser("engine", help="list, install and choose builds of the engine"))
    add_models(commands.add_parser("models", help="find, download, list, import and delete models"))


def _speed(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The commands that measure."""
    from rony_desktop.cli.option import add_benchmark

    benchmark = commands.add_parser("benchmark", help="measure how fast a model is here")
    add_benchmark(benchmark)
    _common(benchmark)
    tune = commands.add_parser("tune", help="look for a faster setting, and use it if sure")
    tune.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    _common(tune)


def _chat(target: argparse.ArgumentParser) -> None:
    """Options of a command that talks."""
    target.add_argument("--session", metavar="ID", help="go on in this chat")
    target.add_argument(
        "--anyway", action="store_true", help="load the model even where memory is short"
    )
    target.add_argument("--workspace", metavar="DIR", help="a folder the model may work in")
    target.add_argument(
        "--allow-tool",
        metavar="NAME",
        action="append",
        help="run this tool without asking; without it, what would ask is denied",
    )


def _common(target: argparse.ArgumentParser, *, suppress: bool = True) -> None:
    """Options every command takes, before or after its name."""
    default = argparse.SUPPRESS if suppress else None
    target.add_argument(
        "--model", metavar="NAME", default=default, help="a path, an id, or provider:model"
    )
    target.add_argument(
        "--trust",
        action="store_true",
        default=argparse.SUPPRESS if suppress else False,
        help="use rony.yaml of the current folder, and what --workspace brings along",
    )


def run(work: Callable[[], int]) -> int:
    """Run a command, or the window, and return its exit code."""
    if sys.stdin is None:  # whoever started the program closed it
        sys.stdin = io.StringIO()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        # What no encoding can say is shown as a question mark, never a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    code = _guarded(work)
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError as error:
        # Python would try once more at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code == 0 and not isinstance(error, BrokenPipeError):
            print(f"rony-desktop: printing failed: {error.strerror}.", file=sys.stderr)
        return code or FAILED
    return code


def _guarded(work: Callable[[], int]) -> int:
    """Run work and return its exit code, or one for what it raised.

    The broad except is one of the four borders: no traceback reaches the terminal.
    """
    try:
        return work()
    except RonyError as error:
        print(f"rony-desktop: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return FAILED
    except Exception as error:
        from rony_desktop.app.crash import keep_traceback

        keep_traceback(traceback.format_exc())
        print(f"rony-desktop: {RonyError(detail=repr(error))}", file=sys.stderr)
        return FAILED


def command(options: argparse.Namespace) -> int:
    """Run the command that was given."""
    return asyncio.run(_command(options))


async def _command(options: argparse.Namespace) -> int:
    """Only the command that runs is imported."""
    match options.command:
        case "ask":
            from rony_desktop.cli.ask import ask as run
        case "chat":
            from rony_desktop.cli.chat import chat as run
        case "plan":
            from rony_desktop.cli.plan import plan as run
        case "inspect":
            from rony_desktop.cli.inspect import inspect as run
        case "benchmark":
            from rony_desktop.cli.benchmark import benchmark as run
        case "tune":
            from rony_desktop.cli.tune import tune as run
        case "engine" | "models":
            return await _stock(options)
        case _:
            from rony_desktop.cli.doctor import doctor as run
    return await run(options)


async def _stock(options: argparse.Namespace) -> int:
    """Run a command about what is kept here."""
    if options.command == "engine":
        from rony_desktop.cli.engine import engine as run
    else:
        from rony_desktop.cli.models import models as run
    return await run(options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse and run a command."""
    options = parsed(sys.argv[1:] if arguments is None else arguments)
    return run(lambda: command(options))
