"""The one door to asynchronous work: errors are told, cancellation is none, nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import logging
from collections.abc import AsyncIterator, Callable

import pytest

from rony_desktop.contract.error import DiskFull, Failure
from rony_desktop.ui.task import Tasks

ExpectedLog = Callable[[str], None]


@pytest.fixture
def failures() -> list[Failure]:
    return []


@pytest.fixture
async def tasks(failures: list[Failure]) -> AsyncIterator[Tasks]:
    tasks = Tasks(failures.append)
    yield tasks
    await tasks.close()


async def test_work_runs_under_its_name(tasks: Tasks, failures: list[Failure]) -> None:
    done: list[int] = []

    async def work() -> None:
        done.append(1)

    task = tasks.spawn(work(), "the work")
    assert task.get_name() == "the work"
    await task
    assert (done, failures) == ([1], [])


async def test_a_known_error_is_told_as_it_is(tasks: Tasks, failures: list[Failure]) -> None:
    async def work() -> None:
        raise DiskFull(path="data")

    await tasks.spawn(work(), "work")
    assert failures == [DiskFull(path="data").failure()]


async def test_what_nobody_foresaw_is_told_and_its_traceback_logged(
    tasks: Tasks,
    failures: list[Failure],
    caplog: pytest.LogCaptureFixture,
    expected_log: ExpectedLog,
) -> None:
    expected_log("ERROR_STACKTRACE")

    async def work() -> None:
        raise ZeroDivisionError("unforeseen")

    with caplog.at_level(logging.ERROR, "rony.app"):
        await tasks.spawn(work(), "work")
    (failure,) = failures
    assert failure.code == "error"
    assert failure.params == {"detail": "ZeroDivisionError('unforeseen')"}
    (line,) = (json.loads(record.getMessage()) for record in caplog.records)
    assert line["event"] == "ERROR_STACKTRACE"
    assert "ZeroDivisionError: unforeseen" in line["detail"]


async def test_cancelling_is_no_error(tasks: Tasks, failures: list[Failure]) -> None:
    task = tasks.spawn(asyncio.Event().wait(), "work")
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert failures == []


async def test_work_cancelled_before_it_began_does_not_complain(tasks: Tasks) -> None:
    async def work() -> None:
        raise AssertionError("it began")

    it = work()
    tasks.spawn(it, "work")
    await tasks.close()
    assert inspect.getcoroutinestate(it) == inspect.CORO_CLOSED


async def test_work_that_nobody_holds_lives_on(tasks: Tasks) -> None:
    go, done = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        await go.wait()
        done.set()

    tasks.spawn(work(), "work")
    await asyncio.sleep(0)
    gc.collect()
    go.set()
    async with asyncio.timeout(5):
        await done.wait()


async def test_closing_cancels_what_runs_and_waits_for_its_end(
    tasks: Tasks, failures: list[Failure]
) -> None:
    ended: list[str] = []

    async def work(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append(name)

    for name in ("a", "b"):
        tasks.spawn(work(name), name)
    await asyncio.sleep(0)
    await tasks.close()
    assert sorted(ended) == ["a", "b"]
    assert failures == []
    await tasks.close()
