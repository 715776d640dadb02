"""The conversation pane's behaviour, without a pane: drafts, streams, changes of chat."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rony_desktop.contract.agent import Response
from rony_desktop.contract.engine import EngineState, EngineStatus
from rony_desktop.contract.error import DiskFull, StreamBroken
from rony_desktop.contract.event import (
    Prefill,
    TextDelta,
    ThinkingDelta,
    TurnFinished,
    TurnStarted,
    WaitingForEngine,
)
from rony_desktop.contract.llm import Progress, StopReason
from rony_desktop.contract.session import MessageStatus, Session
from rony_desktop.ui.chat.presenter import ChatPresenter
from tests.fake.chat_view import FakeChatView


class Pane:
    """A presenter and its view, and what it told the others."""

    def __init__(self, world: Any) -> None:
        self.view = FakeChatView()
        self.shown: list[str] = []
        self.finished: list[Response] = []
        self.presenter = ChatPresenter(
            world.chat, self.view, self.shown.append, self.finished.append
        )
        self.presenter.new()

    def type(self, text: str) -> None:
        self.view.draft = text
        self.presenter.draft(text)

    def send(self, text: str = "Hi") -> asyncio.Task[None]:
        self.type(text)
        return asyncio.create_task(self.presenter.send(text))


@pytest.fixture
def pane(world: Any) -> Pane:
    return Pane(world)


async def test_a_question_is_asked_and_its_answer_shown(pane: Pane) -> None:
    await pane.send("  Hi ")
    assert pane.view.contents() == ["Hi", "Hello there"]
    answer = pane.view.messages[1]
    assert (answer.status, answer.stop_reason) == (MessageStatus.COMPLETE, StopReason.END_TURN)
    assert [response.content for response in pane.finished] == ["Hello there"]
    assert pane.view.busy_states == [False, True, False]


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_an_empty_question_changes_nothing(pane: Pane, world: Any, text: str) -> None:
    await pane.send(text)
    assert world.store.entries == {}
    assert pane.view.busy_states == [False]


async def test_the_draft_is_cleared_only_when_the_question_is_kept(
    pane: Pane, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = asyncio.Event()
    append = world.store.append

    async def slow(*args: Any, **kwargs: Any) -> Any:
        await gate.wait()
        return await append(*args, **kwargs)

    monkeypatch.setattr(world.store, "append", slow)
    sending = pane.send("Hi")
    await world.until(lambda: pane.view.busy)
    assert pane.view.draft == "Hi"
    pane.type("Hi\nand what I typed since ")
    gate.set()
    await sending
    assert pane.view.draft == "and what I typed since "
    pane.type("")
    pane.presenter.new()
    await pane.presenter.open(pane.shown[0])
    assert pane.view.draft == ""


async def test_a_refused_question_stays_in_the_composer_and_says_why(
    pane: Pane, world: Any
) -> None:
    world.store.failure = DiskFull(path="data")
    await pane.send("Hi")
    assert pane.view.failures == [DiskFull(path="data").failure()]
    assert pane.view.draft == "Hi"
    assert pane.view.contents() == []
    assert not pane.view.busy
    session = pane.presenter.session
    pane.presenter.new()
    assert pane.view.draft == ""
    await pane.send("Hi again")
    assert session != pane.presenter.session


async def test_a_chat_that_cannot_be_read_is_raised_and_leaves_the_pane_free(
    pane: Pane, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(id: str) -> Session:
        raise DiskFull(path=id)

    monkeypatch.setattr(world.store, "load", broken)
    with pytest.raises(DiskFull):
        await pane.send("Hi")
    assert (pane.view.busy, pane.view.draft) == (False, "Hi")


async def test_a_chat_that_cannot_be_opened_leaves_the_mark_on_the_one_that_is_shown(
    pane: Pane, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(id: str) -> Session:
        raise DiskFull(path=id)

    monkeypatch.setattr(world.store, "load", broken)
    with pytest.raises(DiskFull):
        await pane.presenter.open("damaged")
    assert pane.shown == [pane.presenter.session] * 2


async def test_each_chat_has_its_own_draft(pane: Pane, world: Any) -> None:
    await pane.send("first")
    first = pane.presenter.session
    pane.type("for the first")
    pane.presenter.new()
    assert pane.view.draft == ""
    pane.type("for the second")
    await pane.presenter.open(first)
    assert pane.view.draft == "for the first"


async def test_another_chat_may_be_opened_in_mid_answer_and_back(pane: Pane, world: Any) -> None:
    await pane.send("before")
    other = pane.presenter.session
    pane.presenter.new()
    world.llm.hold = asyncio.Event()
    sending = pane.send("Hi")
    running = pane.presenter.session
    await world.until(lambda: pane.view.text == "Hello")
    await pane.presenter.open(other)
    assert not pane.view.busy
    assert pane.view.contents() == ["before", "Hello there"]
    assert pane.view.open is None
    await pane.presenter.open(running)
    assert pane.view.busy
    assert pane.view.contents() == ["Hi"]
    assert pane.view.open is not None
    assert pane.view.text == "Hello"
    world.llm.hold.set()
    await sending
    assert pane.view.contents() == ["Hi", "Hello there"]
    assert not pane.view.busy
    assert pane.shown[-2:] == [other, running]


async def test_an_answer_that_ends_unseen_disturbs_nobody(pane: Pane, world: Any) -> None:
    world.llm.hold = asyncio.Event()
    sending = pane.send("Hi")
    running = pane.presenter.session
    await world.until(lambda: pane.view.text == "Hello")
    pane.presenter.new()
    pane.type("something else")
    states = len(pane.view.busy_states)
    world.llm.hold.set()
    await sending
    assert pane.view.contents() == []
    assert pane.view.draft == "something else"
    assert pane.view.busy_states[states:] == []
    assert pane.finished == []
    await pane.presenter.open(running)
    assert pane.view.contents() == ["Hi", "Hello there"]


async def test_two_chats_answer_side_by_side(pane: Pane, world: Any) -> None:
    world.llm.hold = asyncio.Event()
    first = pane.send("one")
    await world.until(lambda: pane.view.text == "Hello")
    pane.presenter.new()
    second = pane.send("two")
    await world.until(lambda: pane.view.text == "Hello")
    world.llm.hold.set()
    await asyncio.gather(first, second)
    assert pane.view.contents() == ["two", "Hello there"]
    assert len(pane.finished) == 1


async def test_a_busy_chat_takes_no_second_question(pane: Pane, world: Any) -> None:
    world.llm.hold = asyncio.Event()
    sending = pane.send("Hi")
    await world.until(lambda: pane.view.text)
    await pane.send("again")
    await pane.presenter.retry()
    assert pane.view.draft == "again"
    world.llm.hold.set()
    await sending
    assert pane.view.contents() == ["Hi", "Hello there"]
    assert pane.view.draft == "again"


async def test_stop_keeps_what_came(pane: Pane, world: Any) -> None:
    world.llm.hold = asyncio.Event()
    sending = pane.send("Hi")
    await world.until(lambda: pane.view.text)
    await pane.presenter.stop()
    await sending
    answer = pane.view.messages[1]
    assert answer.message.content == "Hello"
    assert (answer.status, answer.stop_reason) == (
        MessageStatus.INTERRUPTED,
        StopReason.CANCELLED,
    )
    assert not pane.view.busy


async def test_stop_where_nothing_runs_is_nothing(pane: Pane) -> None:
    await pane.presenter.stop()
    assert pane.view.busy_states == [False]


async def test_retry_asks_the_same_again(pane: Pane, world: Any) -> None:
    world.llm._answers.insert(0, StreamBroken(detail="gone"))
    await pane.send("Hi")
    failed = pane.view.messages[1]
    assert failed.failure == StreamBroken(detail="gone").failure()
    pane.type("a draft of the next")
    await pane.presenter.retry()
    assert pane.view.contents()[-1] == "Hello there"
    assert pane.view.draft == "a draft of the next"
    await pane.presenter.open(pane.presenter.session)
    assert len(world.llm.requests) == 2
    assert [m.content for m in world.llm.requests[1].messages] == ["Hi"]


async def test_retry_in_an_empty_chat_is_nothing(pane: Pane) -> None:
    await pane.presenter.retry()
    assert not (pane.view.busy or pane.view.failures)


async def test_a_second_try_leaves_the_chat_chosen_meanwhile(pane: Pane) -> None:
    await pane.send("Hi")
    trying = asyncio.create_task(pane.presenter.retry())
    await asyncio.sleep(0)
    pane.presenter.new()
    await trying
    assert pane.view.contents() == []


async def test_a_second_try_takes_the_place_of_the_first(pane: Pane, world: Any) -> None:
    world.llm._answers.insert(0, StreamBroken(detail="gone"))
    await pane.send("Hi")
    world.llm.hold = asyncio.Event()
    trying = asyncio.create_task(pane.presenter.retry())
    await world.until(lambda: pane.view.text == "Hello")
    assert pane.view.contents() == ["Hi"]
    assert pane.view.busy
    world.llm.hold.set()
    await trying
    assert pane.view.contents() == ["Hi", "Hello there"]


async def test_of_two_chats_opened_at_once_the_last_is_shown(
    pane: Pane, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pane.send("one")
    one = pane.presenter.session
    pane.presenter.new()
    await pane.send("two")
    two = pane.presenter.session
    pane.presenter.new()
    gate = asyncio.Event()
    load = world.store.load

    async def slow(id: str) -> Session:
        if id == one:
            await gate.wait()
        return await load(id)

    monkeypatch.setattr(world.store, "load", slow)
    first = asyncio.create_task(pane.presenter.open(one))
    await asyncio.sleep(0)
    await pane.presenter.open(two)
    gate.set()
    await first
    assert pane.presenter.session == two
    assert pane.view.contents() == ["two", "Hello there"]


class Script:
    """A ChatService whose turn is a list of events; for what only an engine would tell."""

    def __init__(self, *events: Any) -> None:
        self._events = events

    async def send(self, session: str, text: str) -> Any:
        for event in self._events:
            yield event


async def test_progress_is_shown_until_the_first_word() -> None:
    view = FakeChatView()
    loading = EngineStatus(EngineState.LOADING, "m")
    half, whole = Progress(10, 0, 5), Progress(10, 0, 10)
    script = Script(
        TurnStarted("s", "q", "a"),
        WaitingForEngine(loading),
        Prefill(half),
        Prefill(whole),
        ThinkingDelta("hm"),
        TextDelta("He"),
        TextDelta("llo"),
        TurnFinished(Response("Hello", StopReason.END_TURN)),
    )
    presenter = ChatPresenter(script, view)  # type: ignore[arg-type]
    presenter.new()
    await presenter.send("Hi")
    assert view.waiting == [loading]
    assert view.progress == [None, half, whole, None, None]
    assert (view.contents(), view.thinking) == (["Hi", "Hello"], "hm")
    assert view.messages[1].message.thinking == "hm"


async def test_the_chat_on_show_is_not_shown_again(pane: Pane) -> None:
    await pane.send("Hi")
    pane.type("typed")
    before = pane.view.session
    await pane.presenter.open(pane.presenter.session)
    assert pane.view.session is before
    assert pane.view.draft == "typed"
