"""A killed engine is started as it was, or with less: by the samples of its health checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rony_desktop.app.pressure import PressureWatch
from rony_desktop.contract.error import EngineDied, EngineHung, EngineKilled
from rony_desktop.contract.model import Sample
from rony_desktop.contract.port import Monitor

GIB = 1 << 30
PLENTY = Sample(16 * GIB, 8 * GIB, stall=0.0, kills=0)


class World:
    """A watch over samples and a clock set by hand; takes counts the samples."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.next = PLENTY
        self.takes = 0
        monitor: Monitor = self
        self.watch = PressureWatch(monitor, 4096, lambda: self.now)

    def sample(self) -> Sample:
        self.takes += 1
        return self.next


@pytest.fixture
def world() -> World:
    return World()


def test_one_kill_with_memory_left_may_be_anybodys(world: World) -> None:
    world.watch.beat()
    assert world.watch.again(EngineKilled())


def test_what_was_short_before_it_was_killed_is_started_with_less(world: World) -> None:
    world.next = replace(PLENTY, ram_free_bytes=1 << 20)
    world.watch.beat()
    world.next = PLENTY
    assert not world.watch.again(EngineKilled())


def test_a_kill_the_kernel_counted_is_its_own(world: World) -> None:
    world.watch.beat()
    world.next = replace(PLENTY, kills=1)
    assert not world.watch.again(EngineKilled())
    world.watch.beat()
    world.now += 3600
    assert world.watch.again(EngineKilled()), "counted once"


def test_two_kills_within_a_minute_are_no_accident(world: World) -> None:
    world.watch.beat()
    assert world.watch.again(EngineKilled())
    world.now += 59
    assert not world.watch.again(EngineKilled())
    world.now += 61
    assert world.watch.again(EngineKilled())


@pytest.mark.parametrize("cause", [EngineHung(), EngineDied(detail="x")])
def test_every_other_end_is_not_memorys(world: World, cause: EngineDied) -> None:
    world.next = replace(PLENTY, ram_free_bytes=0)
    world.watch.beat()
    assert world.watch.again(cause)
    assert world.takes == 1
