"""Progress told by a thread arrives on the loop, thinned out, its end always."""

from __future__ import annotations

import asyncio
import threading

from rony_desktop.ui.progress import on_loop


async def test_a_thread_is_heard_on_the_loop_and_not_too_often() -> None:
    heard: list[tuple[int, int, bool]] = []
    here = threading.get_ident()
    tell = on_loop(lambda done, every: heard.append((done, every, threading.get_ident() == here)))

    def work() -> None:
        for done in range(1001):
            tell(done, 1000)

    await asyncio.to_thread(work)
    await asyncio.sleep(0)
    assert heard[0] == (0, 1000, True)
    assert heard[-1] == (1000, 1000, True)
    assert len(heard) < 500
