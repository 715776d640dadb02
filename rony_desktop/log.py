"""Structured events and the two log files, app.log and llama.log.

Files are written by one thread of their own, so that a slow disk never holds the window.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import logging
import os
import queue
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from io import TextIOWrapper
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from types import MappingProxyType

from rony_desktop.redact import redact

APP = logging.getLogger("rony.app")
LLAMA = logging.getLogger("rony.llama")
FOREIGN = ("httpx", "httpcore", "asyncio", "qasync")
LIMIT_BYTES = 2_000_000
KEPT_FILES = 3
LINE_LIMIT = 16_000
# Read beyond the limit before cutting, so that the cut never halves a secret.
OVERLAP = 4_000

run_context: ContextVar[Mapping[str, str]] = ContextVar("run_context", default=MappingProxyType({}))
"""Fields that every event of this task carries, as session and run."""


class EventTag(StrEnum):
    """The tags of structured events; docs/checklist.md says who emits each."""

    LLM_REQUEST = "LLM_REQUEST"
    LLM_RESPONSE = "LLM_RESPONSE"
    TOOL_CALL = "TOOL_CALL"
    TOOL_RESULT = "TOOL_RESULT"
    TOOL_RESULT_STORED = "TOOL_RESULT_STORED"
    MEMORY_RETRIEVAL_STAGE1 = "MEMORY_RETRIEVAL_STAGE1"
    MEMORY_RETRIEVAL_STAGE2 = "MEMORY_RETRIEVAL_STAGE2"
    WORKING_MEMORY_COMPRESSED = "WORKING_MEMORY_COMPRESSED"
    MCP_CONNECT = "MCP_CONNECT"
    MCP_TOOL_CALL = "MCP_TOOL_CALL"
    SKILL_STORED = "SKILL_STORED"
    SKILL_RETRIEVAL = "SKILL_RETRIEVAL"
    SCRIPT_EXEC_START = "SCRIPT_EXEC_START"
    SCRIPT_EXEC_DONE = "SCRIPT_EXEC_DONE"
    SCRIPT_EXEC_DENIED = "SCRIPT_EXEC_DENIED"
    SUPERVISOR_RESTART = "SUPERVISOR_RESTART"
    ERROR_STACKTRACE = "ERROR_STACKTRACE"


def log_event(tag: EventTag, level: int = logging.INFO, **fields: object) -> None:
    """Write one line of JSON to app.log: the tag and its fields, secrets removed.

    Field names come from one vocabulary: session, run, tool, model, ms, tokens, detail.
    """
    if APP.isEnabledFor(level):
        event = {"event": tag, **run_context.get(), **fields}
        APP.log(level, "%s", _clean(json.dumps(event, default=str, ensure_ascii=False)))


def log_engine(line: str) -> None:
    """Write one line of the engine's output to llama.log, secrets removed."""
    if LLAMA.isEnabledFor(logging.INFO):
        LLAMA.info("%s", _clean(line.rstrip()))


def start_logging(folder: Path, level: str) -> None:
    """Write app.log and llama.log in folder until stop_logging; never raises for the disk's sake.

    Where a file cannot be written, stderr says so once and takes the warnings.
    """
    global _listener  # noqa: PLW0603 - one pair of files per process
    stop_logging()
    lines: queue.SimpleQueue[logging.LogRecord | None] = queue.SimpleQueue()
    app = _LogFile(folder / "app.log")
    app.addFilter(lambda record: record.name != LLAMA.name)
    llama = _LogFile(folder / "llama.log")
    llama.addFilter(lambda record: record.name == LLAMA.name)
    _listener = QueueListener(lines, app, llama)
    handler = QueueHandler(lines)
    handler.setFormatter(_Line())
    for name, least in (
        (APP.name, level.upper()),
        (LLAMA.name, "INFO"),
        *((name, "WARNING") for name in FOREIGN),
    ):
        logging.getLogger(name).setLevel(least)
        logging.getLogger(name).addHandler(handler)
    _listener.start()
    atexit.register(stop_logging)


def stop_logging() -> None:
    """Write what is waiting and close both files; does nothing where none is open."""
    global _listener
    if _listener is None:
        return
    listener, _listener = _listener, None
    atexit.unregister(stop_logging)
    for name in (APP.name, LLAMA.name, *FOREIGN):
        logger = logging.getLogger(name)
        for handler in [h for h in logger.handlers if isinstance(h, QueueHandler)]:
            logger.removeHandler(handler)
    listener.stop()
    for file in listener.handlers:
        # On a full disk the last lines cannot be flushed; that was said already.
        with contextlib.suppress(OSError):
            file.close()


_listener: QueueListener | None = None


def _clean(line: str) -> str:
    return redact(line[: LINE_LIMIT + OVERLAP])[:LINE_LIMIT]


class _Line(logging.Formatter):
    """ISO time in UTC, level, and one line of JSON (the engine's own line in llama.log)."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.name not in (APP.name, LLAMA.name):
            cause = self.formatException(record.exc_info) if record.exc_info else ""
            fields = {"logger": record.name, "detail": text, "traceback": cause}
            text = _clean(json.dumps({k: v for k, v in fields.items() if v}, ensure_ascii=False))
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        return f"{moment} {record.levelname} {text}"


class _LogFile(RotatingFileHandler):
    """A rotating file only its owner reads; opened by the first line, in the writing thread."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=LIMIT_BYTES, backupCount=KEPT_FILES, encoding="utf-8", delay=True
        )
        self._said = False

    def _open(self) -> TextIOWrapper:
        folder = Path(self.baseFilename).parent
        if not folder.is_dir():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        private = functools.partial(os.open, mode=0o600)
        return open(
            self.baseFilename, "a", encoding="utf-8", errors="backslashreplace", opener=private
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        said, self._said = self._said, True
        if sys.stderr is None:  # a windowed program on Windows
            return
        with contextlib.suppress(OSError, ValueError):
            if not said:
                sys.stderr.write(f"{self.baseFilename} cannot be written: {sys.exc_info()[1]}\n")
            if record.levelno >= logging.WARNING:
                sys.stderr.write(f"{record.getMessage()}\n")
