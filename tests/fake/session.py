"""A SessionStore in memory, held to the same suite as the one on disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count

from rony_desktop.contract.error import RonyError, SessionBusy, SessionError, SessionMissing
from rony_desktop.contract.session import Entry, EntryKind, NewEntry, Session, SessionSummary
from rony_desktop.store.session_replay import Replay


class FakeSessionStore:
    """Keeps entries by session. failure, where set, is raised by the next append."""

    def __init__(self) -> None:
        self.entries: dict[str, list[Entry]] = {}
        self.bin: dict[str, list[Entry]] = {}
        self.durable: list[str] = []
        self.failure: RonyError | None = None
        self.claimed: set[str] = set()
        self._clock = count()

    async def load(self, id: str) -> Session:
        return Replay(self._known(id)).session(id, "local")

    async def append(
        self, id: str, entries: Sequence[NewEntry], *, durable: bool
    ) -> Sequence[Entry]:
        if self.failure:
            failure, self.failure = self.failure, None
            raise failure
        known = self.entries.get(id)
        first = entries[0] if entries else None
        if known is None and (not first or first.kind is not EntryKind.MESSAGE or first.parent):
            raise SessionMissing(session=id)
        made: list[Entry] = []
        for seq, new in enumerate(entries, len(known or ()) + 1):
            time = f"2030-01-01T00:00:00.{next(self._clock):06}+00:00"
            id_ = new.id or f"entry-{id}-{seq}"
            made.append(Entry(id_, new.parent, seq, time, new.kind, new.body))
        self.entries[id] = [*(known or ()), *made]
        if durable:
            self.durable += [entry.id for entry in made]
        return tuple(made)

    async def claim(self, id: str) -> Callable[[], None]:
        if id in self.claimed:
            raise SessionBusy(session=id)
        self.claimed.add(id)
        return lambda: self.claimed.discard(id)

    async def branch(self, id: str, leaf: str) -> Session:
        self._require(id, leaf)
        await self.append(id, [NewEntry(EntryKind.MARK, {"leaf": leaf})], durable=True)
        return await self.load(id)

    async def compact(self, id: str, summary: str, keep_from: str) -> None:
        self._require(id, keep_from)
        body = {"summary": summary, "keep_from": keep_from}
        await self.append(id, [NewEntry(EntryKind.COMPACT, body)], durable=True)

    async def list(self) -> Sequence[SessionSummary]:
        rows = [Replay(entries).summary(id) for id, entries in self.entries.items()]
        return tuple(sorted(rows, key=lambda row: row.updated, reverse=True))

    async def search(self, query: str) -> Sequence[SessionSummary]:
        words = query.lower().split()
        found = []
        for row in await self.list():
            text = Replay(self.entries[row.id]).words().lower()
            if words and all(word in text for word in words):
                found.append(row)
        return tuple(found)

    async def delete(self, id: str) -> None:
        self.bin[id] = self._known(id)
        del self.entries[id]

    async def restore(self, id: str) -> None:
        if id not in self.bin:
            raise SessionMissing(session=id)
        if id in self.entries:
            raise SessionError(session=id, detail="a chat of this id is there again")
        self.entries[id] = self.bin.pop(id)

    def _known(self, id: str) -> list[Entry]:
        if id not in self.entries:
            raise SessionMissing(session=id)
        return self.entries[id]

    def _require(self, id: str, message: str) -> None:
        if not Replay(self._known(id)).has(message):
            raise SessionError(session=id, detail=f"it has no message {message}")
