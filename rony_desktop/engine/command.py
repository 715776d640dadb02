"""The command line of llama-server, in the words that the build at hand knows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from rony_desktop.contract.engine import Launch
from rony_desktop.contract.error import (
    BinaryUnusable,
    EngineError,
    EngineFlagUnknown,
    WorkerUnreachable,
)
from rony_desktop.engine.candidate import Candidate, Wrap
from rony_desktop.engine.log import Output, Subject, classify, unreachable
from rony_desktop.engine.process import environment, spawn

LOOPBACK = "127.0.0.1"
HELP_S = 10.0
# Options that a current build has, of those that not every build knows.
NEWEST = frozenset(
    {
        *("--offline", "--slots", "--cors-origins", "-cram", "-lv", "-fit", "--no-ui"),
        *("--no-repack", "--n-cpu-moe", "--swa-full", "--rpc"),
    }
)
OPTION = re.compile(r"(?:^|,\s+)(-{1,2}[A-Za-z][\w-]*)")


def command(candidate: Candidate, launch: Launch, address: Path | int, key_file: Path) -> list[str]:
    """The argv that serves launch at address: a socket's path, or a port of the loopback.

    The key is in key_file, never in argv, which every user of the machine can read.
    """
    private = [*_address(address), "--api-key-file", str(key_file)]
    return [*candidate.argv, *private, *arguments(launch, candidate.flags)]


def arguments(launch: Launch, known: frozenset[str] = NEWEST) -> list[str]:
    """What of the command line the launch decides, for a build that knows these options."""
    return [word for name, value, _ in flags(launch, known) for word in (name, value) if word]


def flags(launch: Launch, known: frozenset[str] = NEWEST) -> list[tuple[str, str, str]]:
    """Every option of arguments() with its value and what decides it.

    That is a field of Launch, or offline, slots, cors, log, fit or ui, which no plan decides.
    """
    options = {
        "-m": (launch.model.absolute(), "model"),
        "--alias": (launch.alias, "alias"),
        "-c": (launch.n_ctx, "n_ctx"),
        "-b": (launch.n_batch, "n_batch"),
        "-ub": (launch.n_ubatch, "n_ubatch"),
        "-t": (launch.threads, "threads"),
        "-tb": (launch.threads_batch, "threads_batch"),
        "-ngl": (launch.gpu_layers, "gpu_layers"),
        "-np": (launch.parallel, "parallel"),
        "-fa": (launch.flash_attn, "flash_attn"),
        "-ctk": (launch.cache_type_k, "cache_type_k"),
        "-ctv": (launch.cache_type_v, "cache_type_v"),
    }
    given = [
        (option, str(value), name) for option, (value, name) in options.items() if value is not None
    ]
    return [*given, *_where_known(known, launch)]


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
    lines, code = await _printed(candidate, ["--help"], folder, wrap)
    found = options("\n".join(lines))
    if code == 0 and "--api-key-file" in found:
        return found
    if code == 0:
        raise BinaryUnusable(path=candidate.argv[0], detail="it is not a llama-server")
    output = Output()
    for line in lines:
        output.add(line)
    cause = classify(output, code, Subject(Path(), candidate.label, ""))
    raise cause if isinstance(cause, EngineError) else EngineError(detail=str(cause))


async def devices(
    candidate: Candidate,
    folder: Path,
    wrap: Wrap | None = None,
    workers: Sequence[str] = (),
) -> str:
    """What a candidate prints of the devices it can use; empty where it does not know the option.

    workers are other machines, whose devices it lists too.

    Raises:
        WorkerUnreachable: One of them does not answer; the engine itself would go on without it.
        EngineFlagUnknown: This build cannot use other machines.
        EngineError: It cannot be run.
    """
    if workers and "--rpc" not in candidate.flags:
        raise EngineFlagUnknown(detail="--rpc")
    if "--list-devices" not in candidate.flags:
        return ""
    beside = ["--rpc", ",".join(workers)] if workers else []
    lines, code = await _printed(candidate, [*beside, "--list-devices"], folder, wrap)
    lost = [worker for line in lines if (worker := unreachable(line))]
    if lost:
        raise WorkerUnreachable(worker=", ".join(lost))
    return "" if code else "\n".join(lines)


async def _printed(
    candidate: Candidate, options: Sequence[str], folder: Path, wrap: Wrap | None
) -> tuple[list[str], int]:
    """Run a candidate with options that make it print and end."""
    lines: list[str] = []
    argv = [*candidate.argv, *options]
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
    return lines, code


def _address(address: Path | int) -> list[str]:
    if isinstance(address, Path):
        return ["--host", str(address)]
    if not 0 < address <= 65535:  # noqa: PLR2004 - the server itself does not check
        raise EngineError(detail=f"{address} is not a port")
    return ["--host", LOOPBACK, "--port", str(address)]


def _where_known(known: frozenset[str], launch: Launch) -> list[tuple[str, str, str]]:
    """Options that older builds lack or spell otherwise."""
    wanted = [
        ("--offline", "", "offline"),
        ("--slots", "", "slots"),
        ("--cors-origins", "localhost", "cors"),
        ("-cram", str(launch.cache_ram_mb), "cache_ram_mb"),
        # Sizes of buffers, which show what a launch really took.
        ("-lv", "4", "log"),
    ]
    if launch.gpu_layers is not None:
        # Everything is planned: the engine's own fitting would only read the file twice.
        wanted.append(("-fit", "off", "fit"))
    if launch.n_cpu_moe:
        wanted.append(("--n-cpu-moe", str(launch.n_cpu_moe), "n_cpu_moe"))
    if launch.swa_full:
        wanted.append(("--swa-full", "", "swa_full"))
    if launch.rpc_workers:
        wanted.append(("--rpc", ",".join(launch.rpc_workers), "rpc_workers"))
    if not launch.repack:
        wanted.append(("--no-repack", "", "repack"))
    found = [each for each in wanted if each[0] in known]
    spelling = next((name for name in ("--no-ui", "--no-webui") if name in known), None)
    return [*found, (spelling, "", "ui")] if spelling else found
