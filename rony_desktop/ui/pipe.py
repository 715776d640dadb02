"""Where starts of the program meet elsewhere: Qt's local socket, a named pipe on Windows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from rony_desktop.ui.request import LIMIT_BYTES, Answer, answered, to_line

STEP_S = 0.05


class Meeting(QObject):
    """Listens at an address until close(); what an earlier run left there is replaced."""

    def __init__(self, address: str, answer: Answer, parent: QObject) -> None:
        super().__init__(parent)
        self._answer = answer
        QLocalServer.removeServer(address)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        self._server.listen(address)

    def close(self) -> None:
        """Hang up on everybody and leave nothing at the address."""
        self._server.close()

    def _connected(self) -> None:
        talk = self._server.nextPendingConnection()
        if talk is not None:
            talk.setReadBufferSize(LIMIT_BYTES)
            talk.disconnected.connect(talk.deleteLater)
            talk.readyRead.connect(lambda: self._read(talk))

    def _read(self, talk: QLocalSocket) -> None:
        if not talk.canReadLine():
            if talk.bytesAvailable() >= LIMIT_BYTES:
                talk.abort()
            return
        if said := answered(bytes(talk.readLine().data()), self._answer):
            talk.write(said)
            talk.flush()
            talk.disconnectFromServer()
        else:
            talk.abort()


def ask(address: str, request: Mapping[str, Any], wait_s: float) -> bool:
    """Whether somebody at an address takes a request; waits for them. Blocks."""
    wait_ms = round(wait_s * 1000)
    talk, waited = QLocalSocket(), QDeadlineTimer(wait_ms)
    talk.connectToServer(address)
    while not talk.waitForConnected(wait_ms):
        if waited.hasExpired():
            return False
        time.sleep(STEP_S)
        talk.connectToServer(address)
    talk.write(to_line(request))
    return talk.waitForBytesWritten(wait_ms) and talk.waitForReadyRead(wait_ms)
