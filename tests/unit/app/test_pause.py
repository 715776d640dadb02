"""A load that waits says when its engine is gone, and goes on when it is told to."""

from __future__ import annotations

import asyncio

from rony_desktop.app.pause import Pause


async def test_it_lasts_until_it_is_ended() -> None:
    pause = Pause()
    lasting = asyncio.create_task(pause.last())
    await asyncio.wait_for(pause.begun.wait(), 5)
    assert not lasting.done()
    pause.ended.set()
    await asyncio.wait_for(lasting, 5)
