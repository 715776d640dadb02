"""One engine for each role, one owner of all."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from rony_desktop.contract.engine import EngineState, Launch
from rony_desktop.engine.fleet import CHAT, TUNE, Fleet
from tests.fake.engine import PID, FakeEngine

# Maps 64 MiB of a file and touches it, then waits.
MAPS = """
import mmap, sys, tempfile
file = tempfile.TemporaryFile()
file.truncate(64 << 20)
mapped = mmap.mmap(file.fileno(), 0)
sum(mapped[n] for n in range(0, len(mapped), 4096))
print("ready", flush=True)
sys.stdin.read()
"""


class World:
    """A fleet of fakes, and the roles in the order in which they were made."""

    def __init__(self) -> None:
        self.made: dict[str, FakeEngine] = {}
        self.fleet = Fleet(self._make)

    def _make(self, role: str) -> FakeEngine:
        assert role not in self.made
        self.made[role] = FakeEngine()
        return self.made[role]


@pytest.fixture
def world() -> World:
    return World()


async def test_a_role_has_one_engine(world: World, launch: Launch) -> None:
    assert world.fleet.engine(CHAT) is world.fleet.engine(CHAT)
    assert world.fleet.engine(CHAT) is not world.fleet.engine(TUNE)
    assert world.fleet.pids() == ()
    await world.fleet.engine(TUNE).start(launch)
    states = {role: status.state for role, status in world.fleet.statuses().items()}
    assert states == {CHAT: EngineState.STOPPED, TUNE: EngineState.READY}
    assert world.fleet.pids() == (PID,)


async def test_all_are_ended_together(world: World, launch: Launch) -> None:
    for role in (CHAT, TUNE, "embed"):
        await world.fleet.engine(role).start(launch)
    await world.fleet.stop()
    assert {engine.stops for engine in world.made.values()} == {1}
    assert world.fleet.pids() == ()
    await Fleet(world._make).stop()


async def test_a_role_is_told_of_the_files_others_compute_with(
    world: World, launch: Launch
) -> None:
    argv = [sys.executable, "-S", "-E", "-c", MAPS]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        await world.fleet.engine(CHAT).start(launch)
        chat = world.made[CHAT]
        chat._status = replace(chat.status(), pid=child.pid)
        assert world.fleet.mapped_beside(CHAT) == 0
        assert 64 << 20 <= world.fleet.mapped_beside("embed") < 96 << 20
        child.communicate()
    assert world.fleet.mapped_beside("embed") == 0
