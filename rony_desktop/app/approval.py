"""Approvals: calls that wait for the user, and the answers of runs where nobody can be asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace

from rony_desktop.contract.approval import Approval, ApprovalRequest, AskReason, GrantScope
from rony_desktop.tool.approval import bound


class Approvals:
    """The Approver of the window: asks through announce and waits, for hours if need be.

    A request whose turn is stopped is not pending any more; an answer to it changes nothing.
    """

    def __init__(self, announce: Callable[[ApprovalRequest], None]) -> None:
        self._announce = announce
        self._waiting: dict[tuple[str, str], asyncio.Future[Approval]] = {}

    async def ask(self, request: ApprovalRequest) -> Approval:
        """Ask the user; the digest is computed from what was shown and what was taken of it."""
        key = (request.session, request.call.id)
        answered: asyncio.Future[Approval] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answered
        try:
            self._announce(request)
            answer = await answered
        finally:
            del self._waiting[key]
        if not answer.allowed:
            return answer
        return replace(answer, digest=await asyncio.to_thread(bound, request, answer.hunks))

    def answer(
        self,
        request: ApprovalRequest,
        *,
        allowed: bool,
        scope: GrantScope = GrantScope.ONCE,
        reason: str = "",
        hunks: tuple[int, ...] | None = None,
    ) -> None:
        """Take the user's answer; the first one counts. hunks are those taken, None for all."""
        waiting = self._waiting.get((request.session, request.call.id))
        if waiting and not waiting.done():
            waiting.set_result(Approval(allowed, "", scope, reason, hunks))


class Headless:
    """The Approver where nobody can be asked: denies what is not in allowed, by tool name.

    What is protected is denied always.
    """

    def __init__(self, allowed: Collection[str] = ()) -> None:
        self._allowed = frozenset(allowed)

    async def ask(self, request: ApprovalRequest) -> Approval:
        """Answer at once."""
        name = request.call.name
        if request.reason is AskReason.PROTECTED:
            return _denied("nobody can be asked here, and this name is protected")
        if name not in self._allowed:
            return _denied(f"nobody can be asked here; --allow-tool {name} allows it")
        return Approval(True, request.digest)


def _denied(reason: str) -> Approval:
    return Approval(False, reason=reason, by_user=False)
