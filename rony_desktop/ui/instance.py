"""One window a user: a second start asks the first one to show itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from rony_desktop.app.neighbour import ADDRESS

LIMIT_BYTES = 65_536
WAIT_MS = 5_000
STEP_S = 0.05

Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class Instance(QObject):
    """Holds the lock of the first start and answers later ones, one JSON line each.

    The lock decides races, the socket carries requests; both lie in the user's private run folder.
    """

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._address = str(folder / ADDRESS)
        self._lock = QLockFile(str(folder / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None
        self._answer: Answer = lambda _: {}

    def first(self) -> bool:
        """Whether this start is the first; it then holds the lock until close()."""
        return self._lock.tryLock(0)

    def serve(self, answer: Answer) -> None:
        """Answer requests of later starts with answer(request)."""
        self._answer = answer
        QLocalServer.removeServer(self._address)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        self._server.listen(self._address)

    def ask(self, request: Mapping[str, Any]) -> bool:
        """Send a request to the first window; true where it took it. Blocks for some seconds.

        A first window that is still on its way is waited for.
        """
        socket = QLocalSocket()
        waited = QDeadlineTimer(WAIT_MS)
        socket.connectToServer(self._address)
        while not socket.waitForConnected(WAIT_MS):
            if waited.hasExpired():
                return False
            time.sleep(STEP_S)
            socket.connectToServer(self._address)
        socket.write(json.dumps(dict(request)).encode() + b"\n")
        return socket.waitForBytesWritten(WAIT_MS) and socket.waitForReadyRead(WAIT_MS)

    def close(self) -> None:
        """Give up the lock and the socket."""
        if self._server:
            self._server.close()
        self._lock.unlock()

    def _connected(self) -> None:
        socket = self._server.nextPendingConnection() if self._server else None
        if socket:
            socket.setReadBufferSize(LIMIT_BYTES)
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(lambda: self._read(socket))

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() >= LIMIT_BYTES:
                socket.abort()
            return
        try:
            request = json.loads(bytes(socket.readLine().data()))
        except ValueError:
            request = None
        if not isinstance(request, dict):
            socket.abort()
            return
        socket.write(json.dumps(dict(self._answer(request))).encode() + b"\n")
        socket.flush()
        socket.disconnectFromServer()
