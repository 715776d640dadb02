"""Options of the commands about a model's file, and how their values are written.

What they need of the contract is imported when an option is used: every start makes this parser.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rony_desktop.cli.size import size

if TYPE_CHECKING:
    from rony_desktop.contract.config import OptimizationMode

LONGEST_CONTEXT = 16_777_216
LARGEST_UBATCH = 65_536
MOST_SLOTS = 256  # llama.cpp: LLAMA_MAX_SEQ
MOST_LAYERS = 65_535
MOST_REPEATS = 1000


def add_file(target: argparse.ArgumentParser) -> None:
    """Which file, and how to print."""
    target.add_argument(
        "file", metavar="FILE", type=Path, help="a GGUF file, or the first part of a split one"
    )
    target.add_argument("--json", action="store_true", help="print one JSON object instead of text")


def add_plan(target: argparse.ArgumentParser) -> None:
    """What of a launch can be given; everything else is planned."""
    add = target.add_argument
    add("--ctx", metavar="N", type=_number(1, LONGEST_CONTEXT), help="context in tokens")
    add("--mode", metavar="MODE", type=_mode, help="balanced, speed, context or small")
    add("--ram", metavar="SIZE", type=size, help="memory in place of this computer's, as 8GiB")
    add("--vram", metavar="SIZE", type=size, help="the same of a GPU; 0 is none")
    add("--gpu-layers", metavar="N", type=_layers, help="layers on the GPU: a number, all or auto")
    add("--cache-type-k", metavar="TYPE", type=_cache_type, help="type of keys, such as q8_0")
    add("--cache-type-v", metavar="TYPE", type=_cache_type, help="type of values")
    add("--ubatch", metavar="N", type=_number(1, LARGEST_UBATCH), help="tokens of one batch")
    add("--parallel", metavar="N", type=_slots, help="slots; auto is the server's default")
    add("--flash-attn", choices=("on", "off", "auto"), help="flash attention")
    add("--swa-full", action="store_true", help="keep all of the context in sliding windows too")
    add("--no-repack", action="store_true", help="keep weights in the layout of the file")


def add_benchmark(target: argparse.ArgumentParser) -> None:
    """What is measured, how often, and how to print."""
    add = target.add_argument
    add("--json", action="store_true", help="print one JSON object instead of text")
    tokens, times = _number(1, LONGEST_CONTEXT), _number(1, MOST_REPEATS)
    add(
        "--prompt",
        metavar="TOKENS",
        type=tokens,
        action="append",
        help="length of a prompt, may be given again (128 and 512)",
    )
    add("--tokens", metavar="N", type=tokens, help="tokens to write (48)")
    add("--repeats", metavar="N", type=times, help="how often each is measured (3)")


def add_engine(target: argparse.ArgumentParser) -> None:
    """What to do with builds of the engine."""
    actions = target.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="what is installed, what could be, what is used")
    listing.add_argument("--online", action="store_true", help="ask the site for newer builds")
    install = actions.add_parser("install", help="get a build and try it; it is not used yet")
    install.add_argument(
        "build", nargs="?", default="", help="as b9860-vulkan or b9860; without it the best known"
    )
    use = actions.add_parser("use", help="go over to an installed build")
    use.add_argument("build", help="as b9860-vulkan; previous goes back, auto chooses none")
    for action in (listing, install, use):
        action.add_argument("--json", action="store_true", help="print one JSON object")


def add_models(target: argparse.ArgumentParser) -> None:
    """What to do with models."""
    actions = target.add_subparsers(dest="action", metavar="ACTION", required=True)
    search = actions.add_parser("search", help="look for models on the hub")
    search.add_argument("words", nargs="+", metavar="WORDS")
    search.add_argument("--limit", metavar="N", type=_number(1, 100), default=20, help="(20)")
    pull = actions.add_parser("pull", help="download a model; what is there already is used")
    pull.add_argument("name", metavar="MODEL[:QUANT]", help="as owner/name:Q4_K_M")
    newer = actions.add_parser("newer", help="what the hub has newer; pull of that name gets it")
    suggest = actions.add_parser("suggest", help="three models that suit this computer")
    listing = actions.add_parser("list", help="models, folders and unfinished downloads here")
    adopt = actions.add_parser("import", help="use a file, or a model of another program, by link")
    adopt.add_argument(
        "path", nargs="?", metavar="PATH", help="a file, a folder, or with --found a name"
    )
    adopt.add_argument("--found", action="store_true", help="what other programs have here")
    remove = actions.add_parser("remove", help="delete a model, or what came of a download")
    remove.add_argument("name", metavar="NAME")
    remove.add_argument("--yes", action="store_true", help="do not ask")
    for action in (search, pull, newer, suggest, listing, adopt, remove):
        action.add_argument("--json", action="store_true", help="print one JSON object")


def _number(least: int, most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            message = f"{text!r} is no number from {least} to {most}"
            raise argparse.ArgumentTypeError(message)
        return int(text)

    return number


def _layers(text: str) -> int | None:
    if text == "auto":
        return None
    from rony_desktop.contract.plan import ALL_LAYERS

    return ALL_LAYERS if text == "all" else _number(0, MOST_LAYERS)(text)


def _slots(text: str) -> int | None:
    return None if text == "auto" else _number(1, MOST_SLOTS)(text)


def _mode(text: str) -> OptimizationMode:
    from rony_desktop.contract.config import OptimizationMode

    if text not in list(OptimizationMode):
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(OptimizationMode)}")
    return OptimizationMode(text)


def _cache_type(text: str) -> str:
    from rony_desktop.contract.plan import CACHE_TYPES

    if text not in CACHE_TYPES:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(CACHE_TYPES)}")
    return text
