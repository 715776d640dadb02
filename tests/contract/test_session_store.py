"""What every SessionStore does; run against the one on disk and the one in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from rony_desktop.contract.approval import Grant
from rony_desktop.contract.error import SessionBusy, SessionError, SessionMissing
from rony_desktop.contract.llm import StopReason, Timings, TokenUsage
from rony_desktop.contract.message import Message, Role, ToolCall, ToolResult
from rony_desktop.contract.port import SessionStore
from rony_desktop.contract.session import (
    CallTrace,
    EntryKind,
    MessageStatus,
    NewEntry,
    SessionMessage,
)
from rony_desktop.contract.tool import ToolState
from rony_desktop.store.place import Place
from rony_desktop.store.session import FileSessionStore
from rony_desktop.store.session_body import write_end, write_message, write_trace
from tests.fake.session import FakeSessionStore


@pytest.fixture(params=["file", "fake"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[SessionStore]:
    if request.param == "fake":
        yield FakeSessionStore()
        return
    place = Place.of()
    place.prepare()
    made = FileSessionStore(place)
    yield made
    await made.aclose()


def said(role: str, text: str, id: str, parent: str | None = None) -> NewEntry:
    return NewEntry(EntryKind.MESSAGE, {"role": role, "content": text}, parent, id)


def delta(message: str, text: str) -> NewEntry:
    return NewEntry(EntryKind.DELTA, {"text": text}, message)


def ended(message: str, **more: object) -> NewEntry:
    body = {"status": "complete", "stop_reason": "end_turn", **more}
    return NewEntry(EntryKind.END, body, message)


async def talk(store: SessionStore, id: str = "s", *texts: str) -> None:
    """A question and a whole answer."""
    question, answer = texts or ("Why?", "Because.")
    await store.append(
        id,
        [said("user", question, "u1"), said("assistant", "", "a1", "u1"), delta("a1", answer)],
        durable=True,
    )
    await store.append(id, [ended("a1")], durable=True)


def contents(session: object) -> list[str]:
    return [m.message.content for m in session.messages]  # type: ignore[attr-defined]


async def test_a_conversation_comes_back_as_it_was_told(store: SessionStore) -> None:
    await store.append(
        "s", [said("user", "Hi", "u1"), said("assistant", "", "a1", "u1")], durable=True
    )
    thought = NewEntry(EntryKind.DELTA, {"thinking": "hm"}, "a1")
    await store.append("s", [thought, delta("a1", "Hel")], durable=False)
    await store.append("s", [delta("a1", "lo")], durable=False)
    usage = {"input_tokens": 7, "output_tokens": 2, "cached_tokens": 3}
    timings = {"cache_n": 3, "prompt_n": 4, "predicted_n": 2, "predicted_ms": 10.0}
    await store.append("s", [ended("a1", usage=usage, timings=timings)], durable=True)

    session = await store.load("s")

    assert contents(session) == ["Hi", "Hello"]
    answer = session.messages[1]
    assert answer.message.thinking == "hm"
    assert answer.parent == "u1"
    assert answer.status is MessageStatus.COMPLETE
    assert answer.stop_reason is StopReason.END_TURN
    assert answer.usage == TokenUsage(7, 2, 3)
    assert answer.timings == Timings(3, 4, 0.0, 2, 10.0)
    assert session.leaf == "a1"
    assert session.notices == ()


async def test_an_answer_without_an_end_is_interrupted(store: SessionStore) -> None:
    await store.append(
        "s", [said("user", "Hi", "u1"), said("assistant", "", "a1", "u1")], durable=True
    )
    await store.append("s", [delta("a1", "Hel")], durable=False)

    answer = (await store.load("s")).messages[1]

    assert (answer.message.content, answer.status) == ("Hel", MessageStatus.INTERRUPTED)
    await store.append("s", [ended("a1", status="interrupted")], durable=True)
    assert (await store.load("s")).messages[1].status is MessageStatus.INTERRUPTED


async def test_append_answers_with_numbered_entries(store: SessionStore) -> None:
    first = await store.append("s", [said("user", "Hi", "u1")], durable=True)
    second = await store.append("s", [said("assistant", "Yo", "a1", "u1")], durable=False)

    assert [e.seq for e in (*first, *second)] == [1, 2]
    assert first[0].id == "u1"
    assert len({e.id for e in (*first, *second)}) == 2


async def test_regenerating_branches_without_loss(store: SessionStore) -> None:
    await talk(store)
    session = await store.branch("s", "u1")
    assert contents(session) == ["Why?"]

    await store.append("s", [said("assistant", "Anyway.", "a2", "u1"), ended("a2")], durable=True)

    assert contents(await store.load("s")) == ["Why?", "Anyway."]
    assert contents(await store.branch("s", "a1")) == ["Why?", "Because."]
    assert contents(await store.load("s")) == ["Why?", "Because."]


async def test_branching_to_an_unknown_message_changes_nothing(store: SessionStore) -> None:
    await talk(store)
    with pytest.raises(SessionError):
        await store.branch("s", "nobody")
    assert contents(await store.load("s")) == ["Why?", "Because."]


async def test_compacting_deletes_nothing(store: SessionStore) -> None:
    await talk(store)
    await store.append("s", [said("user", "And?", "u2", "a1")], durable=True)

    await store.compact("s", "He asked why.", "u2")

    session = await store.load("s")
    assert (session.summary, session.keep_from) == ("He asked why.", "u2")
    assert contents(session) == ["Why?", "Because.", "And?"]
    with pytest.raises(SessionError):
        await store.compact("s", "x", "nobody")


async def test_the_title_is_the_first_line_until_one_is_given(store: SessionStore) -> None:
    await talk(store, "s", "\n  " + "word " * 30 + "\nmore", "Yes.")
    title = (await store.load("s")).title
    assert title.startswith("word word")
    assert len(title) <= 60

    await store.append("s", [NewEntry(EntryKind.TITLE, {"text": "Words"})], durable=True)
    assert (await store.load("s")).title == "Words"
    assert [row.title for row in await store.list()] == ["Words"]


async def test_the_list_has_the_newest_first(store: SessionStore) -> None:
    assert list(await store.list()) == []
    await talk(store, "one")
    await asyncio.sleep(0.002)  # times are in milliseconds
    await talk(store, "two")
    assert [row.id for row in await store.list()] == ["two", "one"]
    await asyncio.sleep(0.002)
    await store.append("one", [said("user", "Again", "u2", "a1")], durable=True)

    rows = await store.list()

    assert [(row.id, row.messages) for row in rows] == [("one", 3), ("two", 2)]


async def test_marks_show_in_the_list(store: SessionStore) -> None:
    await talk(store)
    marks = [NewEntry(EntryKind.MARK, {"pinned": True}), NewEntry(EntryKind.MARK, {"folder": "x"})]
    await store.append("s", marks, durable=True)
    (row,) = await store.list()
    assert (row.pinned, row.marks) == (True, {"pinned": True, "folder": "x"})


async def test_search_finds_words_of_messages(store: SessionStore) -> None:
    await talk(store, "pens", "What is a fountain pen?", "It holds ink.")
    await talk(store, "cats", "What is a cat?", "It purrs.")

    assert [row.id for row in await store.search("ink fountain")] == ["pens"]
    assert list(await store.search("dog")) == []
    assert list(await store.search("   ")) == []


async def test_deleting_is_undone_by_restoring(store: SessionStore) -> None:
    await talk(store)
    await store.delete("s")

    assert list(await store.list()) == []
    assert list(await store.search("because")) == []
    with pytest.raises(SessionMissing):
        await store.load("s")

    await store.restore("s")
    assert contents(await store.load("s")) == ["Why?", "Because."]
    with pytest.raises(SessionMissing):
        await store.restore("s")


async def test_a_late_delta_does_not_bring_a_deleted_session_back(store: SessionStore) -> None:
    await talk(store)
    await store.delete("s")
    for entry in (delta("a1", "x"), ended("a1"), said("user", "y", "u2", "a1")):
        with pytest.raises(SessionMissing):
            await store.append("s", [entry], durable=False)
    assert list(await store.list()) == []


@pytest.mark.parametrize("method", ["load", "delete", "restore"])
async def test_what_is_not_there_is_missing(store: SessionStore, method: str) -> None:
    with pytest.raises(SessionMissing):
        await getattr(store, method)("nobody")


async def test_sessions_side_by_side_keep_every_entry_in_order(store: SessionStore) -> None:
    async def chat(id: str) -> None:
        await store.append(
            id, [said("user", "Count", "u1"), said("assistant", "", "a1", "u1")], durable=True
        )
        for number in range(20):
            await store.append(id, [delta("a1", f" {number}")], durable=False)

    async def title(id: str) -> None:
        for number in range(10):
            entry = NewEntry(EntryKind.TITLE, {"text": f"{number}"})
            await store.append(id, [entry], durable=False)

    await asyncio.gather(*(chat(f"s{n}") for n in range(5)))
    await asyncio.gather(*(title(f"s{n % 5}") for n in range(10)))

    for n in range(5):
        session = await store.load(f"s{n}")
        assert contents(session) == ["Count", "".join(f" {number}" for number in range(20))]
        assert (session.title, session.notices) == ("9", ())


async def test_tool_calls_and_results_come_back(store: SessionStore) -> None:
    call = {"id": "c1", "name": "read", "arguments": '{"p": 1}', "thought": None}
    result = {"content": "text", "is_error": True, "metadata": {"k": "v"}, "artifacts": []}
    body = {"role": "tool", "content": "text", "tool_call_id": "c1", "tool_result": result}
    await store.append(
        "s",
        [
            said("user", "Read", "u1"),
            NewEntry(
                EntryKind.MESSAGE,
                {"role": "assistant", "content": "", "tool_calls": [call]},
                "u1",
                "a1",
            ),
            ended("a1"),
            NewEntry(EntryKind.MESSAGE, body, "a1", "t1"),
        ],
        durable=True,
    )

    messages = [told.message for told in (await store.load("s")).messages]

    assert messages[1].tool_calls[0].arguments == '{"p": 1}'
    assert messages[2].role is Role.TOOL
    assert messages[2].tool_result is not None
    assert messages[2].tool_result.is_error
    assert messages[2].tool_result.metadata == {"k": "v"}


async def test_a_turn_with_tools_comes_back(store: SessionStore) -> None:
    call = ToolCall("c1", "write_file", '{"path": "a.md"}')
    answer = Message(Role.ASSISTANT, id="a1", tool_calls=(call,))
    result = Message(
        Role.TOOL, "wrote", "t1", tool_call_id="c1", tool_result=ToolResult("wrote, hidden")
    )
    reach = {"tool": "write_file", "pattern": "*.md", "folder": "/w", "sandbox": "walk"}
    allowed = CallTrace(ToolState.ALLOWED, {"scope": "session", "digest": "d", **reach})
    end = SessionMessage(answer, stop_reason=StopReason.TOOL_USE)
    await store.append(
        "s",
        [
            said("user", "Write it", "u1"),
            NewEntry(EntryKind.MARK, {"folder": "/w"}),
            NewEntry(EntryKind.MESSAGE, write_message(Message(Role.ASSISTANT)), "u1", "a1"),
            NewEntry(EntryKind.END, write_end(end), "a1"),
        ],
        durable=True,
    )
    assert (await store.load("s")).unanswered == (call,)
    for trace in (allowed, CallTrace(ToolState.STARTED), CallTrace(ToolState.DONE, {"ms": "5"})):
        entry = NewEntry(EntryKind.TOOL, write_trace("c1", trace), "a1")
        await store.append("s", [entry], durable=True)
    await store.append(
        "s", [NewEntry(EntryKind.MESSAGE, write_message(result), "a1", "t1")], durable=True
    )

    session = await store.load("s")

    assert [m.message for m in session.messages[1:]] == [answer, result]
    assert session.messages[1].stop_reason is StopReason.TOOL_USE
    assert session.folder == "/w"
    assert session.unanswered == ()
    assert session.calls == {
        "c1": CallTrace(ToolState.DONE, {**allowed.params, "ms": "5"}),
    }
    assert session.grants == (Grant("c1", "write_file", "*.md", "/w", "walk", session="s"),)
    (row,) = await store.list()
    assert row.messages == 2
    assert await store.search("wrote") == ()
    await store.append("s", [NewEntry(EntryKind.MARK, {"revoked": "c1"})], durable=True)
    assert (await store.load("s")).grants == ()


async def test_a_session_has_one_turn_at_a_time(store: SessionStore) -> None:
    release = await store.claim("s")
    with pytest.raises(SessionBusy):
        await store.claim("s")
    await store.claim("other")
    release()
    (await store.claim("s"))()
