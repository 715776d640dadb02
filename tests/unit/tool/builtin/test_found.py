from __future__ import annotations

from rony_desktop.tool.builtin.found import MAX_HITS, Found


def test_nothing_found_says_so_with_its_notes() -> None:
    found = Found(100)
    found.notes += ["", "3 files searched"]
    assert found.text() == "[nothing found; 3 files searched]"


def test_lines_come_first() -> None:
    found = Found(100)
    found.add("a:1: x")
    assert found.text() == "a:1: x\n[1 hit]"
    found.add("b:2: y")
    assert found.text() == "a:1: x\nb:2: y\n[2 hits]"
    assert not found.full


def test_it_is_full_where_the_room_ends() -> None:
    found = Found(10)
    found.add("12345678ä")
    assert found.full
    assert found.text() == "[nothing found; only the first 0 are here]"
    found = Found(10)
    found.add("1234567ä")
    assert not found.full
    found.add("")
    assert found.full
    assert found.text() == "1234567ä\n[1 hit; only the first 1 are here]"


def test_it_is_full_at_the_most_hits() -> None:
    found = Found(1_000_000)
    for number in range(MAX_HITS):
        found.add(str(number))
    assert not found.full
    found.add("one more")
    assert found.full
    assert found.text().endswith(f"[{MAX_HITS} hits; only the first {MAX_HITS} are here]")
