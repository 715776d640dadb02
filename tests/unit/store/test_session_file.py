from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.error import DiskFull, SessionForeign
from rony_desktop.contract.session import Entry, EntryKind
from rony_desktop.store.session_file import Tail, append_lines, create_file, read_lines, sync_file

HEADER = b'{"format":"rony-session","version":1}\n'


def entry(seq: int, id: str = "", **body: object) -> Entry:
    return Entry(id or f"e{seq}", None, seq, "2030-01-01T00:00:00+00:00", EntryKind.MARK, body)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    size = create_file(file, [entry(1, text="é\n\u2028")])
    size = append_lines(file, [entry(2), entry(3)], Tail(size, 1), durable=True)
    sync_file(file)
    lines = read_lines(file)
    assert [e.seq for e in lines.entries] == [1, 2, 3]
    assert lines.entries[0].body == {"text": "é\n\u2028"}
    assert lines.tail == Tail(size, 3)
    assert file.stat().st_size == size


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"{}",
        b"[]",
        b"null",
        b"\0" * 100,
        b"[" * 5000,
        b'{"id":1,"parent":null,"seq":1,"time":"","kind":"mark","body":{}}',
        b'{"id":"a","seq":1,"time":"","kind":"mark","body":{}}',
        b'{"id":"a","parent":null,"seq":true,"time":"","kind":"mark","body":{}}',
        b'{"id":"a","parent":null,"seq":1.5,"time":"","kind":"mark","body":{}}',
        b'{"id":"a","parent":null,"seq":1,"time":"","kind":"mark","body":[]}',
        b'{"id":"a","parent":null,"seq":1,"time":"","kind":"mark","bo',
        b"\xff\xfe\x00",
    ],
)
def test_a_line_that_is_no_entry_is_counted(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "s.jsonl"
    size = create_file(file, [entry(1)])
    file.write_bytes(file.read_bytes() + line + b"\n\n")
    append_lines(file, [entry(2)], Tail(size, 1), durable=False)
    lines = read_lines(file)
    assert ([e.seq for e in lines.entries], lines.torn) == ([1, 2], 1)


def test_an_unknown_kind_keeps_its_number(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    line = {"id": "p", "parent": None, "seq": 9, "time": "", "kind": "poll", "body": {}}
    file.write_bytes(HEADER + json.dumps(line).encode() + b"\n")
    lines = read_lines(file)
    assert (lines.entries, lines.torn, lines.strange, lines.tail.last_seq) == ((), 0, 1, 9)


def test_order_is_by_number_and_gaps_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    create_file(file, [entry(30), entry(2), entry(7), entry(7, "again")])
    assert [e.id for e in read_lines(file).entries] == ["e2", "e7", "again", "e30"]


def test_a_torn_end_is_never_joined(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(HEADER + b'{"id":"a')
    tail = read_lines(file).tail
    assert not tail.ended
    append_lines(file, [entry(1)], tail, durable=False)
    lines = read_lines(file)
    assert ([e.seq for e in lines.entries], lines.torn) == ([1], 1)


def test_a_full_disk_is_said() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full on this system")
    with pytest.raises(DiskFull):
        append_lines(full, [entry(1)], Tail(0, 0), durable=True)


def test_syncing_what_is_gone_is_nothing(tmp_path: Path) -> None:
    sync_file(tmp_path / "s.jsonl")


@given(data=st.binary(max_size=200))
def test_any_bytes_are_survived(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.mktemp("any") / "s.jsonl"
    file.write_bytes(HEADER + data)
    assert read_lines(file).tail.size == len(HEADER) + len(data)
    file.write_bytes(data)
    with pytest.raises(SessionForeign):
        read_lines(file)
    assert file.read_bytes() == data
