from __future__ import annotations

from dataclasses import replace
from itertools import count

from hypothesis import given, strategies as st

from rony_desktop.contract.approval import Grant
from rony_desktop.contract.message import Role, ToolResult
from rony_desktop.contract.session import CallTrace, Entry, EntryKind, MessageStatus, Session
from rony_desktop.contract.tool import ToolState
from rony_desktop.store.session_file import Lines, Tail
from rony_desktop.store.session_replay import Replay, notices_of

NUMBERS = count(1)


def entry(kind: EntryKind, parent: str | None = None, id: str = "", **body: object) -> Entry:
    seq = next(NUMBERS)
    return Entry(id or f"e{seq}", parent, seq, f"t{seq:09}", kind, body)


def said(id: str, parent: str | None = None, role: str = "user", content: object = "") -> Entry:
    return entry(EntryKind.MESSAGE, parent, id, role=role, content=content or id)


def told(*entries: Entry) -> list[str]:
    return [m.message.content for m in Replay(entries).session("s", "local").messages]


def test_a_lost_parent_is_stood_in_for_by_the_one_before() -> None:
    assert told(said("a"), said("b", "a"), said("d", "lost"), said("e", "d")) == list("abde")


def test_parents_in_a_circle_end() -> None:
    assert told(said("a", "c"), said("b", "a"), said("c", "b")) == list("abc")
    assert told(said("a", "a")) == ["a"]


def test_a_second_message_of_one_id_is_stray() -> None:
    entries = [said("a"), said("a", content="other")]
    replay = Replay(entries)
    assert told(*entries) == ["a"]
    (notice,) = notices_of("s", Lines((), Tail(0, 0)), replay)
    assert notice.code == "session.foreign"


def test_an_unknown_role_is_stray() -> None:
    replay = Replay([said("a"), said("b", "a", role="ghost")])
    assert (replay.stray, replay.has("b")) == (1, False)


def test_what_comes_after_the_end_is_not_of_the_answer() -> None:
    answer = said("a", role="assistant")
    end = entry(EntryKind.END, "a", status="complete", stop_reason="from the future")
    late = entry(EntryKind.DELTA, "a", text="late")
    (message,) = Replay([answer, end, late]).session("s", "local").messages
    assert (message.message.content, message.status) == ("a", MessageStatus.COMPLETE)
    assert message.stop_reason is None


def test_an_end_tells_the_failure() -> None:
    failure = {"code": "engine.died", "params": {"detail": "x"}}
    end = entry(EntryKind.END, "a", status="interrupted", failure=failure)
    (message,) = Replay([said("a", role="assistant"), end]).session("s", "local").messages
    assert message.failure is not None
    assert message.failure.code == "engine.died"
    assert message.status is MessageStatus.INTERRUPTED


def test_a_mark_older_than_the_newest_message_does_not_count() -> None:
    mark = entry(EntryKind.MARK, leaf="a")
    assert told(said("a"), said("b", "a"), mark) == ["a"]
    again = entry(EntryKind.MARK, leaf="a")
    assert told(said("a"), said("b", "a"), again, said("c", "b")) == list("abc")
    assert told(said("a"), entry(EntryKind.MARK, leaf="nobody")) == ["a"]


def test_only_a_summary_of_this_branch_counts() -> None:
    entries = [
        said("a"),
        said("b", "a"),
        entry(EntryKind.COMPACT, summary="one", keep_from="b"),
        said("c", "a"),
    ]
    assert Replay(entries).session("s", "local").summary == ""
    session = Replay([*entries, entry(EntryKind.MARK, leaf="b")]).session("s", "local")
    assert (session.summary, session.keep_from) == ("one", "b")


def test_a_title_does_not_make_a_session_newer() -> None:
    first = said("a")
    replay = Replay([first, entry(EntryKind.TITLE, text="T")])
    row = replay.summary("s")
    assert (row.title, row.created, row.updated) == ("T", first.time, first.time)
    assert Replay([]).summary("s").title == ""


def asking(id: str, parent: str, *calls: str) -> list[Entry]:
    """An answer that ended in calls."""
    wanted = [{"id": call, "name": "write_file", "arguments": "{}"} for call in calls]
    end = entry(EntryKind.END, id, status="complete", stop_reason="tool_use", tool_calls=wanted)
    return [said(id, parent, role="assistant"), end]


def step(message: str, call: str, state: str, **params: object) -> Entry:
    return entry(EntryKind.TOOL, message, call=call, state=state, **params)


def allowed(message: str, call: str, pattern: str = "*.md") -> Entry:
    reach = {"tool": "write_file", "pattern": pattern, "folder": "/f", "sandbox": "walk"}
    return step(message, call, "allowed", scope="session", digest=f"d-{call}", **reach)


def replayed(*entries: Entry) -> Session:
    return Replay(entries).session("s", "local")


def test_the_end_of_an_answer_tells_its_calls() -> None:
    session = replayed(said("u"), *asking("a", "u", "c1", "c2"))
    assert [call.id for call in session.messages[-1].message.tool_calls] == ["c1", "c2"]
    assert [call.id for call in session.unanswered] == ["c1", "c2"]
    old = entry(EntryKind.MESSAGE, "u", "b", role="assistant", tool_calls=[{"id": "c3"}])
    assert [call.id for call in replayed(said("u"), old).unanswered] == ["c3"]


def test_a_result_is_whole_without_an_end() -> None:
    body = {"role": "tool", "content": "done", "tool_call_id": "c1", "tool_result": {"is_error": 1}}
    result = entry(EntryKind.MESSAGE, "a", "t", **body)
    session = replayed(said("u"), *asking("a", "u", "c1", "c2"), result)
    told = session.messages[-1]
    assert (told.status, told.message.tool_call_id) == (MessageStatus.COMPLETE, "c1")
    assert told.message.tool_result == ToolResult("done")
    assert [call.id for call in session.unanswered] == ["c2"]


def test_each_call_comes_with_its_newest_state_and_all_that_was_said() -> None:
    session = replayed(
        said("u"),
        *asking("a", "u", "c1", "c2"),
        step("a", "c1", "asked", digest="d1"),
        step("a", "c1", "denied", digest="d2", reason="no"),
        step("a", "c2", "started"),
        step("a", "c2", "from the future", secret="x"),
    )
    assert session.calls == {
        "c1": CallTrace(ToolState.DENIED, {"digest": "d2", "reason": "no"}),
        "c2": CallTrace(ToolState.STARTED),
    }
    assert session.notices == ()


def test_calls_are_those_of_the_active_branch() -> None:
    first = [said("u"), *asking("a", "u", "c1"), step("a", "c1", "done")]
    again = [*first, *asking("b", "u", "c1")]
    assert replayed(*first).calls == {"c1": CallTrace(ToolState.DONE)}
    assert replayed(*again).calls == {}
    assert replayed(*again, entry(EntryKind.MARK, leaf="a")).calls == replayed(*first).calls


def test_a_step_of_an_unknown_message_is_stray() -> None:
    replay = Replay([said("u"), allowed("lost", "c1")])
    assert replay.stray == 1
    assert replay.session("s", "local").grants == ()


def test_what_was_allowed_for_the_chat_is_its_grant() -> None:
    session = replayed(said("u"), *asking("a", "u", "c1", "c2"), allowed("a", "c1"))
    assert session.grants == (Grant("c1", "write_file", "*.md", "/f", "walk", session="s"),)
    on_another_branch = replayed(
        said("u"), *asking("a", "u", "c1"), allowed("a", "c1"), said("b", "u")
    )
    assert on_another_branch.grants == session.grants


def test_revoked_grants_are_gone() -> None:
    entries = [
        said("u"),
        *asking("a", "u", "c1", "c2", "c3", "c4"),
        allowed("a", "c1"),
        allowed("a", "c2", "*.txt"),
        allowed("a", "c3"),
        allowed("a", "c4", "*.py"),
    ]
    assert [grant.id for grant in replayed(*entries).grants] == ["c1", "c2", "c4"]
    entries += [entry(EntryKind.MARK, revoked="c2"), entry(EntryKind.MARK, revoked="c3")]
    session = replayed(*entries)
    assert [grant.id for grant in session.grants] == ["c4"]
    assert "revoked" not in Replay(entries).summary("s").marks
    strange = entry(EntryKind.MARK, revoked=["c4"])
    assert replayed(*entries, strange).grants == session.grants
    assert [g.id for g in replayed(*entries, allowed("a", "c1")).grants] == ["c4", "c1"]


def test_the_newest_folder_counts() -> None:
    chosen = [said("u"), entry(EntryKind.MARK, folder="/a"), entry(EntryKind.MARK, folder="/b")]
    assert replayed(*chosen).folder == "/b"
    assert replayed(*chosen, entry(EntryKind.MARK, folder="")).folder == ""
    assert replayed(*chosen, entry(EntryKind.MARK, folder=5)).folder == ""


def test_results_of_tools_are_neither_counted_nor_searched() -> None:
    result = said("t", "a", role="tool", content="found")
    replay = Replay([said("u"), *asking("a", "u", "c1"), result, said("b", "t", role="assistant")])
    assert replay.summary("s").messages == 3
    assert replay.words() == "u\na\nb"
    assert len(replay.messages()) == 4


IDS = st.sampled_from(["a", "b", "c", "d", "lost"])
BODIES = st.dictionaries(
    st.sampled_from(
        [
            "role",
            "content",
            "text",
            "thinking",
            "leaf",
            "pinned",
            "summary",
            "keep_from",
            "status",
            "stop_reason",
            "usage",
            "timings",
            "failure",
            "tool_calls",
            "tool_result",
            "model",
            "call",
            "state",
            "scope",
            "tool",
            "pattern",
            "folder",
            "sandbox",
            "revoked",
        ]
    ),
    st.one_of(
        st.sampled_from([*Role, *ToolState, "complete", "end_turn", "session", "a", "b"]),
        st.none(),
        st.integers(),
        st.lists(st.dictionaries(st.sampled_from(["id", "name"]), st.integers())),
        st.dictionaries(
            st.sampled_from(
                ["code", "params", "input_tokens", "prompt_n", "artifacts", "metadata"]
            ),
            st.one_of(st.integers(), st.text(), st.lists(st.none()), st.booleans()),
        ),
    ),
)
ENTRIES = st.lists(
    st.builds(
        Entry,
        id=IDS,
        parent=st.none() | IDS,
        seq=st.integers(0, 20),
        time=st.just("t"),
        kind=st.sampled_from(EntryKind),
        body=BODIES,
    )
)


@given(ENTRIES)
def test_any_entries_are_survived(entries: list[Entry]) -> None:
    replay = Replay(sorted(entries, key=lambda e: e.seq))
    session = replay.session("s", "local")
    ids = [m.message.id for m in session.messages]
    assert len(ids) == len(set(ids)) <= len(replay.messages())
    results = [m for m in session.messages if m.message.role is Role.TOOL]
    assert replay.summary("s").messages == len(ids) - len(results)
    assert len({replace(grant, id="") for grant in session.grants}) == len(session.grants)
    assert bool(ids) == bool(replay.messages())
