"""How a run ends: large values, errors, time, cancel, a disk that is full."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from rony_desktop.contract.error import DiskFull, ToolFileError
from rony_desktop.contract.message import ToolResult
from rony_desktop.contract.tool import CHANGED, DURATION_MS, ToolState
from tests.fake.approver import FakeApprover
from tests.fake.tool import READ, WRITE, Bench, holding


async def test_two_megabytes_of_arguments_are_shown_and_written() -> None:
    bench = Bench()
    text = "line\n" * 400_000
    result = await bench.write(content=text)
    assert not result.is_error
    assert bench.file("a.md") == text


async def test_five_megabytes_of_output_are_stored() -> None:
    bench = Bench(sandbox=holding(a="line of text\n" * 400_000))
    result = await bench.call("read_file", path="a.md")
    assert len(result.content.encode()) < 1_000
    assert len(bench.results.kept["r1"]) == 5_200_000


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ToolFileError(path="a.md", detail="it is no text"), "a.md: it is no text."),
        (FileNotFoundError(2, "No such file or directory", "a.md"), "a.md: No such file or dir"),
        (OSError(28, "No space left on device"), "No space left on device."),
        (OSError("odd"), "odd"),
        (TimeoutError(), "TimeoutError"),
    ],
)
async def test_errors_of_a_tool_are_answers(error: Exception, says: str) -> None:
    async def fail(*_: object) -> ToolResult:
        raise error

    bench = Bench(tools=[replace(READ, handler=fail), replace(WRITE, handler=fail)])
    result = await bench.call("read_file", path="a.md")
    assert result.is_error
    assert result.content.startswith(says)
    assert DURATION_MS in result.metadata
    assert bench.states == ["started", "done"]
    assert CHANGED not in (await bench.write()).metadata


async def test_a_result_that_is_an_error_changed_nothing() -> None:
    async def refuse(*_: object) -> ToolResult:
        return ToolResult("no", is_error=True)

    result = await Bench(tools=[replace(WRITE, handler=refuse)]).write()
    assert result.is_error
    assert CHANGED not in result.metadata


async def test_what_is_no_error_of_the_tree_is_the_turns() -> None:
    async def fail(*_: object) -> ToolResult:
        raise KeyError("bug")

    with pytest.raises(KeyError):
        await Bench(tools=[replace(READ, handler=fail)]).call("read_file", path="a.md")


async def forever(*_: object) -> Any:
    await asyncio.Event().wait()


@pytest.mark.parametrize("where", ["handler", "preview"])
async def test_a_tool_that_takes_too_long_is_stopped(where: str) -> None:
    slow: Callable[..., Awaitable[Any]] = forever
    tool = replace(WRITE, **{where: slow})  # type: ignore[arg-type]
    bench = Bench(tools=[tool], timeout_s=0.05)
    result = await bench.write()
    assert result.is_error
    assert "write_file was stopped after 0.05 s" in result.content
    expected = ["asked", "allowed", "started", "done"] if where == "handler" else []
    assert bench.states == expected


async def test_a_tool_may_have_a_time_of_its_own() -> None:
    slow: Callable[..., Awaitable[Any]] = forever
    bench = Bench(tools=[replace(WRITE, handler=slow, timeout_s=0.02)], timeout_s=60)
    assert "write_file was stopped after 0.02 s" in (await bench.write()).content


async def test_waiting_for_the_user_takes_none_of_the_tools_time() -> None:
    bench = Bench(approver=FakeApprover(waits=True), timeout_s=0.05)
    running = asyncio.create_task(bench.write())
    assert bench.approver
    await bench.approver.asked.wait()
    await asyncio.sleep(0.3)  # longer than a tool may run
    bench.approver.go.set()
    result = await running
    assert not result.is_error
    assert int(result.metadata[DURATION_MS]) < 300


async def test_a_cancel_while_asked_runs_nothing() -> None:
    bench = Bench(approver=FakeApprover(waits=True))
    running = asyncio.create_task(bench.write())
    assert bench.approver
    await bench.approver.asked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert bench.states == ["asked"]
    assert bench.sandbox
    assert not bench.sandbox.files


async def test_a_cancel_while_running_ends_the_tool() -> None:
    began, ended = asyncio.Event(), []

    async def slow(*_: object) -> ToolResult:
        began.set()
        try:
            return await forever()
        finally:
            ended.append(True)

    bench = Bench(tools=[replace(READ, handler=slow)])
    running = asyncio.create_task(bench.call("read_file", path="a.md"))
    await began.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert ended
    assert bench.states == ["started"]


@pytest.mark.parametrize("state", [ToolState.ASKED, ToolState.ALLOWED, ToolState.STARTED])
async def test_what_cannot_be_recorded_is_not_run(state: ToolState) -> None:
    bench = Bench(fails_at=state)
    result = await bench.write()
    assert result.is_error
    assert result.content == str(DiskFull(path="s.jsonl"))
    assert bench.sandbox
    assert not bench.sandbox.files


async def test_what_was_run_and_cannot_be_recorded_says_so() -> None:
    bench = Bench(fails_at=ToolState.DONE)
    result = await bench.write()
    assert not result.is_error
    assert result.content.startswith("written\nIt was run, but this could not be recorded: ")
    assert result.metadata[CHANGED] == "a.md"


async def test_other_errors_of_the_observer_are_raised() -> None:
    bench = Bench(fails_at=ToolState.STARTED, failure=RuntimeError("bug"))
    with pytest.raises(RuntimeError):
        await bench.write()


async def test_events_hold_no_values_of_arguments(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "rony.app"):
        await Bench().write(content="private words")
        await Bench().call("nothing")
    events = [json.loads(record.getMessage()) for record in caplog.records]
    assert [(e["event"], e["tool"], e.get("state")) for e in events] == [
        ("TOOL_CALL", "write_file", None),
        ("TOOL_RESULT", "write_file", "ok"),
        ("TOOL_CALL", "nothing", None),
        ("TOOL_RESULT", "nothing", "error"),
    ]
    assert events[1]["bytes"] == len("written")
    assert "private" not in caplog.text
