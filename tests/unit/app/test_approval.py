"""Approvals wait for the user; where nobody can be asked they deny."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from rony_desktop.app.approval import Approvals, Headless
from rony_desktop.contract.approval import (
    ApprovalRequest,
    AskReason,
    FileChange,
    GrantScope,
)
from rony_desktop.contract.message import ToolCall
from rony_desktop.tool.approval import bound, digest
from rony_desktop.tool.diff import hunks

BEFORE, AFTER = "a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n"


def request(reason: AskReason = AskReason.CHANGES) -> ApprovalRequest:
    change = FileChange("a.md", BEFORE, AFTER, hunks(BEFORE, AFTER))
    call = ToolCall("c1", "write_file", "{}")
    asked = ApprovalRequest("s", call, reason, "/f", "openat2", "", change, "*.md")
    return replace(asked, digest=digest("write_file", "{}", "/f", "openat2", AFTER))


async def test_the_answer_is_bound_to_what_is_left_after_the_choice() -> None:
    announced: list[ApprovalRequest] = []
    approvals = Approvals(announced.append)
    asking = asyncio.create_task(approvals.ask(request()))
    await asyncio.sleep(0)
    assert announced == [request()]
    approvals.answer(request(), allowed=True, scope=GrantScope.SESSION, hunks=(0,))
    approvals.answer(request(), allowed=False)  # the first answer counts
    answer = await asking
    assert (answer.allowed, answer.scope, answer.hunks) == (True, GrantScope.SESSION, (0,))
    assert answer.digest == bound(request(), (0,)) != request().digest


async def test_a_refusal_carries_its_reason_and_no_digest() -> None:
    approvals = Approvals(lambda _: None)
    asking = asyncio.create_task(approvals.ask(request()))
    await asyncio.sleep(0)
    approvals.answer(request(), allowed=False, reason="not today")
    answer = await asking
    assert (answer.allowed, answer.reason, answer.digest) == (False, "not today", "")


async def test_a_stopped_turn_asks_no_more() -> None:
    approvals = Approvals(lambda _: None)
    asking = asyncio.create_task(approvals.ask(request()))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    approvals.answer(request(), allowed=True)  # changes nothing, and raises nothing


async def test_headless_runs_deny_what_is_not_allowed_by_name() -> None:
    assert not (await Headless().ask(request())).allowed
    assert "--allow-tool write_file" in (await Headless().ask(request())).reason
    allowed = await Headless(["write_file"]).ask(request())
    assert (allowed.allowed, allowed.digest) == (True, request().digest)


async def test_headless_runs_deny_what_is_protected_even_where_the_tool_is_allowed() -> None:
    answer = await Headless(["write_file"]).ask(request(AskReason.PROTECTED))
    assert not answer.allowed
    assert "protected" in answer.reason
