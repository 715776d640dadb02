"""What an engine wrote, and the typed cause of its end read from it."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rony_desktop.contract.error import (
    EngineDied,
    EngineError,
    EngineFlagUnknown,
    EngineKilled,
    EngineOutOfMemory,
    EnginePortTaken,
    EngineUnsuited,
    ModelArchitecture,
    ModelCut,
    ModelFileError,
    ModelForeign,
    ModelMissing,
    ModelTemplate,
    WorkerUnreachable,
)
from rony_desktop.engine.reading import Reading
from rony_desktop.log import log_engine

KEPT_LINES = 60
# Up-time, level, module, and the functions that hand an error on.
PREFIX = re.compile(
    r"^(?:[\d.]+ [EWID] +)?(?:(?:srv|cmn|slot) +)?(?:\w+(?:\(\))?: +|error loading model: )*"
)
ERROR = re.compile(
    r"^(?:[\d.]+ E |error\b|GGML_ASSERT|terminate called)|: (?:GGML_ASSERT|Remote RPC)"
)

# The engine goes on without a machine it does not reach, on this one alone.
UNREACHABLE = re.compile(r"^[\d.]+ E .*Failed to connect to (\S+:\d+)\s*$")

TEMPLATE = r"common_chat_templates_init|chat template parsing error"

# Signals as asyncio reports them, as a shell or a sandbox passes them on, and Windows' own.
ILLEGAL_INSTRUCTION = (-4, 132, 0xC000001D)
KILLED = (-9, 137)


class Output:
    """The last lines of an engine and the first error among them; every line goes to llama.log.

    lost is set once a machine that should hold a part of the model is not reached; worker is its
    address.
    """

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.worker = ""
        self.tail: deque[str] = deque(maxlen=KEPT_LINES)
        self.first_error = ""
        self.reading = Reading()
        self._ready = False

    def add(self, line: str) -> None:
        """Take one line of its output."""
        log_engine(line)
        self.tail.append(line)
        if not self._ready:
            self.reading.add(line)
        if not self.first_error and ERROR.search(line):
            self.first_error = line
        if not self.worker and (worker := unreachable(line)):
            self.worker = worker
            self.lost.set()

    def forget_errors(self) -> None:
        """Start anew once the engine is ready: what it complained of before did not end it."""
        self.first_error = ""
        self._ready = True


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom an error is about: the model's file, the engine's label, the address it was given.

    workers are the addresses of other machines that hold a part of the model.
    """

    model: Path
    binary: str
    address: str
    workers: tuple[str, ...] = ()


def unreachable(line: str) -> str:
    """The address of the machine that a line says is not reached; "" for every other line."""
    found = UNREACHABLE.match(line)
    return found[1] if found else ""


Cause = Callable[[Subject, str], EngineError | ModelFileError]

# Every load error is printed several times, each more general: the first one is the cause.
CAUSES: tuple[tuple[str, Cause], ...] = (
    (
        r"invalid argument|error while handling argument|argument has been removed",
        lambda _subject, detail: EngineFlagUnknown(detail=detail),
    ),
    (
        TEMPLATE,
        lambda subject, detail: ModelTemplate(path=subject.model.name, detail=detail),
    ),
    (
        r"couldn't bind",
        lambda subject, _detail: EnginePortTaken(address=subject.address),
    ),
    (
        r"Failed to connect to|Remote RPC server crashed",
        lambda subject, _detail: WorkerUnreachable(worker=", ".join(subject.workers)),
    ),
    (
        r"failed to open GGUF file",
        lambda subject, detail: ModelMissing(path=subject.model, detail=_reason(detail)),
    ),
    (
        r"failed to read magic|invalid magic",
        lambda subject, detail: ModelForeign(path=subject.model, detail=detail),
    ),
    (
        r"unknown model architecture",
        lambda _subject, detail: ModelArchitecture(detail=detail),
    ),
    (
        r"failed to allocate|unable to allocate|[Ii]nsufficient [Mm]emory|out of memory"
        r"|OutOf(?:Device|Host)Memory|Cannot allocate memory|bad_alloc"
        r"|mem_buffer != NULL|std::system_error",  # a thread had no room for its stack
        lambda subject, detail: EngineOutOfMemory(model=subject.model.name, detail=detail),
    ),
    (
        r"gguf_init|within the file bounds|corrupted|tensor '.*' (?:not found|has wrong shape)"
        r"|missing tensor|key not found in model|unknown (?:pre-)?tokenizer|error loading model",
        lambda subject, detail: ModelCut(path=subject.model, detail=detail),
    ),
)


def classify(output: Output, code: int, subject: Subject) -> EngineError | ModelFileError:
    """The typed cause of an engine's end, from its exit code and its first error line."""
    if code in ILLEGAL_INSTRUCTION:
        return EngineUnsuited(binary=subject.binary)
    if code in KILLED:
        return EngineKilled()
    line = output.first_error
    detail = PREFIX.sub("", line).strip()
    for pattern, cause in CAUSES:
        if re.search(pattern, line):
            return cause(subject, _said(output) if pattern is TEMPLATE else detail)
    last = output.tail[-1] if output.tail else ""
    return EngineDied(detail=detail or PREFIX.sub("", last).strip() or f"exit code {code}")


def _said(output: Output) -> str:
    """What a chat template's own error says, lines below the one that reports it."""
    found = (re.search(r"(?:Jinja Exception|Parser Error): (.*)", line) for line in output.tail)
    return next((said[1].strip() for said in found if said), "the engine cannot read it")


def _reason(detail: str) -> str:
    """The system's own words where a line ends with them in parentheses."""
    found = re.search(r"\(([^()]+)\)$", detail)
    return found.group(1) if found else detail
