"""The unix socket leaves nothing behind, and nobody else may open it."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rony_desktop.ui.meeting import Meeting, ask

pytestmark = pytest.mark.ui


@pytest.fixture
def address() -> Path:
    return Path(os.environ["XDG_RUNTIME_DIR"]) / "meet.sock"


def test_it_is_the_users_alone_and_gone_in_the_end(qapp: QApplication, address: Path) -> None:
    parent = QObject()
    meeting = Meeting(str(address), lambda _: {}, parent)
    assert address.stat().st_mode & 0o777 == 0o600
    meeting.close()
    assert not address.exists()


def test_everybody_is_hung_up_on_when_it_closes(
    qapp: QApplication, address: Path, qtbot: QtBot
) -> None:
    parent = QObject()
    meeting = Meeting(str(address), lambda _: {}, parent)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(address))
        qtbot.waitUntil(lambda: bool(meeting._talks))
        meeting.close()
        client.settimeout(5)
        assert client.recv(1) == b""


def test_who_asks_nobody_is_told_so_in_time(address: Path) -> None:
    assert not ask(str(address), {"want": "show"}, 0.1)
