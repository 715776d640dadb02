"""What a turn writes, in which order, and what remains when it cannot be written."""

from __future__ import annotations

import time

import pytest

from rony_desktop.app.feed import Feed
from rony_desktop.app.keep import Keeper, closing, unanswered
from rony_desktop.contract.agent import Response
from rony_desktop.contract.error import DiskFull
from rony_desktop.contract.event import FeedEvent, Notice, ToolProgress
from rony_desktop.contract.llm import StopReason, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.session import EntryKind, MessageStatus, Session
from rony_desktop.contract.tool import NOT_RUN, NotRun, ToolState
from tests.fake.session import FakeSessionStore

CALLS = (ToolCall("c1", "read_file", '{"path":"a"}'), ToolCall("c2", "write_file", "{}"))
FULL = DiskFull(path="/d", needed="1", free="0")


class World:
    def __init__(self, feed: Feed) -> None:
        self.store = FakeSessionStore()
        self.heard: list[FeedEvent] = []
        feed.listen(self.heard.append)
        self.kept = Keeper(self.store, feed, Session("s"))

    def kinds(self) -> list[str]:
        return [entry.kind.value for entry in self.store.entries.get("s", [])]

    async def begin(self) -> None:
        await self.kept.begin("q", "Hi", "a", "tiny")

    async def ask(self) -> None:
        asking = Message(Role.ASSISTANT, "Looking.", tool_calls=CALLS)
        await self.kept.calls(asking, TokenUsage(10, 5), "tiny")

    async def saved(self) -> Session:
        return await self.store.load("s")


@pytest.fixture
def world(feed: Feed) -> World:
    return World(feed)


def result(call: str, text: str = "fine") -> Message:
    return Message(Role.TOOL, text, tool_call_id=call, tool_result=ToolResult(text))


async def test_a_whole_turn_with_tools_is_read_back_as_it_was(world: World) -> None:
    await world.begin()
    world.kept.take("text", "Looking.")
    await world.ask()
    for call in CALLS:
        await world.kept.progress(ToolProgress(call.id, ToolState.STARTED))
        await world.kept.progress(ToolProgress(call.id, ToolState.DONE, {"duration_ms": "3"}))
        await world.kept.result(result(call.id))
    world.kept.open("b", "tiny")
    world.kept.take("text", "Done.")
    usage = TokenUsage(40, 9)
    await world.kept.end(Response("Done.", StopReason.END_TURN, usage=usage, model="tiny"))
    found = await world.saved()
    kept = world.kept.session.messages
    assert [(m.message, m.parent, m.status) for m in found.messages] == [
        (m.message, m.parent, m.status) for m in kept
    ]
    assert [m.message.role.value for m in found.messages] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    assert found.messages[1].message.tool_calls == CALLS
    assert found.total_tokens == usage.total_tokens
    assert found.calls["c1"].state is ToolState.DONE
    assert found.unanswered == ()


async def test_calls_are_on_disk_before_any_runs_and_each_step_before_the_next(
    world: World,
) -> None:
    await world.begin()
    await world.ask()
    last = world.store.entries["s"][-1]
    assert (last.kind, last.body["stop_reason"]) == (EntryKind.END, "tool_use")
    assert last.id in world.store.durable
    await world.kept.progress(ToolProgress("c1", ToolState.ASKED, {"digest": "d"}))
    asked = world.store.entries["s"][-1]
    assert asked.body == {"call": "c1", "state": "asked", "digest": "d"}
    assert (asked.parent, asked.id in world.store.durable) == ("a", True)


@pytest.mark.parametrize("step", ["calls", "progress", "result"])
async def test_what_must_last_and_cannot_be_written_is_told_to_who_asks(
    world: World, step: str
) -> None:
    await world.begin()
    if step != "calls":
        await world.ask()
    world.store.failure = FULL
    with pytest.raises(DiskFull):
        if step == "calls":
            await world.ask()
        elif step == "progress":
            await world.kept.progress(ToolProgress("c1", ToolState.STARTED))
        else:
            await world.kept.result(result("c1"))


async def test_a_turn_that_ends_answers_every_call_once_and_in_order(world: World) -> None:
    await world.begin()
    await world.ask()
    await world.kept.result(result("c1"))
    await world.kept.progress(ToolProgress("c2", ToolState.STARTED))
    await world.kept.end(Response("", StopReason.CANCELLED, model="tiny"))
    found = await world.saved()
    tools = [m.message for m in found.messages if m.message.role is Role.TOOL]
    assert [message.tool_call_id for message in tools] == ["c1", "c2"]
    last = tools[-1].tool_result
    assert last and last.metadata == {NOT_RUN: NotRun.STOPPED}
    assert "in part" in last.content
    assert found.messages[-1].stop_reason is StopReason.CANCELLED


async def test_an_end_that_cannot_be_written_is_owed_whole_and_in_order(world: World) -> None:
    await world.begin()
    await world.ask()
    world.store.failure = FULL
    await world.kept.end(Response("", StopReason.END_TURN, model="tiny"))
    assert [entry.kind.value for entry in world.kept.owed] == [
        "message",
        "message",
        "message",
        "end",
    ]
    assert [type(event) for event in world.heard] == [Notice]
    await world.store.append("s", world.kept.owed, durable=True)
    assert (await world.saved()).unanswered == ()


async def test_a_question_that_cannot_be_written_leaves_the_session_as_it_was(
    world: World,
) -> None:
    world.store.failure = FULL
    with pytest.raises(DiskFull):
        await world.begin()
    assert (world.kept.session, world.kept.message) == (Session("s"), "")
    await world.begin()
    assert world.kinds() == ["message", "message"]


async def test_the_folder_of_a_new_chat_is_written_with_its_first_message(feed: Feed) -> None:
    store = FakeSessionStore()
    kept = Keeper(store, feed, Session("s", folder="/work"))
    await kept.begin("q", "Hi", "a", "tiny")
    assert (await store.load("s")).folder == "/work"
    assert len(store.entries["s"]) == 3


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (None, "was not run"),
        ("asked", "was not run"),
        ("started", "in part"),
        ("done", "was run, but what it said is lost"),
    ],
)
async def test_calls_of_a_program_that_was_closed_are_answered_by_what_is_known(
    world: World, state: str | None, words: str
) -> None:
    await world.begin()
    await world.ask()
    if state:
        await world.kept.progress(ToolProgress("c1", ToolState(state)))
    entries = closing(await world.saved())
    await world.store.append("s", entries, durable=True)
    found = await world.saved()
    tools = [m.message.tool_result for m in found.messages if m.message.role is Role.TOOL]
    assert tools[0] and words in tools[0].content
    assert tools[1] and "the program was closed" in tools[1].content
    last = found.messages[-1]
    assert (last.status, last.stop_reason) == (MessageStatus.INTERRUPTED, None)
    assert closing(found) == []


async def test_a_text_without_end_costs_no_more_at_its_end(world: World) -> None:
    await world.begin()
    begun = time.process_time()
    for _ in range(200_000):
        world.kept.take("text", "ten chars.")
    assert time.process_time() - begun < 2.0  # copied each time it takes ten
    assert len(world.kept.shown("text")) == 2_000_000


def test_a_chat_without_calls_needs_nothing() -> None:
    assert unanswered(Session("s"), NotRun.ENDED) == []
    assert closing(Session("s")) == []
