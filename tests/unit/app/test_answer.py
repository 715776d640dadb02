"""One answer: what is written, when, and what is said of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from rony_desktop.agent.loop import Loop
from rony_desktop.app import answer as module
from rony_desktop.app.answer import Answer, Services
from rony_desktop.app.feed import Feed
from rony_desktop.app.runtime import Runtime
from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState
from rony_desktop.contract.error import DiskFull, EngineOutOfMemory, StreamBroken
from rony_desktop.contract.event import (
    Append,
    FeedEvent,
    Notice,
    SessionChanged,
    TextDelta,
    ToolProgress,
    TurnEvent,
    TurnFinished,
    TurnStarted,
    WaitingForEngine,
)
from rony_desktop.contract.llm import CompletionResponse, StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import (
    Entry,
    EntryKind,
    MessageStatus,
    NewEntry,
    Session,
    SessionMessage,
)
from rony_desktop.contract.tool import ToolState
from rony_desktop.store.lock import whole
from rony_desktop.store.session_replay import Replay
from tests.fake.agent import FRAME, FakeExecutor, FakeLLM
from tests.fake.engine import FakeEngine
from tests.fake.session import FakeSessionStore

PLAIN = CompletionResponse(
    "1", "Hello there", usage=TokenUsage(10, 3), timings=Timings(predicted_n=3), model="m"
)
DEADLINE_S = 5.0


class World:
    def __init__(self, runtime: Runtime, engine: FakeEngine, feed: Feed) -> None:
        self.store = FakeSessionStore()
        self.runtime, self.engine = runtime, engine
        self.llm = FakeLLM([PLAIN, PLAIN])
        self.heard: list[FeedEvent] = []
        feed.listen(self.heard.append)
        loop = Loop(self.llm, lambda _: FRAME)
        self.services = Services(self.store, loop, runtime, feed)

    def answer(self, text: str = "Hi", session: Session | None = None) -> Answer:
        return Answer(self.services, session or Session("s"), text, ("q", "a"))

    def entries(self, kind: EntryKind) -> list[Entry]:
        return [entry for entry in self.store.entries.get("s", []) if entry.kind is kind]

    @property
    def end(self) -> Entry:
        (found,) = self.entries(EntryKind.END)
        return found

    def notices(self) -> list[str]:
        return [event.failure.code for event in self.heard if isinstance(event, Notice)]

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.005)


@pytest.fixture
async def world(runtime: Runtime, engine: FakeEngine, feed: Feed) -> World:
    await runtime.ready()
    return World(runtime, engine, feed)


def events(answer: Answer) -> list[TurnEvent]:
    """Every event of an answer that has ended."""
    found = []
    while not answer.events.empty():
        found.append(answer.events.get_nowait())
    return [event for event in found if event is not None]


def response(answer: Answer) -> Response:
    last = events(answer)[-1]
    assert isinstance(last, TurnFinished)
    return last.response


async def test_question_and_answer_are_one_durable_write_before_the_turn_is_said(
    world: World,
) -> None:
    answer = world.answer()
    await answer.run()
    question, opened = world.entries(EntryKind.MESSAGE)
    assert (question.id, question.parent, question.body["content"]) == ("q", None, "Hi")
    assert (opened.id, opened.parent, opened.body["model"]) == ("a", "q", "tiny")
    assert world.store.durable[:2] == ["q", "a"]
    first = events(answer)[0]
    assert first == TurnStarted("s", "q", "a")
    assert world.heard[-1] == world.heard[-2] == SessionChanged("s")


async def test_the_end_carries_what_the_engine_measured(world: World) -> None:
    answer = world.answer()
    await answer.run()
    body = world.end.body
    assert (body["status"], body["stop_reason"]) == ("complete", "end_turn")
    assert body["usage"] == {"input_tokens": 10, "output_tokens": 3, "cached_tokens": 0}
    assert body["timings"]["predicted_n"] == 3
    assert "failure" not in body
    assert world.end.id in world.store.durable
    assert response(answer).content == "Hello there"


async def test_the_session_goes_on_with_both_messages(world: World) -> None:
    answer = world.answer()
    await answer.run()
    question, told = answer.session.messages
    assert (question.message, question.parent) == (Message(Role.USER, "Hi", "q"), None)
    assert (told.message.content, told.parent, told.model) == ("Hello there", "q", "m")
    assert (told.usage, told.status) == (PLAIN.usage, MessageStatus.COMPLETE)


async def test_without_a_text_the_last_question_is_answered(world: World) -> None:
    asked = Session("s", messages=(SessionMessage(Message(Role.USER, "Before", "old")),))
    await world.services.store.append(
        "s",
        [module.NewEntry(EntryKind.MESSAGE, {"role": "user", "content": "Before"}, None, "old")],
        durable=True,
    )
    await world.answer("", asked).run()
    question, opened = world.entries(EntryKind.MESSAGE)
    assert (question.id, opened.id, opened.parent) == ("old", "a", "old")
    assert world.llm.requests[0].messages[-1].content == "Before"


async def test_a_refused_write_sends_nothing_and_changes_nothing(world: World) -> None:
    world.store.failure = DiskFull(path="data")
    answer = world.answer()
    await answer.run()
    assert answer.session == Session("s")
    (only,) = events(answer)
    assert isinstance(only, TurnFinished)
    assert only.response.failure == DiskFull(path="data").failure()
    assert world.llm.requests == []


async def test_text_that_could_not_be_kept_is_kept_the_next_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_EVERY_S", 0.02)
    world.llm.hold = asyncio.Event()
    answer = world.answer()
    running = asyncio.create_task(answer.run())
    await world.until(lambda: answer.events.qsize() > 1)
    world.store.failure = DiskFull(path="data")
    await world.until(world.notices)
    world.llm.hold.set()
    await running
    assert world.notices() == ["storage.full"]
    texts = [entry.body["text"] for entry in world.entries(EntryKind.DELTA)]
    assert "".join(texts) == "Hello there"


async def test_an_engine_that_fell_silent_is_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_EVERY_S", 0.02)
    monkeypatch.setattr(module, "SILENCE_S", 0.1)
    world.llm.hold = asyncio.Event()
    running = asyncio.create_task(world.answer().run())
    await world.until(lambda: world.engine.suspects)
    world.llm.hold.set()
    await running


async def test_a_stop_waits_for_the_engine_then_marks_the_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    async def settled() -> bool:
        order.append(f"settled, {len(world.entries(EntryKind.END))} ends")
        return True

    monkeypatch.setattr(world.runtime, "settle", settled)
    world.llm.hold = asyncio.Event()
    answer = world.answer()
    running = asyncio.create_task(answer.run())
    await world.until(lambda: answer.events.qsize() > 1)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert order == ["settled, 0 ends"]
    assert (world.end.body["status"], world.end.body["stop_reason"]) == ("interrupted", "cancelled")
    assert answer.session.messages[-1].message.content == "Hello"
    assert response(answer).stop_reason is StopReason.CANCELLED
    assert world.llm.closed == 1


@pytest.mark.parametrize("refused", [False, True])
async def test_a_stop_while_the_question_is_written_waits_for_it(
    world: World, monkeypatch: pytest.MonkeyPatch, refused: bool
) -> None:
    gate, append = asyncio.Event(), world.store.append

    async def slow(*args: Any, **kwargs: Any) -> Any:
        await gate.wait()
        return await append(*args, **kwargs)

    monkeypatch.setattr(world.store, "append", slow)
    world.store.failure = DiskFull(path="data") if refused else None
    answer = world.answer()
    running = asyncio.create_task(answer.run())
    await asyncio.sleep(0.01)
    running.cancel()
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    kinds = [type(event) for event in events(answer)]
    assert kinds == ([TurnFinished] if refused else [TurnStarted, TurnFinished])
    assert len(answer.session.messages) == (0 if refused else 2)
    assert len(world.entries(EntryKind.END)) == (0 if refused else 1)
    assert world.llm.requests == []


async def test_a_failure_is_kept_with_the_answer(world: World) -> None:
    world.llm._answers.insert(0, StreamBroken(detail="gone"))
    answer = world.answer()
    await answer.run()
    assert world.end.body["failure"] == {"code": "provider.broken", "params": {"detail": "gone"}}
    assert answer.session.messages[-1].status is MessageStatus.INTERRUPTED


async def test_it_waits_for_a_model_that_loads(
    runtime: Runtime, engine: FakeEngine, feed: Feed
) -> None:
    engine.hold = asyncio.Event()
    world = World(runtime, engine, feed)
    runtime.use("tiny")
    answer = world.answer()
    running = asyncio.create_task(answer.run())
    await world.until(lambda: answer.events.qsize() > 1)
    assert world.llm.requests == []
    engine.hold.set()
    await running
    started, waiting, *rest = events(answer)
    assert isinstance(started, TurnStarted)
    assert isinstance(waiting, WaitingForEngine)
    assert waiting.status.state is EngineState.LOADING
    assert any(isinstance(event, TextDelta) for event in rest)


async def test_a_model_that_cannot_be_loaded_ends_the_answer_with_its_failure(
    runtime: Runtime, engine: FakeEngine, feed: Feed
) -> None:
    engine.failures.append(EngineOutOfMemory(model="tiny", detail="2 GB"))
    world = World(runtime, engine, feed)
    answer = world.answer()
    await answer.run()
    failure = response(answer).failure
    assert failure is not None
    assert failure.code == "engine.out_of_memory"
    assert world.llm.requests == []
    assert world.end.body["status"] == "interrupted"


class SlowStore(FakeSessionStore):
    """As the one on disk: a write that has begun is finished, whoever is cancelled meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.slow: Callable[[NewEntry], bool] = lambda _: False
        self.begun, self.free = asyncio.Event(), asyncio.Event()

    async def append(
        self, id: str, entries: Sequence[NewEntry], *, durable: bool
    ) -> Sequence[Entry]:
        return await whole(self._write(id, entries, durable))

    async def _write(self, id: str, entries: Sequence[NewEntry], durable: bool) -> Sequence[Entry]:
        if any(map(self.slow, entries)):
            self.begun.set()
            await self.free.wait()
        return await super().append(id, entries, durable=durable)


ASKED = CompletionResponse(
    "1", "", (ToolCall("c1", "read_file", "{}"),), stop_reason=StopReason.TOOL_USE
)


@pytest.mark.parametrize(
    ("slow", "said"),
    [
        (lambda new: "tool_calls" in new.body, "read_file was not run: the user stopped the turn."),
        (lambda new: new.body.get("role") == "tool", "fine"),
        (lambda new: new.body.get("state") == "done", "was run, but what it said is lost"),
    ],
    ids=["calls", "result", "done"],
)
async def test_a_stop_while_a_step_is_written_neither_forgets_nor_repeats_it(
    runtime: Runtime, feed: Feed, slow: Callable[[NewEntry], bool], said: str
) -> None:
    await runtime.ready()
    store = SlowStore()
    store.slow = slow

    async def execute(call: ToolCall, _: Session) -> ToolResult:
        for state in (ToolState.STARTED, ToolState.DONE):
            await answer.note(ToolProgress(call.id, state))
        return ToolResult("fine")

    executor = FakeExecutor(ToolResult(""))
    executor.execute = execute  # type: ignore[method-assign]
    loop = Loop(FakeLLM([ASKED, PLAIN]), lambda _: FRAME, executor)
    answer = Answer(Services(store, loop, runtime, feed), Session("s"), "Hi", ("q", "a"))
    task = asyncio.create_task(answer.run())
    await asyncio.wait_for(store.begun.wait(), DEADLINE_S)
    task.cancel()
    await asyncio.sleep(0.01)
    store.free.set()
    await asyncio.wait([task])
    replay = Replay(store.entries["s"])
    kept = replay.messages()
    assert replay.stray == 0
    assert [m.message.role.value for m in kept] == ["user", "assistant", "tool", "assistant"]
    assert said in kept[2].message.content
    assert kept[-1].stop_reason is StopReason.CANCELLED
    told = [event.message for event in events(answer) if isinstance(event, Append)]
    assert [message.content for message in told] == [kept[2].message.content]


@pytest.mark.parametrize("failed", [False, True])
async def test_a_stop_while_the_end_is_written_leaves_that_end_alone(
    runtime: Runtime, feed: Feed, failed: bool
) -> None:
    await runtime.ready()
    store = SlowStore()
    store.slow = lambda new: new.kind is EntryKind.END
    llm = FakeLLM([StreamBroken(detail="gone") if failed else PLAIN])
    services = Services(store, Loop(llm, lambda _: FRAME), runtime, feed)
    answer = Answer(services, Session("s"), "Hi", ("q", "a"))
    task = asyncio.create_task(answer.run())
    await asyncio.wait_for(store.begun.wait(), DEADLINE_S)
    task.cancel()
    await asyncio.sleep(0.01)
    store.free.set()
    await asyncio.wait([task])
    replay = Replay(store.entries["s"])
    assert replay.stray == 0
    reason = StopReason.ERROR if failed else StopReason.END_TURN
    assert [m.stop_reason for m in replay.messages()][1:] == [reason]
    ends = [event for event in events(answer) if isinstance(event, TurnFinished)]
    assert [end.response.stop_reason for end in ends] == [reason]
