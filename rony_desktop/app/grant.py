"""What was allowed for longer than once: listed, and taken back."""

from __future__ import annotations

from collections.abc import Sequence

from rony_desktop.contract.approval import Grant
from rony_desktop.contract.error import SessionMissing
from rony_desktop.contract.port import SessionStore
from rony_desktop.contract.session import EntryKind, NewEntry
from rony_desktop.tool.approval import ApprovalGate


class GrantService:
    """Grants of every folder, and those a chat gave for itself."""

    def __init__(self, gate: ApprovalGate, store: SessionStore) -> None:
        self._gate = gate
        self._store = store

    async def list(self, session: str) -> Sequence[Grant]:
        """Grants that hold: those with a time, and those of this chat. Raises RonyError."""
        try:
            own = (await self._store.load(session)).grants
        except SessionMissing:  # nothing was said in it yet
            own = ()
        return (*(grant for grant in await self._gate.grants() if not grant.session), *own)

    async def revoke(self, grant: Grant) -> None:
        """Take a grant back; from the next call on the user is asked again.

        Raises:
            StorageError, SessionError: it cannot be written; in this run it holds no more.
        """
        await self._gate.revoke(grant.id, grant.session)
        if grant.session:
            mark = NewEntry(EntryKind.MARK, {"revoked": grant.id})
            await self._store.append(grant.session, [mark], durable=True)
