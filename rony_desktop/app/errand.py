"""Blocking work in a thread that ends soon after its caller was cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from rony_desktop.contract.halt import Halt
from rony_desktop.store.lock import whole

T = TypeVar("T")


async def errand(work: Callable[[Halt], T]) -> T:
    """The result of work, which is asked to stop where the caller is cancelled.

    Returns or raises only when the thread is done with it.
    """
    halt = Halt()
    return await whole(asyncio.to_thread(work, halt), halt.stop)
