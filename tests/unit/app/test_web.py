from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.error import (
    HubError,
    HubOffline,
    HubSilent,
    HubUnreachable,
    RonyError,
)
from rony_desktop.contract.halt import Halt, Halted
from rony_desktop.net import set_offline

HEAD = b"HTTP/1.1 200 OK\r\nX-Thing: 1\r\n"


@contextmanager
def server(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server of one connection; it has read the request when serve gets it."""

    def run() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(65536)
            serve(connection)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=run)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/x?y=1"
        thread.join(5)


def get(url: str, halt: Halt | None = None, silence_s: float = 5.0) -> bytes:
    with HttpWeb(2.0, silence_s).get(url, {"Range": "bytes=0-"}, halt or Halt()) as answer:
        assert (answer.status, answer.headers["x-thing"]) == (200, "1")
        return b"".join(answer.blocks())


@pytest.mark.parametrize(
    "rest",
    [
        b"Content-Length: 4\r\n\r\nbody",
        b"Transfer-Encoding: chunked\r\n\r\n2\r\nbo\r\n2\r\ndy\r\n0\r\n\r\n",
        b"Connection: close\r\n\r\nbody",
    ],
)
def test_a_body_comes_whole(rest: bytes) -> None:
    with server(lambda connection: connection.sendall(HEAD + rest)) as url:
        assert get(url) == b"body"


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-x\r\n",
        HEAD + b"Content-Length: 9\r\n\r\nbody",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n9\r\nbo",
    ],
)
def test_an_answer_that_breaks_off_is_worth_another_try(answer: bytes) -> None:
    with (
        server(lambda connection: connection.sendall(answer)) as url,
        pytest.raises(HubUnreachable),
    ):
        get(url)


def test_nobody_there_is_worth_another_try() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(HubUnreachable, match=r"127\.0\.0\.1"):
        get(url)


@pytest.mark.parametrize("start", [b"", HEAD + b"Content-Length: 9\r\n\r\nbody"])
def test_silence_is_noticed(start: bytes) -> None:
    over = threading.Event()

    def serve(connection: socket.socket) -> None:
        connection.sendall(start)
        over.wait(5)

    with server(serve) as url:
        with pytest.raises(HubSilent, match=r"0\.1 s"):
            get(url, silence_s=0.1)
        over.set()


@pytest.mark.parametrize("start", [b"", HEAD + b"Content-Length: 9\r\n\r\nbody"])
def test_a_wait_is_ended_from_another_thread(start: bytes) -> None:
    halt = Halt()

    def serve(connection: socket.socket) -> None:
        connection.sendall(start)
        halt.stop()
        assert connection.recv(1) == b""  # the other side hung up

    with server(serve) as url, pytest.raises(Halted):
        get(url, halt, silence_s=60)


def test_what_was_stopped_before_is_not_begun() -> None:
    halt = Halt()
    halt.stop()
    with pytest.raises(Halted):
        get("http://127.0.0.1:1", halt)


def test_offline_mode_reaches_nobody() -> None:
    set_offline(True)
    try:
        with pytest.raises(HubOffline, match=r"hub\.invalid"):
            get("https://hub.invalid/")
    finally:
        set_offline(False)


@pytest.mark.parametrize("url", ["ftp://hub.invalid/x", "file:///etc/passwd", "http://[::1", "x"])
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(RonyError) as caught:
        get(url)
    assert type(caught.value) is HubError
