"""Stored results, read in pages and searched."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.port import ResultStore
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.builtin.found import Found
from rony_desktop.tool.builtin.page import PLACE, Place, page, room_of
from rony_desktop.tool.builtin.parameter import TEXT, parameters
from rony_desktop.tool.builtin.pattern import Pattern


def output_tools(results: ResultStore, inline_limit: int) -> tuple[ToolSpec, ...]:
    """read_output and search_output; results stay below inline_limit bytes."""
    room = room_of(inline_limit)

    async def read(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:  # noqa: ARG001
        text = await results.load(arguments["ref"])
        return ToolResult(await asyncio.to_thread(page, text, Place.of(arguments), room))

    async def search(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:  # noqa: ARG001
        text, stopped = await results.load(arguments["ref"]), threading.Event()
        try:
            return await asyncio.to_thread(_search, text, arguments["pattern"], room, stopped)
        finally:
            stopped.set()

    return (
        ToolSpec(
            "read_output",
            "Read a stored result by its ref.",
            parameters({"ref": TEXT, **PLACE}, "ref"),
            read,
            Permission.ALLOW,
            inline=True,
        ),
        ToolSpec(
            "search_output",
            "Search a stored result for a regular expression.",
            parameters({"ref": TEXT, "pattern": TEXT}, "ref", "pattern"),
            search,
            Permission.ALLOW,
            inline=True,
        ),
    )


def _search(text: str, pattern: str, room: int, stopped: threading.Event) -> ToolResult:
    wanted, found = Pattern(pattern), Found(room)
    for hit in wanted.hits(text.encode("utf-8", "replace")):
        if hit:
            found.add(f"{hit.line}: {hit.text}")
        if found.full or stopped.is_set():
            break
    found.notes.append(wanted.note)
    return ToolResult(found.text())
