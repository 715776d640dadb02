from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from rony_desktop.contract.error import ToolFileError
from rony_desktop.contract.message import ToolCall, ToolResult
from rony_desktop.contract.session import Session
from rony_desktop.contract.tool import Permission
from rony_desktop.contract.tool_spec import ToolContext, ToolSpec
from rony_desktop.tool.lazy import lazy_tool

SCHEMA = {"type": "object"}


async def echo(context: ToolContext, arguments: Mapping[str, Any]) -> ToolResult:
    return ToolResult(f"{context.call.id} {arguments['x']}")


def real() -> ToolSpec:
    return ToolSpec("t", "real", SCHEMA, echo)


def context(id: str = "1") -> ToolContext:
    return ToolContext(Session("s"), ToolCall(id, "t", "{}"))


async def test_what_the_model_sees_needs_no_loading() -> None:
    tool = lazy_tool("t", "shown", SCHEMA, lambda: pytest.fail("loaded"), paths=("x",))
    assert (tool.schema().name, tool.schema().description) == ("t", "shown")
    assert (tool.paths, tool.permission) == (("x",), Permission.ASK)


async def test_it_is_made_once_and_off_the_loop() -> None:
    threads: list[threading.Thread] = []
    go = threading.Event()

    def load() -> ToolSpec:
        threads.append(threading.current_thread())
        assert go.wait(10)
        return real()

    tool = lazy_tool("t", "shown", SCHEMA, load)
    calls = [asyncio.create_task(tool.execute(context(str(i)), {"x": i})) for i in range(9)]
    await asyncio.sleep(0)  # every call is waiting for the tool now
    go.set()
    results = await asyncio.gather(*calls)
    assert [r.content for r in results] == [f"{i} {i}" for i in range(9)]
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert (await tool.execute(context("z"), {"x": 1})).content == "z 1"
    assert len(threads) == 1


async def test_a_failed_load_is_tried_again() -> None:
    failures = [ToolFileError(path="server", detail="is away")]

    def load() -> ToolSpec:
        if failures:
            raise failures.pop()
        return real()

    tool = lazy_tool("t", "shown", SCHEMA, load)
    with pytest.raises(ToolFileError):
        await tool.execute(context(), {"x": 1})
    assert (await tool.execute(context(), {"x": 2})).content == "1 2"
