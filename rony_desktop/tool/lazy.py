"""Tools that are made when they are first used."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from typing import Any

from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec


def lazy_tool(
    name: str,
    description: str,
    parameters: Mapping[str, Any],
    load: Callable[[], ToolSpec],
    **options: Any,
) -> ToolSpec:
    """A tool of which only what the model sees is there; load makes the rest.

    load runs once, in a thread, at the first call; where it raises, the next call tries again.
    options are the other fields of ToolSpec.
    """
    lock = threading.Lock()
    made: list[ToolSpec] = []

    def loaded() -> ToolSpec:
        with lock:
            if not made:
                made.append(load())
            return made[0]

    async def run(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
        tool = made[0] if made else await asyncio.to_thread(loaded)
        return await tool.execute(context, arguments)

    return ToolSpec(name, description, parameters, run, **options)
