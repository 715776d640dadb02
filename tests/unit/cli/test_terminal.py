"""What the user types is read whole, and Ctrl+C is heard while nothing comes."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from rony_desktop.cli.terminal import read_all, read_line
from tests.fixture.terminal import open_terminal

DEADLINE_S = 20.0
CODE = """
import asyncio
from rony_desktop.cli.terminal import read_all, read_line

async def main():
    print(repr(await read_line("> ")), repr(await read_all()))

asyncio.run(main())
"""


async def test_lines_come_one_by_one_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\n\ntwo"))
    assert [await read_line("> ") for _ in range(4)] == ["one", "", "two", None]


async def test_a_pipe_is_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("one\ntwo\n"))
    assert await read_all() == "one\ntwo\n"


@contextlib.contextmanager
def at_a_terminal() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A program that waits for a line at a terminal, and the terminal's other end."""
    end, other = open_terminal()
    process = subprocess.Popen(
        [sys.executable, "-c", CODE],
        stdin=other,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(other)
    try:
        assert process.stdout is not None
        assert process.stdout.read(2) == "> "
        yield process, end
    finally:
        process.kill()
        process.communicate()
        os.close(end)


def test_ctrl_c_ends_the_wait_at_once() -> None:
    with at_a_terminal() as (process, _):
        process.send_signal(signal.SIGINT)
        assert "Fatal" not in process.communicate(timeout=DEADLINE_S)[1]
        assert process.returncode == -signal.SIGINT


def test_what_is_typed_is_read_until_the_end_of_input() -> None:
    with at_a_terminal() as (process, end):
        os.write(end, "one\ntwo \u00fc\n\nthree\n\x04".encode())
        assert process.communicate(timeout=DEADLINE_S)[0] == "'one' 'two \u00fc\\n\\nthree'\n"


def test_a_terminal_that_goes_away_is_the_end() -> None:
    with at_a_terminal() as (process, end):
        os.dup2(os.open(os.devnull, os.O_RDWR), end)
        assert process.communicate(timeout=DEADLINE_S)[0] == "None ''\n"
