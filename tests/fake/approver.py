"""An Approver that answers as it is told, or waits until it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from rony_desktop.contract.approval import Approval, ApprovalRequest, GrantScope
from rony_desktop.tool.approval import bound

Answer = Callable[[ApprovalRequest], Approval]


def allow(
    scope: GrantScope = GrantScope.ONCE, hunks: tuple[int, ...] | None = None
) -> Callable[[ApprovalRequest], Approval]:
    """Allow what was asked, or these hunks of it."""
    return lambda request: Approval(True, bound(request, hunks), scope, "", hunks)


def deny(reason: str = "") -> Callable[[ApprovalRequest], Approval]:
    """Refuse."""
    return lambda _: Approval(False, reason=reason)


@dataclass
class FakeApprover:
    """Keeps what it was asked. waits: an answer is given only once go is set."""

    answer: Answer = field(default_factory=allow)
    waits: bool = False
    requests: list[ApprovalRequest] = field(default_factory=list)
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    go: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, request: ApprovalRequest) -> Approval:
        self.requests.append(request)
        self.asked.set()
        if self.waits:
            await self.go.wait()
        return self.answer(request)
