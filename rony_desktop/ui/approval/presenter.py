"""Drives the card: one question at a time, those of the shown chat only."""

from __future__ import annotations

from typing import Protocol

from rony_desktop.contract.approval import ApprovalRequest, GrantScope
from rony_desktop.ui.approval.choice import Choice


class ApprovalService(Protocol):
    """Where answers go."""

    def answer(
        self,
        request: ApprovalRequest,
        *,
        allowed: bool,
        scope: GrantScope,
        reason: str,
        hunks: tuple[int, ...] | None,
    ) -> None:
        """Answer a question; one that is settled already is left alone."""
        ...


class ApprovalView(Protocol):
    """What the presenter asks of card, sheet and status bar."""

    def show(self, request: ApprovalRequest, waiting: int) -> None:
        """Show a question; waiting counts it and those after it."""
        ...

    def hide(self) -> None: ...  # noqa: D102
    def show_elsewhere(self, count: int) -> None:
        """Tell how many other chats wait; 0 for none."""
        ...


class ApprovalPresenter:
    """Keeps the questions of every chat, in the order they were asked."""

    def __init__(self, service: ApprovalService, view: ApprovalView) -> None:
        self._service = service
        self._view = view
        self._session = ""
        self._pending: list[ApprovalRequest] = []

    def shown(self, session: str) -> None:
        """Another chat is shown: its questions come up, the others wait."""
        self._session = session
        self._show()

    def asked(self, request: ApprovalRequest) -> None:
        """A call waits for the user."""
        self._forget(request.session, request.call.id)
        self._pending.append(request)
        self._show()

    def settled(self, session: str, call: str) -> None:
        """A call waits no more: it was answered, or its turn has ended."""
        if self._forget(session, call):
            self._show()

    def elsewhere(self) -> str:
        """Another chat that waits, the one that has waited longest; "" for none."""
        others = (r.session for r in self._pending if r.session != self._session)
        return next(others, "")

    def allow(self, choice: Choice) -> None:
        """Allow the question that is shown."""
        self._answer(allowed=True, choice=choice)

    def deny(self, reason: str = "") -> None:
        """Deny the question that is shown; reason is told to the model."""
        self._answer(allowed=False, reason=reason)

    def _answer(self, *, allowed: bool, choice: Choice | None = None, reason: str = "") -> None:
        request = next(iter(self._here()), None)
        if request is None:
            return
        choice = choice or Choice()
        self._pending.remove(request)
        self._service.answer(
            request, allowed=allowed, scope=choice.scope, reason=reason, hunks=choice.hunks
        )
        self._show()

    def _here(self) -> list[ApprovalRequest]:
        return [request for request in self._pending if request.session == self._session]

    def _forget(self, session: str, call: str) -> bool:
        kept = [r for r in self._pending if (r.session, r.call.id) != (session, call)]
        found = len(kept) < len(self._pending)
        self._pending = kept
        return found

    def _show(self) -> None:
        here = self._here()
        self._view.show_elsewhere(
            len({request.session for request in self._pending} - {self._session})
        )
        if here:
            self._view.show(here[0], len(here))
        else:
            self._view.hide()
