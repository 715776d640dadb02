"""Identical calls are counted, whatever their spelling; a change forgets the others."""

from __future__ import annotations

import pytest

from rony_desktop.agent.repeat import UNCOUNTED, Repeats, key_of
from rony_desktop.contract.error import ToolReplyError
from rony_desktop.contract.message import ToolResult

READ = key_of("read_file", '{"path": "a", "limit": 1}')
WRITE = key_of("write_file", "{}")


def test_calls_are_identical_in_name_and_canonical_arguments() -> None:
    assert key_of("read_file", '{"limit":1,"path":"\\u0061"}') == READ
    assert key_of("read_file", '{"path": "b", "limit": 1}') != READ
    assert key_of("list_files", '{"path": "a", "limit": 1}') != READ
    with pytest.raises(ToolReplyError):
        key_of("read_file", "[]")


def test_a_change_forgets_every_other_call() -> None:
    repeats = Repeats()
    assert [repeats.count(READ) for _ in range(2)] == [1, 2]
    assert repeats.count(WRITE) == 1
    repeats.forget_others(WRITE)
    assert (repeats.count(READ), repeats.count(WRITE)) == (1, 2)


def test_the_newest_answer_is_kept() -> None:
    repeats = Repeats()
    repeats.keep(READ, ToolResult("old"))
    repeats.keep(READ, ToolResult("new"))
    assert repeats.kept(READ) == ToolResult("new")


@pytest.mark.parametrize("name", sorted(UNCOUNTED))
def test_some_tools_never_count(name: str) -> None:
    repeats, key = Repeats(), key_of(name, "{}")
    assert {repeats.count(key) for _ in range(9)} == {1}
