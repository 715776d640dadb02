from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.approval import (
    Approval,
    ApprovalRequest,
    AskReason,
    FileChange,
    Grant,
    GrantScope,
)
from rony_desktop.contract.error import DiskFull, StorageError, ToolDeniedError
from rony_desktop.contract.message import ToolCall
from rony_desktop.contract.session import Session
from rony_desktop.tool.approval import ApprovalGate, bound, chosen, covers, digest, pattern_of
from rony_desktop.tool.diff import hunks
from tests.fake.approver import FakeApprover, allow, deny
from tests.fake.record import FakeRecordStore

NOW = datetime(2030, 5, 1, tzinfo=UTC)
SESSION = Session("s", folder="/w")
BEFORE, AFTER = "a\nb\nc\n", "A\nb\nC\n"
CHANGE = FileChange("docs/plan.md", BEFORE, AFTER, hunks(BEFORE, AFTER))


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


def request(id: str = "c1", change: FileChange | None = CHANGE, **other: object) -> ApprovalRequest:
    made = ApprovalRequest(
        session="s",
        call=ToolCall(id, "write_file", '{"path": "docs/plan.md"}'),
        reason=AskReason.CHANGES,
        folder="/w",
        sandbox="walk",
        digest="",
        change=change,
        pattern="docs/*.md",
    )
    made = replace(made, **other)  # type: ignore[arg-type]
    return replace(made, digest=bound(made, None))


def gate(approver: FakeApprover | None, records: FakeRecordStore | None = None) -> ApprovalGate:
    return ApprovalGate(approver, records or FakeRecordStore(), Clock())


text = st.text(st.characters(), max_size=4)
parts = st.tuples(text, text, text, text, st.none() | text)


@given(parts, parts)
def test_no_two_sets_of_parts_have_one_digest(one: tuple, other: tuple) -> None:
    assert (digest(*one) == digest(*other)) == (one == other)


def test_what_is_next_to_each_other_is_not_mixed_up() -> None:
    shifted = [("ab", "c", "", "", None), ("a", "bc", "", "", None), ("abc", "", "", "", None)]
    near = [("a", "b", "", "", None), ("a", "b", "", "", ""), ("a", "b", "", "", "-")]
    halves = [("\ud83d\ude00", "", "", "", None), ("\U0001f600", "", "", "", None)]
    all_ = [*shifted, *near, *halves, *permutations(["a", "b", "c", "d", "e"])]
    assert len({digest(*p) for p in all_}) == len(all_)


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("docs/plan.md", "docs/*.md"),
        ("plan.md", "*.md"),
        ("a/b/x.tar.gz", "a/b/*.gz"),
        ("Makefile", "Makefile"),
        ("src/Makefile", "src/Makefile"),
        (".env", ".env"),
        ("a*/x.[ch]", "a*/*.[ch]"),
    ],
)
def test_pattern_is_the_folder_and_the_ending(path: str, pattern: str) -> None:
    assert pattern_of(path) == pattern


def grant(**other: str) -> Grant:
    return replace(Grant("g", "write_file", "docs/*.md", "/w", "walk", session="s"), **other)


LATER, EARLIER = ((NOW + timedelta(days=d)).isoformat() for d in (1, -1))


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (grant(), True),
        (grant(session="other"), False),
        (grant(tool="edit_file"), False),
        (grant(pattern="*.md"), False),
        (grant(pattern="docs/*"), False),
        (grant(folder="/w/docs"), False),
        (grant(sandbox="openat2"), False),
        (grant(session="", expires=LATER), True),
        (grant(session="", expires=EARLIER), False),
        (grant(session="", expires=""), False),
        (grant(session="", expires="soon"), False),
        (grant(session="", expires="2030-06-01T00:00:00"), False),  # no zone
        (grant(session="", expires="2030-06-01T00:00:00+02:00"), True),
    ],
)
def test_a_grant_covers_only_its_own(given_: Grant, expected: bool) -> None:
    assert covers(given_, request(), NOW) is expected
    assert not covers(given_, request(reason=AskReason.PROTECTED), NOW)


def test_no_pattern_is_covered_by_nothing() -> None:
    assert not covers(grant(pattern=""), request(pattern=""), NOW)


def test_chosen_is_what_is_left() -> None:
    assert chosen(CHANGE, None) is CHANGE
    assert chosen(CHANGE, (1,)).after == "a\nb\nC\n"
    assert chosen(CHANGE, (1,)).hunks == CHANGE.hunks[1:]
    assert chosen(CHANGE, (0, 1)) == CHANGE
    assert bound(request(), (1,)) != bound(request(), (0,)) != bound(request(), None)
    assert bound(request(), (1, 0)) == bound(request(), None)
    assert bound(request(change=None), None) == digest(
        "write_file", '{"path": "docs/plan.md"}', "/w", "walk", None
    )


async def test_nobody_to_ask_allows_as_the_seed_says() -> None:
    protected = request(reason=AskReason.PROTECTED)
    assert await gate(None).decide(protected, SESSION) == Approval(True, protected.digest)


async def test_the_user_is_asked_each_time() -> None:
    approver = FakeApprover()
    asks = gate(approver)
    for id in ("c1", "c2"):
        assert (await asks.decide(request(id), SESSION)).allowed
    assert [r.call.id for r in approver.requests] == ["c1", "c2"]


async def test_a_refusal_comes_back_with_its_reason() -> None:
    answer = await gate(FakeApprover(deny("use tabs"))).decide(request(), SESSION)
    assert (answer.allowed, answer.reason) == (False, "use tabs")


async def test_auto_approve_asks_only_for_what_is_protected() -> None:
    approver = FakeApprover()
    auto = replace(SESSION, auto_approve=True)
    asks = gate(approver)
    assert (await asks.decide(request(), auto)).allowed
    assert not approver.requests
    await asks.decide(request(reason=AskReason.PROTECTED), auto)
    assert len(approver.requests) == 1


async def test_arguments_changed_while_asked_are_refused() -> None:
    approver = FakeApprover(waits=True)
    asked = request()
    approver.answer = lambda _: Approval(True, asked.digest)
    deciding = asyncio.create_task(gate(approver).decide(asked, SESSION))
    await approver.asked.wait()
    object.__setattr__(asked.call, "arguments", '{"path": ".bashrc"}')
    approver.go.set()
    with pytest.raises(ToolDeniedError, match="what was shown is not what would be run"):
        await deciding


async def test_a_mutation_that_the_answer_follows_is_refused_too() -> None:
    def mutated(asked: ApprovalRequest) -> Approval:
        object.__setattr__(asked.change, "after", "evil\n")
        return allow()(asked)

    change = replace(CHANGE)
    with pytest.raises(ToolDeniedError):
        await gate(FakeApprover(mutated)).decide(request(change=change), SESSION)


@pytest.mark.parametrize(
    "answer",
    [
        Approval(True),
        Approval(True, "0" * 64),
        Approval(True, bound(request(), None), hunks=(0,)),
        Approval(True, bound(request(), (0,)), hunks=(1,)),
        Approval(True, bound(request(), (0,))),
    ],
)
async def test_an_answer_to_something_else_is_refused(answer: Approval) -> None:
    with pytest.raises(ToolDeniedError):
        await gate(FakeApprover(lambda _: answer)).decide(request(), SESSION)


async def test_a_request_whose_digest_is_not_its_own_is_refused() -> None:
    wrong = replace(request(), digest="0" * 64)
    with pytest.raises(ToolDeniedError):
        await gate(FakeApprover()).decide(wrong, SESSION)


async def test_some_hunks_may_be_taken_but_not_none() -> None:
    answer = await gate(FakeApprover(allow(hunks=(1,)))).decide(request(), SESSION)
    assert answer.hunks == (1,)
    for none in ((), (7,)):
        with pytest.raises(ToolDeniedError, match="no part"):
            await gate(FakeApprover(allow(hunks=none))).decide(request(), SESSION)


async def test_this_chat_covers_its_pattern_until_revoked() -> None:
    approver = FakeApprover(allow(GrantScope.SESSION))
    asks = gate(approver)
    await asks.decide(request("c1"), SESSION)
    # The answer of a grant gives no further grant: revoking the first must be enough.
    assert (await asks.decide(request("c2"), SESSION)).scope is GrantScope.ONCE
    assert len(approver.requests) == 1
    await asks.decide(replace(request("c3"), session="t"), Session("t", folder="/w"))
    assert len(approver.requests) == 2
    assert [g.id for g in await asks.grants(session="s")] == ["c1"]
    assert [g.id for g in await asks.grants()] == ["c1", "c3"]
    await asks.revoke("c1", "s")
    await asks.decide(request("c4"), SESSION)
    assert len(approver.requests) == 3


async def test_a_grant_of_the_session_counts_until_it_is_revoked() -> None:
    approver = FakeApprover()
    asks = gate(approver)
    session = replace(SESSION, grants=(grant(id="old"),))
    await asks.decide(request(), session)
    assert not approver.requests
    await asks.revoke("old", "s")  # the session of a running turn still has it
    await asks.decide(request(), session)
    assert len(approver.requests) == 1


async def test_always_is_kept_for_thirty_days() -> None:
    records = FakeRecordStore()
    approver = FakeApprover(allow(GrantScope.ALWAYS))
    await gate(approver, records).decide(request(), SESSION)
    later = gate(approver, records)  # the program was started again
    assert (await later.decide(request("c2"), Session("other", folder="/w"))).allowed
    assert len(approver.requests) == 1
    [kept] = await later.grants(folder="/w")
    assert kept.expires == "2030-05-31T00:00:00+00:00"
    assert kept.session == ""
    assert await later.grants(folder="/else") == []
    later._now = lambda: NOW + timedelta(days=30)
    assert await later.grants() == []
    await later.decide(request("c3"), SESSION)
    assert len(approver.requests) == 2
    # Given again it takes the place of the old one.
    [kept] = await later.grants()
    assert kept.expires == "2030-06-30T00:00:00+00:00"
    await later.revoke(kept.id)
    await later.revoke(kept.id)
    assert await later.grants() == []


@pytest.mark.parametrize("scope", [GrantScope.SESSION, GrantScope.ALWAYS])
@pytest.mark.parametrize("other", [{"pattern": ""}, {"reason": AskReason.PROTECTED}])
async def test_where_no_pattern_can_be_given_an_allow_is_for_once(
    scope: GrantScope, other: dict[str, object]
) -> None:
    approver = FakeApprover(allow(scope))
    asks = gate(approver)
    answer = await asks.decide(request(**other), SESSION)
    assert answer.scope is GrantScope.ONCE
    assert await asks.grants() == []


async def test_records_that_mean_nothing_grant_nothing() -> None:
    records = FakeRecordStore()
    await records.put("grants", "1", {"tool": "write_file"})
    await records.put("grants", "2", {"tool": 3, "pattern": None})
    await records.put("grants", "3", {"expires": LATER, "new": "field"})
    approver = FakeApprover()
    asks = gate(approver, records)
    await asks.decide(request(), SESSION)
    assert len(approver.requests) == 1
    assert [g.tool for g in await asks.grants()] == [""]


class Broken(FakeRecordStore):
    async def put(self, kind: str, key: str, record: object) -> None:
        raise DiskFull(path="grants.json")

    async def list(self, kind: str) -> dict:
        raise StorageError(detail="unreadable")


async def test_where_records_cannot_be_read_the_user_is_asked() -> None:
    approver = FakeApprover()
    assert (await gate(approver, Broken()).decide(request(), SESSION)).allowed
    assert len(approver.requests) == 1


async def test_an_always_that_cannot_be_kept_is_an_error() -> None:
    with pytest.raises(StorageError):
        await gate(FakeApprover(allow(GrantScope.ALWAYS)), Broken()).decide(request(), SESSION)


async def test_the_clock_is_utc() -> None:
    records = FakeRecordStore()
    asks = ApprovalGate(FakeApprover(allow(GrantScope.ALWAYS)), records)
    await asks.decide(request(), SESSION)
    [kept] = await asks.grants()
    left = datetime.fromisoformat(kept.expires) - datetime.now(UTC)
    assert timedelta(days=29) < left <= timedelta(days=30)
