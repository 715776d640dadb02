"""Grants are listed and taken back, those of a chat in its file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rony_desktop.app.grant import GrantService
from rony_desktop.contract.approval import Grant
from rony_desktop.contract.session import CallTrace, EntryKind, NewEntry
from rony_desktop.contract.tool import ToolState
from rony_desktop.store.session_body import write_trace
from rony_desktop.tool.approval import GRANTS, ApprovalGate
from tests.fake.record import FakeRecordStore
from tests.fake.session import FakeSessionStore

ALLOWED = {
    "scope": "session",
    "pattern": "*.md",
    "tool": "write_file",
    "folder": "/work",
    "sandbox": "openat2",
    "digest": "d",
}


@pytest.fixture
async def store() -> FakeSessionStore:
    made = FakeSessionStore()
    body = {"role": "assistant", "content": ""}
    trace = write_trace("c1", CallTrace(ToolState.ALLOWED, ALLOWED))
    entries = [NewEntry(EntryKind.MESSAGE, body, id="a"), NewEntry(EntryKind.TOOL, trace, "a")]
    await made.append("s", entries, durable=True)
    return made


async def test_a_chat_lists_its_own_grants_and_those_with_a_time(store: FakeSessionStore) -> None:
    records = FakeRecordStore()
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    grant = {"id": "g", "tool": "edit_file", "pattern": "*.md", "folder": "/w", "sandbox": "walk"}
    await records.put(GRANTS, "g", {**grant, "expires": until})
    service = GrantService(ApprovalGate(None, records), store)
    assert [grant.id for grant in await service.list("s")] == ["g", "c1"]
    assert [grant.id for grant in await service.list("new")] == ["g"]
    for grant_ in await service.list("s"):
        await service.revoke(grant_)
    assert list(await service.list("s")) == []


async def test_what_was_revoked_stays_so_in_the_chats_file(store: FakeSessionStore) -> None:
    service = GrantService(ApprovalGate(None, FakeRecordStore()), store)
    (grant,) = await service.list("s")
    assert grant == Grant("c1", "write_file", "*.md", "/work", "openat2", session="s")
    await service.revoke(grant)
    assert store.entries["s"][-1].body == {"revoked": "c1"}
    assert (await store.load("s")).grants == ()
