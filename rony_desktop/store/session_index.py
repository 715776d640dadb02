"""The index beside the session files: serves the list and the search, rebuilt at any time."""

from __future__ import annotations

import contextlib
import json
import re
import stat
import threading
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from rony_desktop.contract.error import SessionError, StorageError
from rony_desktop.contract.session import UNREADABLE, SessionSummary
from rony_desktop.store.atomic import move_aside
from rony_desktop.store.session_bin import SUFFIX
from rony_desktop.store.session_file import read_lines
from rony_desktop.store.session_replay import Replay

if TYPE_CHECKING:
    import apsw

T = TypeVar("T")
VERSION = 1
BUSY_WAIT_MS = 2000
FOUND_LIMIT = 200
SNIPPET_CHARS = 120
SNIPPET_BEFORE = 40
_ACCENTS = re.compile("[\u0300-\u036f]+")
IN_MEMORY = ":memory:"

_SCHEMA = f"""
DROP TABLE IF EXISTS chat;
DROP TABLE IF EXISTS words;
CREATE TABLE chat(
  key INTEGER PRIMARY KEY, id TEXT UNIQUE, size INTEGER, mtime INTEGER,
  title TEXT, created TEXT, updated TEXT, messages INTEGER, pinned INTEGER, marks TEXT
);
CREATE VIRTUAL TABLE words USING fts5(name, text, tokenize='unicode61 remove_diacritics 2');
PRAGMA user_version = {VERSION};
"""
_COLUMNS = "id, title, created, updated, messages, pinned, marks"


class SessionIndex:
    """An SQLite file that follows a folder of session files by their size and time.

    A damaged index is moved aside and built anew; where the disk refuses, it is built in memory.
    Blocking: call it in a thread. One call at a time has the connection.
    """

    def __init__(self, file: Path, folder: Path) -> None:
        self._file = file
        self._name = str(file)
        self._folder = folder
        self._lock = threading.Lock()
        self._connection: apsw.Connection | None = None

    def list(self) -> tuple[SessionSummary, ...]:
        """Every session, newest first."""
        return self._with_fresh(_list)

    def search(self, query: str) -> tuple[SessionSummary, ...]:
        """Sessions with every word of query, the last one as a beginning, best first."""
        words = _words(query)
        return self._with_fresh(lambda connection: _search(connection, words)) if words else ()

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        with self._lock:
            self._drop()

    def _with_fresh(self, ask: Callable[[apsw.Connection], T]) -> T:
        import apsw

        def attempt() -> T:
            if self._connection is None:
                self._connection = _open(self._name)
            self._follow(self._connection)
            return ask(self._connection)

        with self._lock:
            try:
                return attempt()
            except apsw.Error as error:
                self._drop()
                self._repair(error)
            try:
                return attempt()
            except apsw.Error:
                self._drop()
                self._name = IN_MEMORY
            return attempt()

    def _drop(self) -> None:
        if self._connection:
            self._connection.close(True)
            self._connection = None

    def _repair(self, error: apsw.Error) -> None:
        """Make way for a new index where the file is damaged, else go on in memory."""
        import apsw

        if isinstance(error, apsw.CorruptError | apsw.NotADBError | apsw.SQLError):
            with contextlib.suppress(StorageError, OSError):
                move_aside(self._file)
                for tail in ("-wal", "-shm"):  # they would be replayed into the new file
                    self._file.with_name(self._file.name + tail).unlink(missing_ok=True)
                return
        self._name = IN_MEMORY

    def _follow(self, connection: apsw.Connection) -> None:
        known = {
            id: (size, mtime)
            for id, size, mtime in connection.execute("SELECT id, size, mtime FROM chat")
        }
        there = dict(_files(self._folder))
        changed = [id for id, state in there.items() if known.get(id) != state]
        gone = [id for id in known if id not in there]
        if not changed and not gone:
            return
        with connection:
            for id in gone:
                _forget(connection, id)
            for id in changed:
                _forget(connection, id)
                with contextlib.suppress(FileNotFoundError):
                    _put(connection, self._folder / f"{id}{SUFFIX}", there[id])


def _open(name: str) -> apsw.Connection:
    import apsw

    connection = apsw.Connection(name)
    try:
        connection.set_busy_timeout(BUSY_WAIT_MS)
        connection.execute("PRAGMA journal_mode = wal; PRAGMA synchronous = normal")
        if connection.execute("PRAGMA user_version").get != VERSION:
            with connection:
                connection.execute(_SCHEMA)
    except apsw.Error:
        connection.close(True)
        raise
    return connection


def _files(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    for file in folder.glob(f"*{SUFFIX}"):
        id = file.name.removesuffix(SUFFIX)
        with contextlib.suppress(OSError):
            found = file.stat()
            # Every id is ASCII; other names may hold bytes SQLite refuses. Reading a pipe or a
            # device may never end.
            endless = not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode))
            if id and id.isascii() and not endless:
                yield id, (found.st_size, found.st_mtime_ns)


def _forget(connection: apsw.Connection, id: str) -> None:
    connection.execute("DELETE FROM words WHERE rowid = (SELECT key FROM chat WHERE id = ?)", (id,))
    connection.execute("DELETE FROM chat WHERE id = ?", (id,))


def _put(connection: apsw.Connection, path: Path, state: tuple[int, int]) -> None:
    row, text = _read(path, state[1])
    connection.execute(
        f"INSERT INTO chat({_COLUMNS}, size, mtime) VALUES (?,?,?,?,?,?,?,?,?)",  # noqa: S608
        (
            *(row.id, _plain(row.title), _plain(row.created), _plain(row.updated)),
            *(row.messages, row.pinned, json.dumps(dict(row.marks)), *state),
        ),
    )
    connection.execute(
        "INSERT INTO words(rowid, name, text) VALUES (?,?,?)",
        (connection.last_insert_rowid(), _plain(row.title), _plain(text)),
    )


def _read(path: Path, mtime_ns: int) -> tuple[SessionSummary, str]:
    """The row and the words of a session; one that cannot be read still has its row."""
    id = path.name.removesuffix(SUFFIX)
    try:
        replay = Replay(read_lines(path).entries)
    except (SessionError, StorageError) as error:
        time = datetime.fromtimestamp(mtime_ns / 1e9, UTC).isoformat(timespec="milliseconds")
        return SessionSummary(id, "", time, time, marks={UNREADABLE: error.code}), ""
    return replay.summary(id), replay.words()


def _plain(text: str) -> str:
    """Text as SQLite takes it: without lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _list(connection: apsw.Connection) -> tuple[SessionSummary, ...]:
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM chat ORDER BY updated DESC, id DESC"  # noqa: S608
    )
    return tuple(map(_row, rows))


def _search(connection: apsw.Connection, words: list[str]) -> tuple[SessionSummary, ...]:
    rows = connection.execute(
        f"SELECT {_COLUMNS}, text FROM words"  # noqa: S608
        " JOIN chat ON chat.key = words.rowid WHERE words MATCH ? ORDER BY rank LIMIT ?",
        # Every word quoted, the last one as a beginning.
        (" ".join(f'"{word}"' for word in words) + "*", FOUND_LIMIT),
    )
    return tuple(replace(_row(row[:-1]), snippet=_snippet(row[-1], words)) for row in rows)


def _snippet(text: str, words: list[str]) -> str:
    """The surroundings of the first word found (FTS5's own takes minutes for a long chat)."""
    for line in text.splitlines():
        plain = _folded(line)
        places = [place for word in words if (place := plain.find(word)) >= 0]
        if places:
            start = max(0, min(places) - SNIPPET_BEFORE)
            end = start + SNIPPET_CHARS
            cut = " ".join(line[start:end].split())
            return f"{'…' if start else ''}{cut}{'…' if end < len(line) else ''}"
    return ""


def _row(row: tuple[Any, ...]) -> SessionSummary:
    id, title, created, updated, messages, pinned, marks = row
    return SessionSummary(
        id=id,
        title=title,
        created=created,
        updated=updated,
        messages=messages,
        pinned=bool(pinned),
        marks=json.loads(marks),
    )


def _words(query: str) -> list[str]:
    """The words of user text; whatever else is in it means nothing to the search."""
    return re.findall(r"[^\W_]+", _folded(query))


def _folded(text: str) -> str:
    """Text without case and accents, as the index has it."""
    marked = unicodedata.normalize("NFD", text.lower())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", marked))
