"""What is true of sessions in files; what is true of every store is in tests/contract."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from rony_desktop.contract.error import (
    OutsideFolder,
    SessionBusy,
    SessionError,
    SessionForeign,
    SessionMissing,
    StorageError,
)
from rony_desktop.contract.session import EntryKind, MessageStatus, NewEntry
from rony_desktop.store import lock as lock_module
from rony_desktop.store.place import Place
from rony_desktop.store.session import FileSessionStore


@pytest.fixture
def place() -> Place:
    made = Place.of()
    made.prepare()
    return made


@pytest.fixture
async def store(place: Place) -> AsyncIterator[FileSessionStore]:
    made = FileSessionStore(place)
    yield made
    await made.aclose()


def said(role: str, text: str, id: str, parent: str | None = None) -> NewEntry:
    return NewEntry(EntryKind.MESSAGE, {"role": role, "content": text}, parent, id)


async def talk(store: FileSessionStore, id: str = "s") -> None:
    entries = [
        said("user", "Why?", "u1"),
        said("assistant", "", "a1", "u1"),
        NewEntry(EntryKind.DELTA, {"text": "Because."}, "a1"),
        NewEntry(EntryKind.END, {"status": "complete"}, "a1"),
    ]
    await store.append(id, entries, durable=True)


def contents(session: object) -> list[str]:
    return [m.message.content for m in session.messages]  # type: ignore[attr-defined]


async def test_the_file_is_a_header_and_a_line_per_entry(
    store: FileSessionStore, place: Place
) -> None:
    await talk(store)
    file = place.sessions_dir / "s.jsonl"
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    assert lines[0] == {"format": "rony-session", "version": 1}
    assert [set(line) for line in lines[1:]] == [
        {"id", "parent", "seq", "time", "kind", "body"}
    ] * 4
    assert [line["seq"] for line in lines[1:]] == [1, 2, 3, 4]
    assert all(
        datetime.fromisoformat(line["time"]).utcoffset() == timedelta() for line in lines[1:]
    )
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("cut", [1, 10, 40])
async def test_a_torn_last_line_is_reported_and_skipped(
    store: FileSessionStore, place: Place, cut: int
) -> None:
    await talk(store)
    file = place.sessions_dir / "s.jsonl"
    whole = file.read_bytes()
    # Without its newline alone the line is whole; anything shorter is torn.
    file.write_bytes(whole[:-cut])

    session = await store.load("s")
    assert contents(session) == ["Why?", "Because."]
    assert [n.code for n in session.notices] == ([] if cut == 1 else ["session.torn"])

    await store.append("s", [said("user", "And?", "u2", "a1")], durable=True)
    session = await store.load("s")
    assert contents(session) == ["Why?", "Because.", "And?"]
    assert file.read_bytes().startswith(whole[:-cut] + b"\n")
    seqs = [e["seq"] for e in map(_json, file.read_bytes().splitlines()[1:]) if e]
    assert len(set(seqs)) == len(seqs)


def _json(line: bytes) -> dict[str, int]:
    try:
        return json.loads(line)  # type: ignore[no-any-return]
    except ValueError:
        return {}


async def test_a_broken_line_in_the_middle_costs_only_itself(
    store: FileSessionStore, place: Place
) -> None:
    await talk(store)
    await store.append("s", [said("user", "And?", "u2", "a1")], durable=True)
    file = place.sessions_dir / "s.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    lines[2] = b"\0" * 50 + b"\n"  # the answer's own line
    file.write_bytes(b"".join(lines))

    session = await store.load("s")

    assert contents(session) == ["Why?", "And?"]
    assert {n.code for n in session.notices} == {"session.torn", "session.foreign"}
    assert "1 unreadable" in str(session.notices[0])


async def test_another_window_is_continued_after(place: Place) -> None:
    one, two = FileSessionStore(place), FileSessionStore(place)
    await talk(one)
    await two.append("s", [said("user", "And?", "u2", "a1")], durable=True)
    (entry,) = await one.append("s", [said("user", "So?", "u3", "u2")], durable=True)
    assert entry.seq == 6
    assert contents(await two.load("s")) == ["Why?", "Because.", "And?", "So?"]


async def test_a_session_in_use_elsewhere_is_busy(
    store: FileSessionStore, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    await talk(store)
    monkeypatch.setattr(lock_module, "LOCK_WAIT_S", 0.1)
    code = """
        import sys
        from filelock import FileLock
        with FileLock(sys.argv[1]):
            print("held", flush=True)
            sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), str(place.sessions_dir / "lock" / "s.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdout
        assert other.stdin
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(SessionBusy):
            await store.append("s", [said("user", "x", "u2", "a1")], durable=True)
        assert contents(await store.load("s")) == ["Why?", "Because."]
        other.stdin.close()
    await store.append("s", [said("user", "x", "u2", "a1")], durable=True)


async def test_a_newer_file_is_left_as_it_is(store: FileSessionStore, place: Place) -> None:
    file = place.sessions_dir / "s.jsonl"
    file.write_bytes(b'{"format":"rony-session","version":2}\n{"new":1}\n')
    before = file.read_bytes()
    for attempt in (
        store.load("s"),
        store.append("s", [said("user", "x", "u1")], durable=True),
        store.branch("s", "u1"),
    ):
        with pytest.raises(SessionForeign, match="version 2"):
            await attempt
    assert file.read_bytes() == before
    (row,) = await store.list()
    assert row.marks == {"unreadable": "session.foreign"}


@pytest.mark.parametrize("data", [b"\x00\xff" * 100, b'{"a": 1}\n', b"[1]\n", b"hello"])
async def test_a_foreign_file_is_moved_aside(
    store: FileSessionStore, place: Place, data: bytes
) -> None:
    (place.sessions_dir / "s.jsonl").write_bytes(data)
    assert [row.id for row in await store.list()] == ["s"]
    with pytest.raises(SessionForeign) as caught:
        await store.load("s")
    assert (place.sessions_dir / caught.value.params["file"]).read_bytes() == data
    assert list(await store.list()) == []
    await talk(store)
    assert contents(await store.load("s")) == ["Why?", "Because."]


async def test_a_damaged_first_line_does_not_cost_the_rest(
    store: FileSessionStore, place: Place
) -> None:
    await talk(store)
    file = place.sessions_dir / "s.jsonl"
    data = file.read_bytes()
    file.write_bytes(b"\0" * data.index(b"\n") + data[data.index(b"\n") :])
    session = await store.load("s")
    assert contents(session) == ["Why?", "Because."]
    assert [n.code for n in session.notices] == ["session.torn"]
    await store.append("s", [said("user", "And?", "u2", "a1")], durable=True)
    assert contents(await store.load("s")) == ["Why?", "Because.", "And?"]


async def test_an_empty_file_is_damaged_and_not_written_over(
    store: FileSessionStore, place: Place
) -> None:
    file = place.sessions_dir / "s.jsonl"
    file.touch()
    with pytest.raises(SessionForeign):
        await store.load("s")
    with pytest.raises(SessionForeign):
        await talk(store)
    assert file.stat().st_size == 0


@pytest.mark.parametrize("id", ["../s", "a/b", "", "a\0b"])
async def test_an_id_is_no_path(store: FileSessionStore, place: Place, id: str) -> None:
    with pytest.raises(OutsideFolder):
        await talk(store, id)
    assert not list(place.data_dir.rglob("*.jsonl"))


async def test_a_session_that_leads_out_of_the_folder_is_refused(
    store: FileSessionStore, place: Place, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("x")
    (place.sessions_dir / "s.jsonl").symlink_to(tmp_path / "out")
    with pytest.raises(OutsideFolder):
        await store.load("s")
    assert (tmp_path / "out").read_text() == "x"


async def test_the_bin_keeps_thirty_days(place: Place) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    store = FileSessionStore(place, now=lambda: now)
    await talk(store, "old")
    await store.delete("old")
    now += timedelta(days=20)
    await talk(store, "new")
    await store.delete("new")
    now += timedelta(days=10, seconds=1)
    (place.bin_dir / "strange.jsonl").touch()

    await store.purge()

    await store.restore("new")
    with pytest.raises(SessionMissing):
        await store.restore("old")
    assert (place.bin_dir / "strange.jsonl").exists()
    await store.aclose()


async def test_the_newest_of_two_deleted_comes_back(store: FileSessionStore) -> None:
    for text in ("one", "two"):
        await store.append("s", [said("user", text, "u1")], durable=True)
        await store.delete("s")
    await store.restore("s")
    assert contents(await store.load("s")) == ["two"]
    with pytest.raises(SessionError):
        await store.restore("s")
    await store.delete("s")
    await store.restore("s")


async def test_order_is_by_number_though_the_clock_goes_back(place: Place) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    store = FileSessionStore(place, now=lambda: now)
    await talk(store)
    now -= timedelta(days=400)
    await store.append("s", [said("user", "And?", "u2", "a1")], durable=True)
    assert contents(await store.load("s")) == ["Why?", "Because.", "And?"]
    await store.aclose()


async def test_a_cancelled_append_is_finished_before_the_next(store: FileSessionStore) -> None:
    await talk(store)
    for number in range(20):
        delta = said("user", str(number), f"m{number}", "a1")
        task = asyncio.create_task(store.append("s", [delta], durable=False))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    (entry,) = await store.append("s", [said("user", "last", "z", "a1")], durable=True)
    session = await store.load("s")
    assert contents(session) == ["Why?", "Because.", "last"]
    assert session.notices == ()
    assert entry.seq > 5


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on file sizes")
async def test_a_failed_write_leaves_the_file_as_it_was(place: Place) -> None:
    """A limit on file sizes makes a write stop in the middle, as a full disk does."""
    code = """
        import asyncio, resource, sys
        from rony_desktop.contract.error import StorageError
        from rony_desktop.contract.session import EntryKind, NewEntry
        from rony_desktop.store.place import Place
        from rony_desktop.store.session import FileSessionStore

        async def main():
            store = FileSessionStore(Place.of())
            first = NewEntry(EntryKind.MESSAGE, {"role": "user", "content": "Why?"}, None, "u1")
            await store.append("s", [first], durable=True)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
            long = {"role": "user", "content": "x" * 5000}
            second = NewEntry(EntryKind.MESSAGE, long, "u1", "u2")
            try:
                await store.append("s", [second], durable=True)
            except StorageError as error:
                print(error.code)
            third = NewEntry(EntryKind.MESSAGE, {"role": "user", "content": "And?"}, "u1", "u3")
            await store.append("s", [third], durable=True)

        asyncio.run(main())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "storage\n"
    store = FileSessionStore(place)
    session = await store.load("s")
    assert contents(session) == ["Why?", "And?"]
    assert session.notices == ()


async def test_a_folder_that_is_gone_is_said(store: FileSessionStore, place: Place) -> None:
    await talk(store)
    for file in sorted(place.sessions_dir.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    place.sessions_dir.rmdir()
    place.sessions_dir.write_text("a file")
    with pytest.raises(StorageError):
        await store.append("s", [said("user", "x", "u2", "a1")], durable=True)
    assert list(await store.list()) == []


async def test_entries_keep_texts_that_are_no_unicode(store: FileSessionStore) -> None:
    text = "lone \ud800 and \u2028 and \0"
    await store.append("s", [said("user", text, "u1")], durable=True)
    assert contents(await store.load("s")) == [text]
    (row,) = await store.list()
    assert row.title.startswith("lone")


async def test_an_open_answer_survives_a_restart_as_interrupted(place: Place) -> None:
    store = FileSessionStore(place)
    await store.append(
        "s", [said("user", "Why?", "u1"), said("assistant", "", "a1", "u1")], durable=True
    )
    await store.append("s", [NewEntry(EntryKind.DELTA, {"text": "Be"}, "a1")], durable=False)
    await store.aclose()
    answer = (await FileSessionStore(place).load("s")).messages[-1]
    assert (answer.message.content, answer.status) == ("Be", MessageStatus.INTERRUPTED)
