"""The approval gate: grants that answer, the question that is asked, the digest that binds it."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any

from rony_desktop.contract.approval import (
    Approval,
    ApprovalRequest,
    AskReason,
    FileChange,
    Grant,
    GrantScope,
)
from rony_desktop.contract.error import StorageError, ToolDeniedError
from rony_desktop.contract.port import Approver, RecordStore
from rony_desktop.contract.session import Session
from rony_desktop.tool.diff import applied

GRANTS = "grants"  # the kind of their records
VALID = timedelta(days=30)


def digest(tool: str, arguments: str, folder: str, sandbox: str, after: str | None) -> str:
    """What an approval is bound to, as SHA-256; arguments is the JSON text as it came.

    Every part is preceded by its length, so that no two sets of parts give the same bytes.
    """
    whole = hashlib.sha256()
    for part in (tool, arguments, folder, sandbox, after):
        data = b"" if part is None else part.encode("utf-8", "surrogatepass")
        whole.update(b"-" if part is None else f"{len(data)}:".encode())
        whole.update(data)
    return whole.hexdigest()


def chosen(change: FileChange, hunks: tuple[int, ...] | None) -> FileChange:
    """The change with only the hunks of these indexes; None takes all."""
    if hunks is None:
        return change
    kept = tuple(hunk for index, hunk in enumerate(change.hunks) if index in hunks)
    return replace(change, after=applied(change, hunks), hunks=kept)


def bound(request: ApprovalRequest, hunks: tuple[int, ...] | None) -> str:
    """Digest of what is left of a request after the choice. Blocking for large files."""
    after = chosen(request.change, hunks).after if request.change else None
    return digest(request.call.name, request.call.arguments, request.folder, request.sandbox, after)


def pattern_of(path: str) -> str:
    """What a grant given for this path covers: files of its ending in its folder, or it alone."""
    name = PurePosixPath(path)
    return str(name.with_name(f"*{name.suffix}")) if name.suffix else path


def covers(grant: Grant, request: ApprovalRequest, now: datetime) -> bool:
    """Whether a grant answers a request. Patterns are compared, never expanded.

    Without a chat of its own a grant needs a time (with its zone) until which it holds.
    """
    same = (grant.tool, grant.pattern, grant.folder, grant.sandbox) == (
        request.call.name,
        request.pattern,
        request.folder,
        request.sandbox,
    )
    if not same or not request.pattern or request.reason is AskReason.PROTECTED:
        return False
    return grant.session == request.session if grant.session else _holds(grant, now)


class ApprovalGate:
    """Decides on calls that change something. Without an approver it allows every one of them."""

    def __init__(
        self,
        approver: Approver | None,
        records: RecordStore,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._approver = approver
        self._records = records
        self._now = now
        self._given: list[Grant] = []
        self._revoked: set[tuple[str, str]] = set()

    async def decide(self, request: ApprovalRequest, session: Session) -> Approval:
        """The user's answer, or that of a grant.

        Raises:
            ToolDeniedError: What was shown is not what would be run, or nothing is left of it.
            StorageError: An Allow that should go on could not be kept.
        """
        if self._approver is None:
            return Approval(True, request.digest)
        if request.reason is not AskReason.PROTECTED and (
            session.auto_approve or await self._is_granted(request, session)
        ):
            return Approval(True, request.digest)
        shown = await asyncio.to_thread(bound, request, None)
        answer = await self._approver.ask(request)
        if not answer.allowed:
            return answer
        await asyncio.to_thread(_verify, request, answer, shown)
        return await self._kept(request, answer)

    async def grants(self, folder: str = "", session: str = "") -> list[Grant]:
        """Grants that hold, of all folders and chats or of these only.

        Those a chat gave itself in an earlier run are in its Session only.
        """
        now = self._now()
        found = [grant for grant in await self._recorded() if _holds(grant, now)]
        found += [grant for grant in self._given if not session or grant.session == session]
        return [grant for grant in found if not folder or grant.folder == folder]

    async def revoke(self, id: str, session: str = "") -> None:
        """Take back a grant, of a chat's own its session; one that is not there is silent.

        Raises:
            StorageError: It cannot be written; in this run it holds no more.
        """
        self._revoked.add((session, id))
        self._given = [g for g in self._given if (g.session, g.id) != (session, id)]
        if not session:
            await self._records.delete(GRANTS, id)

    async def _is_granted(self, request: ApprovalRequest, session: Session) -> bool:
        now = self._now()
        own = [g for g in session.grants if (g.session, g.id) not in self._revoked]
        # Where the records cannot be read, the user is asked.
        with contextlib.suppress(StorageError):
            own += await self._recorded()
        return any(covers(grant, request, now) for grant in (*own, *self._given))

    async def _recorded(self) -> list[Grant]:
        records = await self._records.list(GRANTS)
        return [grant for record in records.values() if (grant := _grant(record))]

    async def _kept(self, request: ApprovalRequest, answer: Approval) -> Approval:
        """Keep an Allow that goes on; where no pattern can be given, it is for once."""
        if answer.scope is GrantScope.ONCE:
            return answer
        if not request.pattern or request.reason is AskReason.PROTECTED:
            return replace(answer, scope=GrantScope.ONCE)
        parts = (request.call.name, request.pattern, request.folder, request.sandbox)
        if answer.scope is GrantScope.SESSION:
            grant = Grant(request.call.id, *parts, session=request.session)
            self._revoked.discard((grant.session, grant.id))
            self._given.append(grant)
            return answer
        # The same grant given again takes the place of the old one.
        grant = Grant(digest(*parts, None)[:32], *parts, expires=(self._now() + VALID).isoformat())
        await self._records.put(GRANTS, grant.id, asdict(grant))
        return answer


def _verify(request: ApprovalRequest, answer: Approval, shown: str) -> None:
    if (
        not shown == request.digest == bound(request, None)
        or bound(request, answer.hunks) != answer.digest
    ):
        detail = "what was shown is not what would be run"
        raise ToolDeniedError(name=request.call.name, detail=detail)
    change = request.change
    if change and change.hunks and not chosen(change, answer.hunks).hunks:
        raise ToolDeniedError(name=request.call.name, detail="no part of the change was taken")


def _holds(grant: Grant, now: datetime) -> bool:
    try:
        return datetime.fromisoformat(grant.expires) > now
    except (ValueError, TypeError):  # no time, or one without a zone
        return False


def _grant(record: Mapping[str, Any]) -> Grant | None:
    """A grant from its record; None for one that another version wrote differently."""
    values = {field.name: record.get(field.name, "") for field in fields(Grant)}
    if not all(isinstance(value, str) for value in values.values()):
        return None
    return Grant(**values)
