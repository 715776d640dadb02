"""Sessions in files: one append-only file of JSON lines each, with an index beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from rony_desktop.contract.error import OutsideFolder, SessionBusy, SessionError, SessionMissing
from rony_desktop.contract.session import (
    Entry,
    EntryKind,
    NewEntry,
    Session,
    SessionSummary,
)
from rony_desktop.store.atomic import storage_error
from rony_desktop.store.guard import DirectoryGuard
from rony_desktop.store.lock import Locks, alone, held, whole
from rony_desktop.store.place import Place
from rony_desktop.store.session_bin import SUFFIX, SessionBin
from rony_desktop.store.session_file import (
    Lines,
    Tail,
    append_lines,
    create_file,
    read_lines,
    sync_file,
)
from rony_desktop.store.session_index import SessionIndex
from rony_desktop.store.session_replay import Replay, notices_of

OF_THE_SESSION = frozenset({EntryKind.COMPACT, EntryKind.TITLE, EntryKind.MARK})


def utc_now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


class FileSessionStore:
    """The SessionStore on disk. One thing at a time per session, in this process and between them.

    Files are opened for each write and never held, so a deleted session stays deleted: only a first
    message makes a session, anything else for a session that is not there raises SessionMissing.
    Owned by the composition root, which calls aclose() at the end.
    """

    def __init__(self, place: Place, *, now: Callable[[], datetime] = utc_now) -> None:
        self._user = place.user
        self._folder = place.sessions_dir
        self._now = now
        self._guard = DirectoryGuard(place.sessions_dir)
        self._bin = SessionBin(place.bin_dir, now)
        self._index = SessionIndex(place.index_file, place.sessions_dir)
        self._locks = Locks()
        self._tails: dict[str, Tail] = {}
        self._unsynced: set[str] = set()

    async def load(self, id: str) -> Session:
        """The active branch of a session; unreadable lines become notices."""

        def work() -> Session:
            lines = self._read(id)
            replay = Replay(lines.entries)
            return replay.session(id, self._user, notices_of(id, lines, replay))

        return await self._locks.run(id, work)

    async def append(
        self, id: str, entries: Sequence[NewEntry], *, durable: bool
    ) -> Sequence[Entry]:
        """Add entries in one write, making the session where it is new.

        Cancelling the caller does not stop a write that has begun.
        """
        return await self._locks.run(id, partial(self._append, id, entries, durable=durable))

    async def branch(self, id: str, leaf: str) -> Session:
        """Make the branch that ends in message leaf the active one."""

        def work() -> Session:
            lines = self._read(id)
            replay = _replay_with(id, lines, leaf)
            for entry in self._append(id, [NewEntry(EntryKind.MARK, {"leaf": leaf})], durable=True):
                replay.add(entry)
            return replay.session(id, self._user, notices_of(id, lines, replay))

        return await self._locks.run(id, work)

    async def compact(self, id: str, summary: str, keep_from: str) -> None:
        """Put summary in the place of everything before message keep_from; deletes nothing."""

        def work() -> None:
            _replay_with(id, self._read(id), keep_from)
            body = {"summary": summary, "keep_from": keep_from}
            self._append(id, [NewEntry(EntryKind.COMPACT, body)], durable=True)

        await self._locks.run(id, work)

    async def list(self) -> Sequence[SessionSummary]:
        """Every session that is not deleted, newest first."""
        return await asyncio.to_thread(self._index.list)

    async def search(self, query: str) -> Sequence[SessionSummary]:
        """Sessions whose messages contain the words, best first, with a snippet."""
        return await asyncio.to_thread(self._index.search, query)

    async def claim(self, id: str) -> Callable[[], None]:
        """Keep every other turn out of a session until the returned function is called.

        Raises:
            SessionBusy: a turn of it runs, in this program or another.
        """
        taken: list[Callable[[], None]] = []

        def work() -> None:
            self._path(id)  # refuses an id that leads elsewhere
            file = self._folder / "lock" / f"{id}.turn"
            taken.append(held(file, SessionBusy(session=id)))

        try:
            await whole(asyncio.to_thread(work))
        except asyncio.CancelledError:
            for release in taken:
                release()
            raise
        return taken[0]

    async def delete(self, id: str) -> None:
        """Move a session to the bin, where it stays for 30 days."""

        def work() -> None:
            path = self._path(id)
            with self._alone(id):
                if not path.exists():
                    raise SessionMissing(session=id)
                self._bin.put(id, path)
                self._tails.pop(id, None)
                self._unsynced.discard(id)

        await self._locks.run(id, work)

    async def restore(self, id: str) -> None:
        """Take a session back out of the bin."""

        def work() -> None:
            with self._alone(id):
                self._bin.take(id, self._path(id))

        await self._locks.run(id, work)

    async def purge(self) -> None:
        """Delete for good what has been in the bin longer than 30 days."""
        await asyncio.to_thread(self._bin.purge)

    async def aclose(self) -> None:
        """Make every write durable and close the index; the store may be used again after."""
        try:
            for id in tuple(self._unsynced):
                await self._locks.run(id, partial(sync_file, self._path(id)))
                self._unsynced.discard(id)
        finally:
            await asyncio.to_thread(self._index.close)

    def _path(self, id: str) -> Path:
        path = self._guard.resolve(f"{id}{SUFFIX}")
        if not id or path.name != f"{id}{SUFFIX}":
            raise OutsideFolder(path=id, folder=self._folder)
        return path

    def _read(self, id: str) -> Lines:
        try:
            return read_lines(self._path(id), set_aside=True)
        except FileNotFoundError as error:
            raise SessionMissing(session=id) from error

    def _append(self, id: str, entries: Sequence[NewEntry], *, durable: bool) -> Sequence[Entry]:
        path = self._path(id)
        with self._alone(id):
            tail = self._tail(id, path)
            made = self._numbered(entries, tail)
            if tail:
                size = append_lines(path, made, tail, durable=durable)
            elif made and made[0].kind is EntryKind.MESSAGE and made[0].parent is None:
                size = create_file(path, made)
            else:
                raise SessionMissing(session=id)
            self._tails[id] = _tail_after(made, size, tail)
        if durable or tail is None:
            self._unsynced.discard(id)
        else:
            self._unsynced.add(id)
        return made

    def _tail(self, id: str, path: Path) -> Tail | None:
        """The end of a file as it is now, read again where another program wrote; None: no file."""
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return None
        except OSError as error:
            raise storage_error(path, error) from error
        known = self._tails.get(id)
        return known if known and known.size == size else self._read(id).tail

    def _numbered(self, entries: Sequence[NewEntry], tail: Tail | None) -> tuple[Entry, ...]:
        from ulid import ULID

        time = self._now().astimezone(UTC).isoformat(timespec="milliseconds")
        seq = tail.last_seq if tail else 0
        newest = tail.newest if tail else None
        made: list[Entry] = []
        for number, new in enumerate(entries, seq + 1):
            entry = Entry(new.id or str(ULID()), new.parent, number, time, new.kind, new.body)
            if new.kind is EntryKind.MESSAGE:
                newest = entry.id
            elif new.kind in OF_THE_SESSION and new.parent is None:
                entry = replace(entry, parent=newest)
            made.append(entry)
        return tuple(made)

    def _alone(self, id: str) -> AbstractContextManager[None]:
        """Keep every other process from writing this session meanwhile."""
        return alone(self._folder / "lock" / f"{id}.lock", SessionBusy(session=id))


def _replay_with(id: str, lines: Lines, message: str) -> Replay:
    replay = Replay(lines.entries)
    if not replay.has(message):
        raise SessionError(session=id, detail=f"it has no message {message}")
    return replay


def _tail_after(made: Sequence[Entry], size: int, tail: Tail | None) -> Tail:
    messages = (entry.id for entry in reversed(made) if entry.kind is EntryKind.MESSAGE)
    return Tail(
        size=size,
        last_seq=made[-1].seq if made else (tail.last_seq if tail else 0),
        newest=next(messages, tail.newest if tail else None),
    )
