"""A data folder that cannot be written, or whose disk is full, before and while an answer comes."""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.deadline import until
from tests.e2e.home import Home
from tests.e2e.program import run
from tests.e2e.window import PICTURES, opened, picture
from tests.fixture.model_server import ModelServer, start_server

pytestmark = [pytest.mark.e2e, pytest.mark.engine, pytest.mark.x11, pytest.mark.timeout(120)]

QUESTION = "What is a fountain pen?"
ANSWER_S = 60.0


@pytest.fixture
def disk(home: Home) -> Iterator[Path]:
    """A disk of one MiB at the place of the data folder."""
    folder = home.data.parent
    folder.mkdir(parents=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "none", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"a disk can be mounted only by root: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@contextlib.contextmanager
def read_only(disk: Path) -> Iterator[None]:
    """The disk refuses every write for the length of a block."""
    for option in ("ro", "rw"):
        subprocess.run(["mount", "-o", f"remount,{option}", disk], check=True)
        if option == "ro":
            yield


def fill(disk: Path) -> Path:
    """Use up every byte of the disk; deleting the returned file frees it again."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file:
        for size in (65536, 4096, 1):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)):
                    pass
    return filler


def test_a_read_only_data_folder_is_told(home: Home, disk: Path) -> None:
    with read_only(disk):
        said = run("ask", QUESTION)
        assert (said.code, said.out) == (1, "")
        assert said.err.count("\n") == 1
        assert str(home.data) in said.err
        assert "Read-only file system" in said.err
        assert said.err.endswith("Give yourself write access to it and start again.\n")
        window = run("--smoke")
        assert window.code == 1
        assert f"rony-desktop: {window.json['error']}\n" == said.err
    assert run("--smoke").code == 0


def test_a_full_disk_at_the_start_loses_nothing_that_is_typed(home: Home, disk: Path) -> None:
    run("--smoke")
    filler = fill(disk)
    said = run("ask", QUESTION)
    assert (said.code, said.out) == (1, "")
    assert said.err.count("\n") == 1
    assert said.err.startswith("rony-desktop: The disk that holds ")
    assert "Free some space" in said.err
    with opened(home) as window:
        window.wait_ready()
        window.focus()
        window.write(QUESTION)
        window.key("Return")
        picture(PICTURES / "bad_disk_full.png")
        assert home.chats() == []
        filler.unlink()
        window.key("Return")
        chat = window.asked(QUESTION)
        until(lambda: home.chat(chat.id).text, ANSWER_S, "the answer")
        window.close()


@pytest.mark.parametrize("stopped", ["after", "while"])
def test_a_disk_that_fills_while_an_answer_comes_loses_no_word(
    home: Home, disk: Path, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    """The answer is stopped after there is room again, or while there is none."""
    with start_server("--reply", "endless") as server:
        monkeypatch.setenv("RONY_PROVIDER__BASE_URL", server.endpoint.base_url)
        with opened(home) as window:
            chat = window.ask(QUESTION)
            until(lambda: home.chat(chat.id).text, ANSWER_S, "the answer streams")
            filler = fill(disk)
            until(lambda: grown(home, chat.id) == 0, ANSWER_S, "nothing more can be written")
            kept = home.chat(chat.id)
            if stopped == "while":
                window.key("Escape")
                until(lambda: has_left(server), ANSWER_S, "it is stopped")
                picture(PICTURES / "bad_disk_fills.png")
            filler.unlink()
            if stopped == "after":
                until(lambda: len(home.chat(chat.id).text) > len(kept.text), ANSWER_S, "more")
            window.close()
        last = home.chat(chat.id)
        assert last.text.startswith(kept.text)
        assert len(last.text) > len(kept.text)
        assert last.end is not None
        assert last.end["status"] == "interrupted"


def has_left(server: ModelServer) -> bool:
    """Whether the program gave up its request."""
    return any(entry["event"] == "disconnect" for entry in server.log())


def size(home: Home, chat: str) -> int:
    """Bytes of a chat's file."""
    return (home.sessions / f"{chat}.jsonl").stat().st_size


def grown(home: Home, chat: str) -> int:
    """Bytes by which a chat's file grew in a second and a half, three times what it should take."""
    before = size(home, chat)
    end = time.monotonic() + 1.5
    while time.monotonic() < end and size(home, chat) == before:
        time.sleep(0.05)
    return size(home, chat) - before
