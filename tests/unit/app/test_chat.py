"""ChatService over a real store and a scripted loop: durable first, every word kept, Stop stops."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path

import pytest

from rony_desktop.agent.loop import Loop
from rony_desktop.app.answer import Services
from rony_desktop.app.chat import ChatService
from rony_desktop.app.feed import Feed
from rony_desktop.app.id import new_id
from rony_desktop.app.idle import Idle
from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import (
    DiskFull,
    EngineOutOfMemory,
    RonyError,
    SessionBusy,
    StreamBroken,
)
from rony_desktop.contract.event import (
    FeedEvent,
    Notice,
    TextDelta,
    TurnEvent,
    TurnFinished,
    WaitingForEngine,
)
from rony_desktop.contract.llm import (
    Chunk,
    CompletionResponse,
    InferRequest,
    StopReason,
    Timings,
    TokenUsage,
)
from rony_desktop.contract.message import Role
from rony_desktop.contract.session import EntryKind, MessageStatus, NewEntry
from rony_desktop.store.place import Place
from rony_desktop.store.session import FileSessionStore
from tests.fake.agent import FRAME, FakeLLM

PLAIN = CompletionResponse(
    "1", "Hello there", usage=TokenUsage(10, 3), timings=Timings(predicted_n=3), model="m"
)


class FakeRuntime:
    """A model that is ready, or fails to be."""

    def __init__(self) -> None:
        self.model = None
        self.error: RonyError | None = None
        self.settled = 0
        self.idle = Idle(0, lambda: None)

    def status(self) -> EngineStatus:
        return EngineStatus(EngineState.FAILED if self.error else EngineState.READY)

    async def ready(self) -> None:
        if self.error:
            raise self.error

    async def settle(self) -> bool:
        self.settled += 1
        return True

    def suspect(self) -> None:
        pass

    def learned(self, timings: Timings) -> None:
        pass


class World:
    def __init__(self, *answers: CompletionResponse | Exception) -> None:
        self.place = Place.of()
        self.place.prepare()
        self.store = FileSessionStore(self.place)
        self.llm = FakeLLM(answers)
        self.runtime = FakeRuntime()
        self.feed = Feed()
        self.heard: list[FeedEvent] = []
        self.feed.listen(self.heard.append)
        loop = Loop(self.llm, lambda _: FRAME)
        self.chat = ChatService(
            Services(self.store, loop, self.runtime, self.feed),  # type: ignore[arg-type]
            "local",
        )
        self.session = new_id()

    async def send(self, text: str = "Hi") -> list[TurnEvent]:
        return [event async for event in self.chat.send(self.session, text)]

    async def stored(self) -> list[tuple[str, str, MessageStatus]]:
        """What a program that starts now would read."""
        session = await FileSessionStore(self.place).load(self.session)
        return [(m.message.role, m.message.content, m.status) for m in session.messages]


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World(PLAIN, PLAIN)
    yield world
    await world.chat.close()
    await world.store.aclose()


def response(events: list[TurnEvent]) -> Response:
    assert isinstance(events[-1], TurnFinished)
    return events[-1].response


async def test_the_question_is_durable_before_the_model_is_asked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[object] = []
    append, infer = world.store.append, world.llm.infer

    async def appended(*args: object, durable: bool) -> object:
        done = await append(*args, durable=durable)  # type: ignore[arg-type]
        order.append(durable)
        return done

    def asked(request: InferRequest) -> AsyncGenerator[Chunk, None]:
        order.append(request.messages[-1].content)
        return infer(request)

    monkeypatch.setattr(world.store, "append", appended)
    monkeypatch.setattr(world.llm, "infer", asked)
    await world.send()
    assert order == [True, "Hi", True]


async def test_an_answer_is_kept_whole_with_its_numbers(world: World) -> None:
    events = await world.send()
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == "Hello there"
    assert response(events).stop_reason is StopReason.END_TURN
    session = await FileSessionStore(world.place).load(world.session)
    answer = session.messages[1]
    assert answer.message.content == "Hello there"
    assert (answer.usage, answer.timings) == (PLAIN.usage, PLAIN.timings)
    assert session.title == "Hi"


async def test_the_next_turn_is_sent_what_was_said(world: World) -> None:
    await world.send("one")
    await world.send("two")
    assert [m.content for m in world.llm.requests[1].messages] == ["one", "Hello there", "two"]


async def test_stop_keeps_the_partial_answer_and_marks_it(world: World) -> None:
    world.llm.hold = asyncio.Event()
    events: list[TurnEvent] = []
    async with aclosing(world.chat.send(world.session, "Hi")) as stream:
        async for event in stream:
            events.append(event)
            if isinstance(event, TextDelta):
                stopping = asyncio.create_task(world.chat.stop(world.session))
    await stopping
    assert response(events).stop_reason is StopReason.CANCELLED
    assert world.llm.closed == 1
    assert world.runtime.settled == 1
    assert (await world.stored())[1] == (Role.ASSISTANT, "Hello", MessageStatus.INTERRUPTED)


async def test_stopping_twice_is_stopping_once(world: World) -> None:
    world.llm.hold = asyncio.Event()
    async with aclosing(world.chat.send(world.session, "Hi")) as stream:
        async for event in stream:
            if isinstance(event, TextDelta):
                both = asyncio.gather(
                    world.chat.stop(world.session), world.chat.stop(world.session)
                )
    await both
    assert (await world.stored())[1][2] is MessageStatus.INTERRUPTED


async def test_leaving_the_stream_stops_the_turn(world: World) -> None:
    world.llm.hold = asyncio.Event()
    async with aclosing(world.chat.send(world.session, "Hi")) as stream:
        async for event in stream:
            if isinstance(event, TextDelta):
                break
    assert world.llm.closed == 1
    assert (await world.stored())[1][2] is MessageStatus.INTERRUPTED


async def test_a_broken_stream_keeps_what_came(world: World) -> None:
    world.llm._answers.insert(0, StreamBroken(detail="gone"))
    events = await world.send()
    failure = response(events).failure
    assert failure is not None
    assert failure.code == "provider.broken"
    session = await FileSessionStore(world.place).load(world.session)
    assert session.messages[1].failure == failure


async def test_a_model_that_cannot_run_is_said_and_the_question_stays(world: World) -> None:
    world.runtime.error = EngineOutOfMemory(model="m", detail="2 GB")
    events = await world.send()
    assert any(isinstance(event, WaitingForEngine) for event in events)
    failure = response(events).failure
    assert failure is not None
    assert failure.code == "engine.out_of_memory"
    assert (await world.stored())[0][1] == "Hi"


async def test_retry_answers_the_same_question_on_a_branch(world: World) -> None:
    world.llm._answers.insert(0, StreamBroken(detail="gone"))
    await world.send()
    events = [event async for event in world.chat.retry(world.session)]
    assert response(events).stop_reason is StopReason.END_TURN
    assert [row[:2] for row in await world.stored()] == [
        (Role.USER, "Hi"),
        (Role.ASSISTANT, "Hello there"),
    ]
    assert [m.content for m in world.llm.requests[1].messages] == ["Hi"]


async def test_retry_where_nothing_was_asked_is_nothing(world: World) -> None:
    assert [event async for event in world.chat.retry(world.session)] == []


async def test_the_next_turn_goes_on_from_what_another_program_wrote(world: World) -> None:
    await world.send("one")
    leaf = (await world.store.load(world.session)).leaf
    body = {"role": Role.USER, "content": "from elsewhere"}
    entry = NewEntry(EntryKind.MESSAGE, body, leaf, new_id())
    await FileSessionStore(world.place).append(world.session, [entry], durable=True)
    await world.send("two")
    assert [row[1] for row in await world.stored()] == [
        *("one", "Hello there", "from elsewhere", "two", "Hello there")
    ]


async def test_stopping_before_the_first_step_ends_the_stream(world: World) -> None:
    stream = world.chat.send(world.session, "Hi")
    first = asyncio.ensure_future(anext(stream, None))
    while world.session not in world.chat._turns:
        await asyncio.sleep(0)
    await world.chat.stop(world.session)
    async with asyncio.timeout(5):
        assert await first is None
    await stream.aclose()


async def test_a_chat_has_one_turn_at_a_time(world: World) -> None:
    world.llm.hold = asyncio.Event()
    async with aclosing(world.chat.send(world.session, "Hi")) as stream:
        await anext(stream)
        with pytest.raises(SessionBusy):
            await world.send("again")


async def test_two_chats_run_side_by_side(world: World) -> None:
    other = new_id()

    async def ask(session: str) -> str:
        events = [event async for event in world.chat.send(session, "Hi")]
        return response(events).content

    assert await asyncio.gather(ask(world.session), ask(other)) == ["Hello there"] * 2


async def test_a_full_disk_refuses_the_question_before_it_is_sent(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise DiskFull(path="data")

    monkeypatch.setattr(world.store, "append", full)
    events = await world.send()
    assert len(events) == 1
    failure = response(events).failure
    assert failure is not None
    assert failure.code == "storage.full"
    assert world.llm.requests == []


async def test_a_disk_that_fills_in_mid_answer_is_told_and_the_text_is_not_lost(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = world.store.append
    calls = 0

    async def full(*args: object, **kwargs: object) -> object:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise DiskFull(path="data")
        return await append(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(world.store, "append", full)
    events = await world.send()
    assert response(events).content == "Hello there"
    assert any(isinstance(e, Notice) and e.failure.code == "storage.full" for e in world.heard)


@pytest.mark.parametrize("next_", ["question", "opening", "end of the program"])
async def test_an_end_that_could_not_be_kept_is_kept_later(
    world: World, monkeypatch: pytest.MonkeyPatch, next_: str
) -> None:
    append = world.store.append
    refused = 0

    async def full(id: str, entries: Sequence[NewEntry], *, durable: bool) -> object:
        nonlocal refused
        if refused < 2 and any(entry.kind is EntryKind.END for entry in entries):
            refused += 1
            raise DiskFull(path="data")
        return await append(id, entries, durable=durable)

    monkeypatch.setattr(world.store, "append", full)
    await world.send()
    assert (await world.stored())[1][1] == ""
    await world.chat.open(world.session)
    assert refused == 2
    match next_:
        case "question":
            await world.send()
        case "opening":
            await world.chat.open(world.session)
        case _:
            await world.chat.close()
    assert (await world.stored())[1] == (Role.ASSISTANT, "Hello there", MessageStatus.COMPLETE)


async def test_partial_text_is_on_disk_within_a_second(world: World) -> None:
    world.llm.hold = asyncio.Event()
    async with aclosing(world.chat.send(world.session, "Hi")) as stream:
        async for event in stream:
            if isinstance(event, TextDelta):
                break
        async with asyncio.timeout(1.0):
            while (await world.stored())[1][1] != "Hello":
                await asyncio.sleep(0.05)


async def test_rename_delete_and_restore(world: World, tmp_path: Path) -> None:
    await world.send()
    await world.chat.rename(world.session, "  Mine ")
    assert [chat.title for chat in await world.chat.list()] == ["Mine"]
    assert [chat.id for chat in await world.chat.list("there")] == [world.session]
    await world.chat.delete(world.session)
    assert not await world.chat.list()
    await world.chat.restore(world.session)
    assert [chat.title for chat in await world.chat.list()] == ["Mine"]
