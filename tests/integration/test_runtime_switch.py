"""Real engines switched, killed and left alone: no orphan, no lost memory, the chat goes on."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

from rony_desktop.app.id import new_id
from rony_desktop.app.idle import Idle
from rony_desktop.app.pressure import PressureWatch
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.model import Sample
from rony_desktop.contract.session import MessageStatus
from rony_desktop.engine.oversight import Oversight
from rony_desktop.engine.supervisor import ProcessSupervisor
from tests.fixture.fleet import (
    Program,
    at_piece,
    children,
    held_by_children,
    program as running,
    three_models,
)

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]
SHARE = 0.05


@pytest.fixture
def models(starter_model: Path, tmp_path: Path) -> Iterator[list[Path]]:
    folder = tmp_path / "models"
    yield three_models(starter_model, folder)
    shutil.rmtree(folder)


@pytest.fixture
async def program(models: list[Path]) -> AsyncIterator[Program]:
    async with running({"provider.temperature": 0.0}) as found:
        yield found
    assert children() == []


async def test_models_are_switched_without_an_orphan_or_lost_memory(
    program: Program, models: list[Path]
) -> None:
    first = 0
    for turn, model in enumerate([*models, models[0], models[2], models[0]]):
        await program.switch(model)
        (child,) = children()
        assert child.pid == program.pid
        assert program.app.runtime.status().model == model.stem
        assert program.app.fleet.pids() == (child.pid,)
        first = first or held_by_children()
        assert held_by_children() == pytest.approx(first, rel=SHARE), turn
    finished = await program.ask("Say hello.")
    assert finished.response.failure is None
    assert finished.response.content
    await program.app.fleet.stop()
    assert held_by_children() == 0


async def test_an_idle_engine_gives_its_memory_back_and_a_question_wakes_it(
    program: Program, models: list[Path]
) -> None:
    runtime = program.app.runtime
    runtime.idle = Idle(1.0, runtime._fall_asleep)
    await program.switch(models[0])
    assert (await program.ask("Say hello.")).response.failure is None
    pid = program.pid
    await program.until(lambda: runtime.status().asleep)
    assert not psutil.pid_exists(pid)
    assert held_by_children() == 0
    finished = await program.ask("Say hello again.")
    assert finished.response.failure is None
    assert finished.response.content
    assert runtime.status().state is EngineState.READY
    assert program.notices == []


async def test_killed_twice_it_goes_on_with_less_and_so_does_the_chat(
    program: Program, models: list[Path]
) -> None:
    runtime, session = program.app.runtime, new_id()
    await program.switch(models[0])
    planned = runtime.planned
    assert planned is not None
    before = program.kill()
    await program.until(lambda: runtime.status().restarts == 1)
    await asyncio.wait_for(runtime.ready(), 60)
    assert program.pid != before
    assert runtime.planned is planned, "once may be anybody's doing"
    assert program.notices == []
    question = "Count from one to a thousand, one number a line."
    cut = await program.ask(question, session, at_piece(3, program.kill))
    assert cut.response.failure is not None
    assert cut.response.content
    finished = await program.ask("Say hello.", session)
    assert finished.response.failure is None
    assert finished.response.content
    assert [failure.code for failure in program.notices] == ["plan.lowered"]
    lowered = runtime.planned
    assert lowered is not None
    assert lowered.rungs
    assert lowered.launch != planned.launch
    messages = (await program.app.chat.open(session)).messages
    assert messages[1].status is MessageStatus.INTERRUPTED
    assert messages[1].message.content == cut.response.content
    assert messages[3].status is MessageStatus.COMPLETE


class Scarce:
    """A Monitor of a computer whose memory runs out."""

    def sample(self) -> Sample:
        return Sample(16 << 30, 64 << 20)


async def test_killed_while_memory_is_short_it_goes_on_with_less_at_once(
    program: Program, models: list[Path]
) -> None:
    engine = program.app.fleet.engine("chat")
    assert isinstance(engine, ProcessSupervisor)
    watch = PressureWatch(Scarce(), 4096)
    engine.oversight = Oversight(watch.beat, watch.again)
    await program.switch(models[0])
    planned = program.app.runtime.planned
    cut = await program.ask("Count from one to a thousand.", new_id(), at_piece(3, program.kill))
    assert cut.response.failure is not None
    finished = await program.ask("Say hello.")
    assert finished.response.failure is None
    assert [failure.code for failure in program.notices] == ["plan.lowered"]
    assert program.app.runtime.planned is not None
    assert planned is not None
    assert program.app.runtime.planned.launch != planned.launch


@pytest.mark.skipif(sys.platform != "linux", reason="reads a clock of Linux")
async def test_after_a_sleep_the_engine_is_examined_and_stays(
    program: Program, models: list[Path]
) -> None:
    await program.switch(models[0])
    pid = program.pid
    program.app.runtime.resumed()
    looking = program.app.runtime._looking
    assert looking is not None
    await looking
    await asyncio.wait_for(program.app.runtime.ready(), 60)
    assert program.pid == pid
    assert program.notices == []
