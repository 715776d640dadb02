"""A second role is planned against what the first leaves."""

from __future__ import annotations

import os

from rony_desktop.app.budget import budget, monitor_of
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.engine.fleet import CHAT, Fleet
from tests.fake.engine import FakeEngine

MIB = 1 << 20


def fleet_of(pid: int) -> Fleet:
    """A fleet whose engine for chats is this process."""
    engine = FakeEngine()
    engine._status = EngineStatus(EngineState.READY, pid=pid)
    fleet = Fleet(lambda _: engine)
    assert fleet.engine(CHAT) is engine
    return fleet


def test_what_others_compute_with_is_not_free_to_a_second_role() -> None:
    fleet = fleet_of(os.getpid())
    assert budget(fleet, CHAT, lambda: (5, 7))() == (5, 7)
    ram, vram = budget(fleet, "embed", lambda: (0, 0))()
    assert ram < 0
    assert vram == 0


def test_this_computer_is_sampled() -> None:
    monitor = monitor_of(fleet_of(os.getpid()))
    sample = monitor.sample()
    assert 0 < sample.ram_free_bytes <= sample.ram_bytes
    assert sample.ram_bytes > monitor.held_bytes() > MIB
