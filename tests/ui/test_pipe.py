"""Qt's local socket, which Windows uses, hangs up on what is no request."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rony_desktop.ui.pipe import Meeting, ask

pytestmark = pytest.mark.ui


def test_it_answers_and_ends(qapp: QApplication, qtbot: QtBot) -> None:
    address = Path(os.environ["XDG_RUNTIME_DIR"]) / "pipe.sock"
    parent = QObject()
    meeting = Meeting(str(address), lambda _: {"ok": True}, parent)
    got: list[bytes] = []
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(address))
        client.setblocking(False)
        client.sendall(b"{}\n")

        def came() -> bool:
            try:
                got.append(client.recv(100))
            except BlockingIOError:
                return False
            return True

        qtbot.waitUntil(came)
    assert got == [b'{"ok": true}\n']
    meeting.close()
    assert not ask(str(address), {"want": "show"}, 0.1)
