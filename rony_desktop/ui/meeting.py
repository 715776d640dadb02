"""Where starts of the program meet on POSIX: a unix socket of the user's alone."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSocketNotifier

from rony_desktop.ui.request import LIMIT_BYTES, Answer, answered, to_line

STEP_S = 0.05
BACKLOG = 16
_OWNER_ONLY = 0o177


class Meeting(QObject):
    """Listens at an address until close(); what an earlier run left there is replaced."""

    def __init__(self, address: str, answer: Answer, parent: QObject) -> None:
        super().__init__(parent)
        self._address = address
        self._answer = answer
        self._talks: set[_Talk] = set()
        with contextlib.suppress(FileNotFoundError):
            Path(address).unlink()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.setblocking(False)
        before = os.umask(_OWNER_ONLY)
        try:
            self._socket.bind(address)
        finally:
            os.umask(before)
        self._socket.listen(BACKLOG)
        self._notifier = _notifier(self._socket, self)
        self._notifier.activated.connect(self._accept)

    def close(self) -> None:
        """Hang up on everybody and leave nothing at the address."""
        for talk in tuple(self._talks):
            talk.close()
        self._notifier.setEnabled(False)
        self._socket.close()
        with contextlib.suppress(OSError):
            Path(self._address).unlink()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # who asked may be gone again
            connection, _ = self._socket.accept()
            self._talks.add(_Talk(connection, self._answer, self._talks, self))


class _Talk(QObject):
    """One connection: a line is read, answered, and hung up on."""

    def __init__(
        self, connection: socket.socket, answer: Answer, talks: set[_Talk], parent: QObject
    ) -> None:
        super().__init__(parent)
        connection.setblocking(False)
        self._connection = connection
        self._answer = answer
        self._talks = talks
        self._read = b""
        self._notifier = _notifier(connection, self)
        self._notifier.activated.connect(self._take)

    def close(self) -> None:
        """Hang up."""
        self._notifier.setEnabled(False)
        self._connection.close()
        self._talks.discard(self)
        self.deleteLater()

    def _take(self) -> None:
        try:
            came = self._connection.recv(LIMIT_BYTES)
            self._read += came
            line, end, _ = self._read.partition(b"\n")
            if end:
                self._connection.send(answered(line, self._answer))
            elif came and len(self._read) < LIMIT_BYTES:
                return
        except BlockingIOError:
            return
        except OSError:  # the other side is gone
            pass
        self.close()


def ask(address: str, request: Mapping[str, Any], wait_s: float) -> bool:
    """Whether somebody at an address takes a request; waits for them. Blocks."""
    end = time.monotonic() + wait_s
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(wait_s)
                connection.connect(address)
                connection.sendall(to_line(request))
                return bool(connection.recv(1))
        except OSError:
            if time.monotonic() > end:
                return False
            time.sleep(STEP_S)


def _notifier(of: socket.socket, parent: QObject) -> QSocketNotifier:
    return QSocketNotifier(of.fileno(), QSocketNotifier.Type.Read, parent)
