"""One session file: entries as lines of JSON, read with tolerance and appended in one write."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rony_desktop.contract.error import SessionForeign
from rony_desktop.contract.session import FORMAT, VERSION, Entry, EntryKind
from rony_desktop.store.atomic import move_aside, storage_error, sync_folder, write_atomic

_KINDS = frozenset(kind.value for kind in EntryKind)


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a file ends: its bytes, the newest seq in it, whether a newline ends it.

    newest is the id of the newest message.
    """

    size: int
    last_seq: int
    ended: bool = True
    newest: str | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """What a file holds, ordered by seq.

    torn counts lines that cannot be read, strange the entries of a kind this version does not know.
    """

    entries: tuple[Entry, ...]
    tail: Tail
    torn: int = 0
    strange: int = 0


def read_lines(path: Path, *, set_aside: bool = False) -> Lines:
    """Read every entry that can be read. Blocking: call it in a thread.

    A file that is not one of ours is moved aside with set_aside; one of a newer version never is.

    Raises:
        FileNotFoundError: there is no such file.
        SessionForeign: a newer version's file, an empty one, or something else.
        StorageError: the system refuses to read it.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as error:
        raise storage_error(path, error) from error
    if not data:
        raise SessionForeign(file=path.name, detail="it is empty")
    first, _, rest = data.partition(b"\n")
    header = _parse(first)
    if header is not None and header.get("format") == FORMAT:
        version = header.get("version")
        if version != VERSION:
            raise SessionForeign(file=path.name, detail=f"version {version}")
        return _read(rest, data)
    found = _read(data, data)
    if header is None and found.entries:  # the first line alone is damaged
        return found
    name = move_aside(path).name if set_aside else path.name
    raise SessionForeign(file=name, detail="it does not begin as a chat does")


def append_lines(path: Path, entries: Iterable[Entry], tail: Tail, *, durable: bool) -> int:
    """Append entries to an existing file in one write; returns its new size in bytes.

    What a failed write left is cut off again, so the file is as it was before.

    Raises:
        StorageError: DiskFull and its other kinds; nothing was added.
    """
    data = b"".join(map(_line, entries))
    if not tail.ended:  # never join a line to a torn one
        data = b"\n" + data
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise storage_error(path, error) from error
    try:
        _write(descriptor, data, durable=durable)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, tail.size)
        raise storage_error(path, error) from error
    finally:
        os.close(descriptor)
    return tail.size + len(data)


def create_file(path: Path, entries: Iterable[Entry]) -> int:
    """Make a file with its header and first entries, durably; returns its size in bytes.

    Raises:
        StorageError: DiskFull and its other kinds; there is no file then.
    """
    header = json.dumps({"format": FORMAT, "version": VERSION}).encode() + b"\n"
    data = header + b"".join(map(_line, entries))
    write_atomic(path, data)
    return len(data)


def sync_file(path: Path) -> None:
    """Make what was appended durable; a file that is gone needs nothing.

    Raises:
        StorageError: the system could not.
    """
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return
    except OSError as error:
        raise storage_error(path, error) from error
    try:
        _sync(descriptor)
    except OSError as error:
        raise storage_error(path, error) from error
    finally:
        os.close(descriptor)


def move_file(source: Path, target: Path) -> None:
    """Rename a file durably within one disk.

    Raises:
        StorageError: the system refuses.
    """
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        source.rename(target)
    except OSError as error:
        raise storage_error(source, error) from error
    sync_folder(target.parent)
    sync_folder(source.parent)


def _write(descriptor: int, data: bytes, *, durable: bool) -> None:
    written = os.write(descriptor, data)
    while written < len(data):  # a nearly full disk takes a part; the rest says why
        written += os.write(descriptor, data[written:])
    if durable:
        _sync(descriptor)


def _sync(descriptor: int) -> None:
    if hasattr(os, "fdatasync"):
        os.fdatasync(descriptor)
    else:
        os.fsync(descriptor)


def _line(entry: Entry) -> bytes:
    fields = {
        "id": entry.id,
        "parent": entry.parent,
        "seq": entry.seq,
        "time": entry.time,
        "kind": entry.kind.value,
        "body": dict(entry.body),
    }
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass") + b"\n"


def _read(data: bytes, whole: bytes) -> Lines:
    entries: list[Entry] = []
    torn = strange = last_seq = 0
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        fields = _parse(line)
        if fields is None or not _is_entry(fields):
            torn += 1
            continue
        last_seq = max(last_seq, fields["seq"])
        if fields["kind"] in _KINDS:
            entries.append(_entry(fields))
        else:
            strange += 1
    entries.sort(key=lambda entry: entry.seq)
    messages = (entry.id for entry in reversed(entries) if entry.kind is EntryKind.MESSAGE)
    tail = Tail(len(whole), last_seq, whole.endswith(b"\n"), next(messages, None))
    return Lines(tuple(entries), tail, torn, strange)


def _entry(fields: dict[str, Any]) -> Entry:
    return Entry(
        id=fields["id"],
        parent=fields["parent"],
        seq=fields["seq"],
        time=fields["time"],
        kind=EntryKind(fields["kind"]),
        body=fields["body"],
    )


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_entry(fields: dict[str, Any]) -> bool:
    seq = fields.get("seq")
    return (
        all(isinstance(fields.get(name), str) for name in ("id", "time", "kind"))
        and isinstance(fields.get("parent", 0), str | None)
        and isinstance(seq, int)
        and not isinstance(seq, bool)
        and isinstance(fields.get("body"), dict)
    )
