"""Ids of calls are unique over a conversation; their order stays."""

from __future__ import annotations

from rony_desktop.agent.call_id import LONGEST, CallIds
from rony_desktop.contract.message import ToolCall


def test_ids_that_are_taken_empty_or_too_long_are_replaced() -> None:
    given = ["a", "old", "", "", "a", "x" * (LONGEST + 1), "b"]
    calls = [ToolCall(id, f"tool{n}", "{}") for n, id in enumerate(given)]
    settled = CallIds(["old"]).settle(calls)
    ids = [call.id for call in settled]
    assert [call.name for call in settled] == [call.name for call in calls]
    assert len(set(ids)) == len(ids)
    assert all(ids)
    assert "old" not in ids
    assert (ids[0], ids[-1]) == ("a", "b")
    assert max(map(len, ids)) <= LONGEST


def test_the_next_reply_knows_the_ids_of_the_last() -> None:
    ids = CallIds([])
    call = ToolCall("call_0", "look", "{}")
    (first,), (second,) = ids.settle([call]), ids.settle([call])
    assert first is call
    assert second.id not in ("", "call_0")
