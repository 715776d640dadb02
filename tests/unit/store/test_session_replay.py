from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from rony_desktop.contract.message import Role
from rony_desktop.contract.session import Entry, EntryKind, MessageStatus
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
        ]
    ),
    st.one_of(
        st.sampled_from([*Role, "complete", "end_turn", "a", "b"]),
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
    assert replay.summary("s").messages == len(ids)
    assert bool(ids) == bool(replay.messages())
