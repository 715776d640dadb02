"""The command line of llama-server, in the words that the build at hand knows."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import BinaryUnusable, EngineError
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.log import Output, Subject, classify
from rony_desktop.engine.process import environment, spawn

LOOPBACK = "127.0.0.1"
HELP_S = 10.0
OPTION = re.compile(r"(?:^|,\s+)(-{1,2}[A-Za-z][\w-]*)")


def command(candidate: Candidate, launch: Launch, address: Path | int, key_file: Path) -> list[str]:
    """The argv that serves launch at address: a socket's path, or a port of the loopback.

    The key is in key_file, never in argv, which every user of the machine can read.
    """
    argv = [*candidate.argv, "-m", str(launch.model.absolute()), "--alias", launch.alias]
    argv += _address(address)
    argv += ["--api-key-file", str(key_file)]
    options = {
        "-c": launch.n_ctx,
        "-b": launch.n_batch,
        "-ub": launch.n_ubatch,
        "-t": launch.threads,
        "-tb": launch.threads_batch,
        "-ngl": launch.gpu_layers,
        "-np": 1,
        "-fa": launch.flash_attn,
        "-ctk": launch.cache_type_k,
        "-ctv": launch.cache_type_v,
    }
    for name, value in options.items():
        if value is not None:
            argv += [name, str(value)]
    return argv + _where_known(candidate.flags, launch)


def options(help_text: str) -> frozenset[str]:
    """Every option name that a --help lists at the beginning of a line."""
    return frozenset(
        name
        for line in help_text.splitlines()
        if line.startswith("-")
        for name in OPTION.findall(re.split(r"(?<![,\s])\s{2,}", line)[0])
    )


async def features(candidate: Candidate, folder: Path, wrap: Wrap | None) -> frozenset[str]:
    """The options that a candidate's --help lists.

    Raises:
        EngineError: It cannot be run, or prints no help.
    """
    lines: list[str] = []
    output = Output()
    argv = [*candidate.argv, "--help"]
    process = await spawn(
        wrap(argv) if wrap else argv, environment(candidate.env), folder, lines.append
    )
    try:
        async with asyncio.timeout(HELP_S):
            code = await asyncio.shield(process.exit)
    except TimeoutError as error:
        raise BinaryUnusable(path=candidate.argv[0], detail="it does not end") from error
    finally:
        await process.end(grace_s=0)
    found = options("\n".join(lines))
    if code == 0 and "--api-key-file" in found:
        return found
    if code == 0:
        raise BinaryUnusable(path=candidate.argv[0], detail="it is not a llama-server")
    for line in lines:
        output.add(line)
    cause = classify(output, code, Subject(Path(), candidate.label, ""))
    raise cause if isinstance(cause, EngineError) else EngineError(detail=str(cause))


def _address(address: Path | int) -> list[str]:
    if isinstance(address, Path):
        return ["--host", str(address)]
    if not 0 < address <= 65535:  # noqa: PLR2004 - the server itself does not check
        raise EngineError(detail=f"{address} is not a port")
    return ["--host", LOOPBACK, "--port", str(address)]


def _where_known(known: frozenset[str], launch: Launch) -> list[str]:
    """Options that older builds lack or spell otherwise."""
    wanted = (
        ("--offline",),
        ("--slots",),
        ("--cors-origins", "localhost"),
        ("-cram", str(launch.cache_ram_mb)),
    )
    argv = [word for words in wanted if words[0] in known for word in words]
    spelling = next((name for name in ("--no-ui", "--no-webui") if name in known), None)
    return [*argv, spelling] if spelling else argv
