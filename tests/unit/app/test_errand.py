"""Blocking work is ended with its caller, and waited for."""

from __future__ import annotations

import asyncio
import threading

import pytest

from rony_desktop.app.errand import errand
from rony_desktop.contract.halt import Halt, Halted


async def test_the_result_and_the_error_come_through() -> None:
    assert await errand(lambda _: 5) == 5

    def fail(_: Halt) -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await errand(fail)


async def test_a_cancelled_caller_ends_the_work_and_waits_for_it() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work(halt: Halt) -> None:
        begun.set()
        try:
            halt.wait(30)
        except Halted:
            ended.set()
            raise

    task = asyncio.create_task(errand(work))
    assert await asyncio.to_thread(begun.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
