"""Tools and approvals in the real window: a scripted server asks, keys and clicks answer."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.deadline import until
from tests.e2e.home import Home
from tests.e2e.tool import DONE, GUARD_S, SOON_S, calling, click, ended, sent, told, until_asked
from tests.e2e.window import PICTURES, opened, picture, xdotool
from tests.fixture.model_server import ModelServer, start_server

pytestmark = [pytest.mark.e2e, pytest.mark.x11, pytest.mark.timeout(60)]

LINES = [f"line {number}\n" for number in range(1, 21)]
TEXT = "".join(LINES)
NEW = TEXT.replace("line 1\n", "first\n").replace("line 20\n", "last\n")
FIRST_ONLY = TEXT.replace("line 1\n", "first\n")
# The middle of that button, in pixels from the left edge of Allow.
DENY_WHY = -140
SHEET = ("search", "--onlyvisible", "--name", "Rony waits for your answer")

IN_FRONT = """
import sys
from PySide6.QtWidgets import QApplication, QWidget
app = QApplication(sys.argv)
window = QWidget()
window.setWindowTitle("Something else")
window.setGeometry(20, 20, 200, 100)
window.show()
app.exec()
"""


READ = calling("read_file", "call_read", path="notes.md")
WRITE = calling("write_file", "call_write", path="notes.md", content=NEW)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "notes.md").write_text(TEXT)
    return folder


@pytest.fixture
def server(home: Home, work: Path, request: pytest.FixtureRequest) -> Iterator[ModelServer]:
    """The server the program is told to use; it works in a folder from the start."""
    with start_server(*getattr(request, "param", ())) as running:
        base_url = f"provider:\n  base_url: {running.endpoint.base_url}/v1\n"
        home.configure(f"{base_url}sandbox:\n  workspace: {work}\n")
        yield running


@pytest.mark.parametrize(
    "server",
    [(), ("--without", "/props", "--without", "/slots")],
    ids=["llama", "plain"],
    indirect=True,
)
def test_it_reads_and_the_user_allows_it_to_write(
    home: Home, server: ModelServer, work: Path
) -> None:
    server.script(READ, WRITE, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        allow = until_asked(window, chat, "call_write")
        assert (work / "notes.md").read_text() == TEXT
        picture(PICTURES / "tool_diff.png", window.id)
        click(window, allow)
        chat = ended(window, chat)
        assert (work / "notes.md").read_text() == NEW
        assert chat.states("call_read") == ["started", "done"]
        assert chat.states("call_write") == ["asked", "allowed", "started", "done"]
        roles = [message["role"] for message in sent(server)[-1]["messages"]]
        assert roles == ["system", "user", "assistant", "tool", "assistant", "tool"]
        assert "line 20" in sent(server)[1]["messages"][-1]["content"]
        assert "wrote 20 lines" in told(server)
        copied = window.copied()
        for words in ("Read notes.md", "Wrote notes.md", "All done."):
            assert words in copied
        window.close()


def test_a_hunk_is_refused_by_a_click(home: Home, server: ModelServer, work: Path) -> None:
    server.script(WRITE, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        allow = until_asked(window, chat, "call_write")
        boxes = [box for box in window.filled() if box.width() < 20 and box.bottom() < allow.top()]
        assert len(boxes) == 2
        click(window, boxes[1])
        until(lambda: len(window.filled()) == 3, SOON_S, "the box is empty")
        picture(PICTURES / "tool_hunk.png", window.id)
        click(window, allow)
        ended(window, chat)
        assert (work / "notes.md").read_text() == FIRST_ONLY
        assert "left out 1 of 2 parts" in told(server)
        assert "line 20" in told(server)
        window.close()


def test_a_reason_for_denying_is_typed_and_reaches_the_model(
    home: Home, server: ModelServer, work: Path
) -> None:
    server.script(WRITE, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        click(window, until_asked(window, chat, "call_write"), DENY_WHY)
        window.write("that file is precious")
        picture(PICTURES / "tool_reason.png", window.id)
        window.key("Return")
        chat = ended(window, chat)
        assert (work / "notes.md").read_text() == TEXT
        assert chat.states("call_write") == ["asked", "denied"]
        assert "that file is precious" in told(server)
        assert "you refused: that file is precious" in window.copied()
        window.close()


def test_the_card_is_answered_by_keys_alone(home: Home, server: ModelServer, work: Path) -> None:
    """Deny has the focus; Tab goes on to Allow, Shift+Tab back through the hunks."""
    server.script(WRITE, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        until_asked(window, chat, "call_write")
        # Deny, Deny and tell why, the exact arguments, the second hunk.
        window.key("shift+Tab", "shift+Tab", "shift+Tab", "space")
        until(lambda: len(window.filled()) == 3, SOON_S, "the box is empty")
        window.key("Tab", "Tab", "Tab", "Tab", "space")
        ended(window, chat)
        assert (work / "notes.md").read_text() == FIRST_ONLY
        window.close()


def test_a_folder_is_chosen_in_the_header_by_keys(home: Home, work: Path) -> None:
    with start_server() as server:
        home.configure(f"provider:\n  base_url: {server.endpoint.base_url}\n")
        server.script(READ, WRITE, DONE)
        with opened(home) as window:
            window.focus()
            own = ("search", "--onlyvisible", "--pid", window.process.pid)
            window.key("ctrl+o")
            until(lambda: "\n" in xdotool(*own), SOON_S, "the menu is open")
            window.key("Down", "Return")
            dialog = ("search", "--onlyvisible", "--name", "Choose a folder")
            found = until(lambda: xdotool(*dialog), SOON_S, "the dialog is open")
            xdotool("windowactivate", "--sync", found)
            window.write(str(work))
            window.key("Return")
            until(lambda: not xdotool(*dialog), SOON_S, "the dialog is closed")
            chat = window.ask("Change my notes")
            click(window, until_asked(window, chat, "call_write"))
            chat = ended(window, chat)
            marks = [entry["body"] for entry in chat.entries if entry["kind"] == "mark"]
            assert {"folder": str(work)} in marks
            assert (work / "notes.md").read_text() == NEW
            window.close()


@contextmanager
def something_in_front() -> Iterator[None]:
    """Another program whose window is the active one."""
    with subprocess.Popen([sys.executable, "-c", IN_FRONT]) as other:
        try:
            own = ("search", "--onlyvisible", "--pid", other.pid, "--name", "Something else")
            window = until(lambda: xdotool(*own), SOON_S, "the other window is open")
            xdotool("windowactivate", "--sync", window)
            yield
        finally:
            other.kill()


@pytest.mark.parametrize("way", ["closed", "Escape", "Allow"])
def test_a_question_behind_another_window_is_a_sheet(
    home: Home, server: ModelServer, work: Path, way: str
) -> None:
    server.script({**WRITE, "prefill": 2, "prefill_s": 3.0}, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        with something_in_front():
            sheet = until(lambda: xdotool(*SHEET), SOON_S, "the sheet is open")
            assert home.chat(chat.id).states("call_write") == ["asked"]
            picture(PICTURES / "tool_sheet.png")
            assert xdotool("getactivewindow") != sheet, "it took the keys of another program"
        xdotool("windowactivate", "--sync", sheet)
        back = time.monotonic()
        until(lambda: time.monotonic() > back + GUARD_S, SOON_S, "Allow takes clicks")
        if way == "Allow":
            window.key("Tab", "space")
        else:
            window.key("alt+F4" if way == "closed" else "Escape")
        until(lambda: not xdotool(*SHEET), SOON_S, "the sheet is closed")
        if way == "closed":
            assert home.chat(chat.id).states("call_write") == ["asked"]
            click(window, until_asked(window, chat, "call_write"))
        chat = ended(window, chat)
        denied = way == "Escape"
        assert chat.states("call_write")[1] == ("denied" if denied else "allowed")
        assert (work / "notes.md").read_text() == (TEXT if denied else NEW)
        window.close()


def test_who_types_loses_no_letter_and_answers_nothing(
    home: Home, server: ModelServer, work: Path
) -> None:
    """The card comes in the middle of the typing; the focus goes to Deny only afterwards."""
    typed = "while you look at the notes let me already write down my next question for you"
    server.script({**WRITE, "prefill": 2, "prefill_s": 1.0}, DONE, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        xdotool("type", "--delay", 45, typed)  # three and a half seconds
        assert home.chat(chat.id).states("call_write") == ["asked"]
        until_asked(window, chat, "call_write")
        assert home.chat(chat.id).states("call_write") == ["asked"]
        window.key("Return")
        chat = ended(window, chat)
        assert chat.states("call_write") == ["asked", "denied"]
        assert (work / "notes.md").read_text() == TEXT
        x, y = window.stop_button
        window.click((x - 200, y))
        window.key("Return")
        assert window.asked(typed).id == chat.id
        window.close()


def test_keys_that_come_with_the_card_do_not_answer(
    home: Home, server: ModelServer, work: Path
) -> None:
    """Enter and Space, again and again, from before the card until after it."""
    server.script({**WRITE, "prefill": 2, "prefill_s": 1.0}, DONE)
    with opened(home) as window:
        chat = window.ask("Change my notes")
        xdotool("key", "--delay", 45, *["space", "Return"] * 30)  # almost three seconds
        assert home.chat(chat.id).states("call_write") == ["asked"]
        click(window, until_asked(window, chat, "call_write"))
        assert ended(window, chat).questions == ["Change my notes"]
        assert (work / "notes.md").read_text() == NEW
        window.close()


def test_what_a_server_asked_for_is_in_the_log_without_its_words(
    home: Home, server: ModelServer, work: Path
) -> None:
    server.script(READ, DONE)
    with opened(home) as window:
        ended(window, window.ask("Read my notes"))
        window.close()
    log = home.log()
    assert re.search(r"TOOL_CALL.*read_file", log)
    assert re.search(r"TOOL_RESULT.*read_file", log)
    assert "line 20" not in log
