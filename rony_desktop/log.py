"""Structured events and the two log files, app.log and llama.log."""

from __future__ import annotations

import json
import logging
import sys
from enum import StrEnum
from logging.handlers import RotatingFileHandler
from pathlib import Path

from rony_desktop.redact import redact

APP = logging.getLogger("rony.app")
LLAMA = logging.getLogger("rony.llama")
LIMIT_BYTES = 2_000_000
KEPT_FILES = 3


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
        APP.log(level, "%s", redact(json.dumps({"event": tag, **fields}, default=str)))


def log_engine(line: str) -> None:
    """Write one line of the engine's output to llama.log, secrets removed."""
    LLAMA.info("%s", redact(line))
