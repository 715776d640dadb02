"""What changes often is shown at once, then seldom, and its last state always."""

from __future__ import annotations

import asyncio

from rony_desktop.ui.pulse import Pulse

DEADLINE_S = 5.0


async def test_the_first_is_shown_at_once_and_many_together() -> None:
    shown, values = list[int](), list[int]()
    pulse = Pulse(lambda: shown.append(values[-1]), 0.02)
    for value in range(1, 6):
        values.append(value)
        pulse.ask()
    assert shown == [1]
    async with asyncio.timeout(DEADLINE_S):
        while len(shown) < 2:
            await asyncio.sleep(0)
    assert shown == [1, 5]


async def test_nothing_is_shown_after_stop() -> None:
    shown = list[int]()
    pulse = Pulse(lambda: shown.append(1), 0.01)
    pulse.ask()
    pulse.ask()
    pulse.stop()
    await asyncio.sleep(0.03)
    assert shown == [1]
    pulse.ask()
    assert shown == [1, 1]
