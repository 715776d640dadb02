"""Brings what a thread tells of its progress to the loop's thread, seldom enough to be drawn."""

from __future__ import annotations

import asyncio
import time

from rony_desktop.contract.progress import Tell

EVERY_S = 0.1


def on_loop(show: Tell) -> Tell:
    """A Tell for any thread; show is called on the running loop's, the end always among it."""
    loop = asyncio.get_running_loop()
    last = -EVERY_S

    def tell(done: int, every: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= EVERY_S or done >= every:
            last = now
            loop.call_soon_threadsafe(show, done, every)

    return tell
