"""One timer, and only while an engine is ready and nobody uses it."""

from __future__ import annotations

import asyncio

import pytest

from rony_desktop.app.idle import Idle

SHORT_S = 0.02


class World:
    """An Idle whose ends are counted."""

    def __init__(self, after_s: float) -> None:
        self.over = asyncio.Event()
        self.overs = 0
        self.idle = Idle(after_s, self._over)

    def _over(self) -> None:
        self.overs += 1
        self.over.set()

    @property
    def runs(self) -> bool:
        return self.idle._timer is not None


@pytest.fixture
async def world() -> World:
    return World(SHORT_S)


async def test_it_is_over_once_after_a_while(world: World) -> None:
    assert not world.runs
    world.idle.set_ready(True)
    await asyncio.wait_for(world.over.wait(), 5)
    assert world.overs == 1


async def test_no_timer_runs_where_there_is_no_engine_or_never_is_wanted(world: World) -> None:
    world.idle.again()
    assert not world.runs
    world.idle.set_ready(True)
    assert world.runs
    world.idle.set_ready(False)
    assert not world.runs
    never = World(0)
    never.idle.set_ready(True)
    assert not never.runs


async def test_time_counts_from_the_end_of_the_last_use(world: World) -> None:
    world.idle.set_ready(True)
    with world.idle.busy(), world.idle.busy():
        assert not world.runs
        assert world.idle.in_use
        # The engine may have to be started for it first.
        world.idle.set_ready(False)
        world.idle.set_ready(True)
        assert not world.runs
    assert not world.idle.in_use
    assert world.runs
    await asyncio.wait_for(world.over.wait(), 5)


async def test_a_use_that_fails_ends_too(world: World) -> None:
    world.idle.set_ready(True)
    with pytest.raises(ValueError, match="x"), world.idle.busy():
        raise ValueError("x")
    assert world.runs


async def test_a_state_told_twice_does_not_put_it_off(world: World) -> None:
    world.idle.set_ready(True)
    timer = world.idle._timer
    world.idle.set_ready(True)
    assert world.idle._timer is timer
    world.idle.again()
    assert world.idle._timer is not timer
