from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rony_desktop.contract.session import Entry, EntryKind
from rony_desktop.store.session_file import Tail, append_lines, create_file
from rony_desktop.store.session_index import SessionIndex


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "sessions"
    made.mkdir()
    return made


@pytest.fixture
def index(tmp_path: Path, folder: Path) -> SessionIndex:
    return SessionIndex(tmp_path / "index.db", folder)


def said(seq: int, content: str, parent: str | None = None) -> Entry:
    body = {"role": "user", "content": content}
    return Entry(f"m{seq}", parent, seq, f"2030-01-{seq:02}T00:00:00Z", EntryKind.MESSAGE, body)


def chat(folder: Path, id: str, *texts: str) -> Path:
    file = folder / f"{id}.jsonl"
    create_file(file, [said(n, text) for n, text in enumerate(texts, 1)])
    return file


def ids(rows: object) -> list[str]:
    return [row.id for row in rows]  # type: ignore[attr-defined]


def test_it_follows_the_files(index: SessionIndex, folder: Path) -> None:
    assert index.list() == ()
    file = chat(folder, "a", "one")
    chat(folder, "b", "two", "three")
    assert ids(index.list()) == ["b", "a"]
    append_lines(file, [said(9, "four", "m1")], Tail(file.stat().st_size, 1), durable=False)
    assert ids(index.list()) == ["a", "b"]
    assert ids(index.search("four")) == ["a"]
    file.unlink()
    assert ids(index.list()) == ["b"]
    assert index.search("four") == ()
    index.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_a_file_without_a_name_is_no_chat(index: SessionIndex, folder: Path) -> None:
    chat(folder, "", "one")
    assert index.list() == ()


def test_what_may_never_end_is_left_alone(index: SessionIndex, folder: Path) -> None:
    chat(folder, "a", "one")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "endless.jsonl").symlink_to("/dev/zero")
    assert ids(index.list()) == ["a"]


def test_only_what_changed_is_read_again(
    index: SessionIndex, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat(folder, "a", "one")
    chat(folder, "b", "two")
    index.list()
    for file in folder.iterdir():  # the same size and time with other words inside
        found = file.stat()
        file.write_bytes(file.read_bytes().replace(b"one", b"six").replace(b"two", b"ten"))
        os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert ids(index.search("one")) == ["a"]
    os.utime(folder / "b.jsonl", ns=(1, 1))
    assert ids(index.search("ten")) == ["b"]
    index.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("cafe", True),
        ("CAFÉ", True),
        ("cafe\u0301", True),
        ("fount", True),
        ("fount cafe", False),
        ("cafe fount", True),
        ("the-café, of!", True),
        ("nothing", False),
        ("한국", True),
    ],
)
def test_words_are_found_without_accents_and_by_their_beginning(
    index: SessionIndex, folder: Path, query: str, found: bool
) -> None:
    chat(folder, "a", "Meet at the Café of the", "fountain 한국어")
    assert bool(index.search(query)) is found
    index.close()


@pytest.mark.parametrize(
    "query", ['"', '"a', "a AND", "NOT", "a OR (", "text: x", "*", "^a", "NEAR(", "-a", "\0", "a_b"]
)
def test_a_query_is_text_and_no_language(index: SessionIndex, folder: Path, query: str) -> None:
    chat(folder, "a", 'AND OR NOT NEAR a x text "quoted" b')
    assert len(index.search(query)) <= 1
    assert index.list()
    index.close()


@given(query=st.text())
def test_any_query_is_answered(tmp_path_factory: pytest.TempPathFactory, query: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    index = SessionIndex(Path(":memory:"), folder)
    assert index.search(query) == ()
    index.close()


def test_the_best_match_comes_first_with_a_snippet(index: SessionIndex, folder: Path) -> None:
    chat(folder, "a", "no\n" + "word " * 300 + "Ínk and paper" + " word" * 300)
    chat(folder, "b", "ink ink ink")
    rows = index.search("ink")
    assert ids(rows) == ["b", "a"]
    assert "Ínk and paper" in rows[1].snippet
    assert rows[0].snippet == "ink ink ink"
    assert len(rows[1].snippet) < 200
    index.close()


@pytest.mark.parametrize("damage", ["garbage", "cut", "page", "tables", "empty", "version"])
def test_a_damaged_index_is_built_anew(
    index: SessionIndex, folder: Path, tmp_path: Path, damage: str
) -> None:
    for number in range(50):
        chat(folder, f"c{number}", "words " * 100)
    assert len(index.list()) == 50
    index.close()
    file = tmp_path / "index.db"
    data = bytearray(file.read_bytes())
    match damage:
        case "garbage":
            file.write_bytes(os.urandom(10_000))
        case "cut":
            file.write_bytes(data[: len(data) // 2])
        case "page":
            data[4096:] = os.urandom(len(data) - 4096)
            file.write_bytes(data)
        case "empty":
            file.write_bytes(b"")
        case "tables" | "version":
            with sqlite3.connect(file) as connection:
                if damage == "tables":
                    connection.execute("DROP TABLE chat")
                else:
                    connection.execute("PRAGMA user_version = 99")
            connection.close()
    assert len(index.list()) == 50
    assert len(index.search("words")) == 50
    aside = list(tmp_path.glob("index.db.corrupt-*"))
    assert len(aside) == (0 if damage in ("empty", "version") else 1)
    index.close()
    assert len(index.list()) == 50
    index.close()


def test_a_long_chat_is_searched_fast(index: SessionIndex, folder: Path) -> None:
    """The words stand 60,000 times in it: anything quadratic runs into the time limit."""
    chat(folder, "a", *["hello words " * 30] * 2000)
    assert index.search("hello wor")[0].snippet.startswith("hello words")
    index.close()


def test_where_the_disk_refuses_it_works_in_memory(tmp_path: Path, folder: Path) -> None:
    chat(folder, "a", "one")
    (tmp_path / "index.db").mkdir()
    index = SessionIndex(tmp_path / "index.db", folder)
    assert ids(index.list()) == ids(index.search("one")) == ["a"]
    index.close()
    assert ids(index.list()) == ["a"]
    index.close()


def test_results_of_tools_are_not_searched(index: SessionIndex, folder: Path) -> None:
    file = chat(folder, "a", "read my notes")
    body = {"role": "tool", "content": "a shopping list", "tool_call_id": "c"}
    result = Entry("t", "m1", 2, "2030-01-02T00:00:00Z", EntryKind.MESSAGE, body)
    append_lines(file, [result], Tail(file.stat().st_size, 1), durable=False)
    assert [row.messages for row in index.search("notes")] == [1]
    assert index.search("shopping") == ()
    index.close()


def test_a_file_that_cannot_be_read_still_has_its_row(index: SessionIndex, folder: Path) -> None:
    (folder / "empty.jsonl").touch()
    (folder / "alien.jsonl").write_text("{}")
    (folder / "dir.jsonl").mkdir()
    rows = {row.id: row for row in index.list()}
    assert set(rows) == {"empty", "alien", "dir"}
    assert rows["empty"].marks == {"unreadable": "session.foreign"}
    assert rows["dir"].marks == {"unreadable": "storage"}
    assert rows["empty"].updated
    assert (folder / "alien.jsonl").exists()
    index.close()
