"""One window a user: the first start serves, later ones ask, nonsense harms nobody."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rony_desktop.ui import instance as module, meeting, pipe
from rony_desktop.ui.instance import Instance
from rony_desktop.ui.request import LIMIT_BYTES

pytestmark = pytest.mark.ui
DEADLINE_MS = 5_000


@pytest.fixture(autouse=True, params=[meeting, pipe], ids=["unix", "pipe"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to meet: Qt's works here, too."""
    monkeypatch.setattr(module, "Meeting", request.param.Meeting)
    monkeypatch.setattr(module, "ask", request.param.ask)


@pytest.fixture
def folder() -> Path:
    """Short, for the path of a socket."""
    return Path(os.environ["XDG_RUNTIME_DIR"])


class First:
    """The first window; asked is what later starts wanted."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[Mapping[str, Any]] = []
        self.instance = Instance(folder)
        assert self.instance.first()
        self.instance.serve(self._answer)

    def _answer(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append(request)
        return {"ok": True}


@pytest.fixture
def first(qapp: QApplication, folder: Path) -> Iterator[First]:
    first = First(folder)
    yield first
    first.instance.close()


@pytest.fixture
def client(folder: Path, first: First) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(folder / "window.sock"))
        client.setblocking(False)
        yield client


def received(client: socket.socket) -> Callable[[], bytes | None]:
    """What came within this moment; b"" where the other side hung up, None where nothing came."""

    def look() -> bytes | None:
        try:
            return client.recv(4096)
        except BlockingIOError:
            return None
        except ConnectionError:
            return b""

    return look


def until_received(client: socket.socket, qtbot: QtBot) -> bytes:
    look, found = received(client), []

    def came() -> bool:
        data = look()
        if data is not None:
            found.append(data)
        return bool(found)

    qtbot.waitUntil(came, timeout=DEADLINE_MS)
    return bytes(found[0])


def asked_by_another_start(folder: Path, qtbot: QtBot) -> bool:
    """Whether another process that asks to be shown is answered, while this one serves."""
    code = (
        "import sys; from pathlib import Path; from rony_desktop.ui.instance import Instance\n"
        "it = Instance(Path(sys.argv[1])); assert not it.first()\n"
        "sys.exit(0 if it.ask({'want': 'show'}) else 3)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(folder)]) as process:
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=2 * DEADLINE_MS)
    return process.returncode == 0


def test_the_second_start_is_not_the_first_and_is_answered(
    first: First, folder: Path, qtbot: QtBot
) -> None:
    assert asked_by_another_start(folder, qtbot)
    assert first.asked == [{"want": "show"}]


def test_after_its_end_another_may_be_the_first(first: First, folder: Path) -> None:
    first.instance.close()
    again = Instance(folder)
    assert again.first()
    again.close()


def test_an_answer_is_one_line_of_json(first: First, client: socket.socket, qtbot: QtBot) -> None:
    client.sendall(b'{"want": "engine"}\n')
    assert json.loads(until_received(client, qtbot)) == {"ok": True}


def test_a_request_may_come_in_pieces(first: First, client: socket.socket, qtbot: QtBot) -> None:
    client.sendall(b'{"want": ')
    qtbot.wait(20)
    assert first.asked == []
    client.sendall(b'"engine"}\n')
    until_received(client, qtbot)
    assert first.asked == [{"want": "engine"}]


@pytest.mark.parametrize("line", [b"\n", b"nonsense\n", b"[1]\n", b"\xff\xfe\n", b"7\n"])
def test_nonsense_is_hung_up_on(
    first: First, client: socket.socket, qtbot: QtBot, line: bytes
) -> None:
    client.sendall(line)
    assert until_received(client, qtbot) == b""
    assert first.asked == []


def test_a_line_without_an_end_is_hung_up_on(
    first: First, client: socket.socket, qtbot: QtBot
) -> None:
    left = memoryview(b"x" * (LIMIT_BYTES + 4096))

    def sent() -> bool:
        nonlocal left
        try:
            left = left[client.send(left) :]
        except BlockingIOError:
            return False
        except ConnectionError:
            return True
        return not left

    qtbot.waitUntil(sent, timeout=DEADLINE_MS)
    assert until_received(client, qtbot) == b""
    assert first.asked == []


def test_who_leaves_early_harms_nobody(
    first: First, folder: Path, client: socket.socket, qtbot: QtBot
) -> None:
    client.sendall(b'{"want"')
    client.close()
    qtbot.wait(20)
    assert asked_by_another_start(folder, qtbot)


def test_a_socket_and_a_lock_that_were_left_behind_do_not_matter(
    qapp: QApplication, folder: Path, qtbot: QtBot
) -> None:
    code = (
        "import os, sys, socket; from pathlib import Path\n"
        "from rony_desktop.ui.instance import Instance\n"
        "folder = Path(sys.argv[1]); it = Instance(folder); assert it.first()\n"
        "socket.socket(socket.AF_UNIX).bind(str(folder / 'window.sock'))\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True, timeout=30)
    assert (folder / "window.sock").exists()
    assert (folder / "window.lock").exists()
    first = First(folder)
    assert asked_by_another_start(folder, qtbot)
    assert first.asked == [{"want": "show"}]
    first.instance.close()


def test_a_first_window_on_its_way_is_waited_for(
    qapp: QApplication, folder: Path, qtbot: QtBot
) -> None:
    first = Instance(folder)
    assert first.first()
    QTimer.singleShot(500, lambda: first.serve(lambda _: {"ok": True}))
    assert asked_by_another_start(folder, qtbot)
    first.close()


def test_nobody_there_is_said(
    qapp: QApplication, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "WAIT_S", 0.1)
    assert not Instance(folder).ask({"want": "show"})


def test_only_the_user_may_ask(first: First, folder: Path) -> None:
    assert (folder / "window.sock").stat().st_mode & 0o077 == 0
