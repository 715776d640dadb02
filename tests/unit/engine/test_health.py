"""What counts as health: an answer, and an inference loop behind it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from rony_desktop.contract.engine import Endpoint, Launch
from rony_desktop.engine.candidate import Candidate
from rony_desktop.engine.child import Child, launch_child
from rony_desktop.engine.health import (
    Health,
    check,
    completes,
    context_size,
    examine,
    slot_idle,
)

Start = Callable[[str], Awaitable[Child]]


@pytest.fixture
async def start(
    scripted: Callable[[str], Candidate], launch: Launch, run_dir: Path
) -> AsyncIterator[Start]:
    children: list[Child] = []

    async def make(behaviour: str) -> Child:
        child = await launch_child(scripted(behaviour), launch, run_dir, behaviour, None)
        children.append(child)
        await child.ready(10)
        return child

    yield make
    for child in children:
        await child.end()


async def test_engine_at_rest(start: Start) -> None:
    endpoint = (await start("serve")).endpoint
    assert await check(endpoint, 1) is Health.READY
    assert await slot_idle(endpoint) is True
    assert await completes(endpoint) is True
    assert await examine(endpoint, 1) is True


async def test_engine_at_work_is_well_and_is_not_disturbed(start: Start) -> None:
    endpoint = (await start("busy")).endpoint
    assert await slot_idle(endpoint) is False
    assert await examine(endpoint, 1) is True


async def test_answering_engine_whose_loop_is_stuck_is_not_well(start: Start) -> None:
    endpoint = (await start("mute")).endpoint
    assert await check(endpoint, 1) is Health.READY
    assert await slot_idle(endpoint, 0.3) is None
    assert await examine(endpoint, 1, 0.3) is False


async def test_engine_that_dies_of_a_completion_is_not_well(start: Start) -> None:
    child = await start("crash")
    assert await examine(child.endpoint, 1) is False
    assert await child.exit == 3


async def test_context_is_asked_of_the_engine(start: Start, launch: Launch) -> None:
    endpoint = (await start("mute")).endpoint
    assert await context_size(endpoint, 1) == launch.n_ctx
    assert await context_size(Endpoint("http://engine", Path("/none.sock")), 1) is None


async def test_wrong_key_is_not_idle(start: Start) -> None:
    endpoint = (await start("serve")).endpoint
    stranger = Endpoint(endpoint.base_url, endpoint.socket, "other")
    assert await slot_idle(stranger) is None


async def test_nobody_there_is_silent(tmp_path: Path) -> None:
    endpoint = Endpoint("http://engine", tmp_path / "none.sock")
    assert await check(endpoint, 1) is Health.SILENT
    assert await examine(endpoint, 1) is False
