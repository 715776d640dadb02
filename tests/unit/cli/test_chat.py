"""A conversation in the terminal: line by line, and Ctrl+C stops an answer or the program."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from rony_desktop.cli.main import main
from rony_desktop.store.place import Place
from tests.fixture.model_server import start_server
from tests.fixture.terminal import open_terminal

Typed = Callable[[str], None]
Captured = pytest.CaptureFixture[str]
DEADLINE_S = 15.0


def test_each_line_is_answered_in_one_chat(model: str, capsys: Captured, typed: Typed) -> None:
    typed("hello\n\n  \nthe capital?\n")
    assert main(["chat", "--model", model]) == 0
    said = capsys.readouterr()
    assert said.out == "Hello to you.\nIt is Paris.\n"
    assert len(said.err.splitlines()) == 2
    assert len(list(Place.of().sessions_dir.glob("*.jsonl"))) == 1


@pytest.mark.parametrize("word", ["/quit", " /exit "])
def test_a_word_ends_it(model: str, capsys: Captured, typed: Typed, word: str) -> None:
    typed(f"hello\n{word}\nthe capital?\n")
    assert main(["chat", "--model", model]) == 0
    assert capsys.readouterr().out == "Hello to you.\n"


def test_a_failed_answer_does_not_end_the_chat(model: str, capsys: Captured, typed: Typed) -> None:
    typed("something else\nhello\n")
    assert main(["chat", "--model", model]) == 0
    said = capsys.readouterr()
    assert said.out.split() == ["Hello", "to", "you."]
    assert said.err.startswith("rony-desktop: The model server refused the request (404)")


def test_a_chat_that_is_not_there_is_said_at_once(
    model: str, capsys: Captured, typed: Typed
) -> None:
    typed("hello\n")
    assert main(["chat", "--model", model, "--session", "nowhere"]) == 1
    assert capsys.readouterr().err.startswith("rony-desktop: There is no chat nowhere.")


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, *arguments: str, **env: str) -> None:
        self._end, other = open_terminal()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rony_desktop", "chat", *arguments],
            stdin=other,
            stdout=other,
            stderr=other,
            env={**os.environ, **env},
        )
        os.close(other)
        self.shown = ""

    def write(self, line: str) -> None:
        os.write(self._end, f"{line}\n".encode())

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def wait_for(self, words: str) -> None:
        """Read until the words are shown; what is after them is left for the next call."""
        end = time.monotonic() + DEADLINE_S
        while words not in self.shown:
            left = end - time.monotonic()
            assert left > 0, f"no {words!r} in {self.shown[-500:]!r}"
            if select.select([self._end], [], [], left)[0]:
                self.shown += os.read(self._end, 4096).decode()
        self.shown = self.shown.partition(words)[2]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._end)


@contextlib.contextmanager
def terminal(*arguments: str, **env: str) -> Iterator[Terminal]:
    it = Terminal(*arguments, **env)
    try:
        yield it
    finally:
        it.close()


def test_ctrl_c_stops_the_answer_and_the_chat_goes_on() -> None:
    with (
        start_server() as server,
        terminal(RONY_PROVIDER__BASE_URL=server.endpoint.base_url) as at,
    ):
        at.wait_for("> ")
        for _ in range(2):
            at.write("!endless")
            at.wait_for("again again")
            at.interrupt()
            at.wait_for("cancelled]")
            at.wait_for("> ")
        at.write("Hi")
        at.wait_for("Hello from the scripted model.")
        at.wait_for("> ")
        at.write("/quit")
        assert at.process.wait(DEADLINE_S) == 0


def test_ctrl_c_at_the_prompt_ends_the_program_at_once(model: str) -> None:
    with terminal("--model", model) as at:
        at.wait_for("> ")
        at.write("hello")
        at.wait_for("> ")
        at.interrupt()
        assert at.process.wait(DEADLINE_S) == 130
    app_log = Place.of().log_dir / "app.log"
    assert "LLM_RESPONSE" in app_log.read_text("utf-8")
