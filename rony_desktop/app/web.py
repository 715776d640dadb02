"""HTTP for a hub, over net: one request at a time, its failures typed, ended from any thread."""

from __future__ import annotations

import contextlib
import socket
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from urllib.parse import urlsplit

from rony_desktop import __version__, net
from rony_desktop.contract.error import (
    HubError,
    HubOffline,
    HubSilent,
    HubUnreachable,
    HubUntrusted,
    NetworkOffline,
    ProviderUnavailable,
)
from rony_desktop.contract.halt import Halt

BLOCK_BYTES = 1024 * 1024
AGENT = f"rony-desktop/{__version__}"


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer whose body is read as it comes."""

    status: int
    headers: Mapping[str, str]
    _response: HTTPResponse
    _host: str
    _halt: Halt
    _silence_s: float

    def blocks(self) -> Iterator[bytes]:
        """The body. Raises HubUnreachable where it breaks off, Halted."""
        left = self._response.length
        while left is None or left > 0:
            with _typed(self._host, self._halt, self._silence_s):
                block = self._response.read1(BLOCK_BYTES)
            self._halt.check()
            if not block:
                if left:
                    raise HubUnreachable(host=self._host, detail="the connection was closed")
                return
            if left is not None:
                left -= len(block)
            yield block


class HttpWeb:
    """Makes a connection for every request.

    connect_s bounds the wait for a connection, silence_s the wait for the next bytes.
    """

    def __init__(self, connect_s: float = 10.0, silence_s: float = 30.0) -> None:
        self._connect_s = connect_s
        self._silence_s = silence_s

    @contextlib.contextmanager
    def get(self, url: str, headers: Mapping[str, str], halt: Halt) -> Iterator[HttpAnswer]:
        """Send one request; no redirect is followed. Leaving the block closes the connection.

        Raises:
            HubUnreachable, HubOffline, HubUntrusted, HubError: there is no answer.
            Halted: halt ended it.
        """
        host = _host(url)
        halt.check()
        with _typed(host, halt, self._connect_s):
            line = net.line(url, self._connect_s)
        connection = line.connection

        def cut() -> None:
            # Closing it here would give its number to another file while it is being read.
            if connection.sock is not None:
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)

        sent = {"User-Agent": AGENT, "Accept-Encoding": "identity", **line.headers, **headers}
        with contextlib.closing(connection), halt.telling(cut):
            with _typed(host, halt, self._connect_s):
                connection.connect()
            halt.check()  # It may have been stopped while there was nothing to cut yet.
            connection.sock.settimeout(self._silence_s)
            with _typed(host, halt, self._silence_s):
                connection.request("GET", line.target, headers=sent)
                response = connection.getresponse()
            names = {name.lower(): value for name, value in response.getheaders()}
            with contextlib.closing(response):
                yield HttpAnswer(response.status, names, response, host, halt, self._silence_s)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or url
    except ValueError:
        return url


@contextlib.contextmanager
def _typed(host: str, halt: Halt, seconds: float) -> Iterator[None]:
    """Turn what the system and the protocol say into errors of a hub, Halted before them."""
    try:
        yield
    except (ProviderUnavailable, OSError, HTTPException, ValueError) as error:
        halt.check()
        raise _error(error, host, seconds) from error


def _error(error: Exception, host: str, seconds: float) -> HubError:
    if isinstance(error, ProviderUnavailable):
        offline = isinstance(error, NetworkOffline)
        return HubOffline(host=host) if offline else HubError(host=host, **error.params)
    if isinstance(error, ssl.SSLCertVerificationError):
        return HubUntrusted(host=host, detail=error.verify_message or error)
    if isinstance(error, TimeoutError):
        return HubSilent(host=host, seconds=f"{seconds:g}")
    if isinstance(error, OSError):
        return HubUnreachable(host=host, detail=error.strerror or error)
    if isinstance(error, HTTPException):
        detail = "its answer is no HTTP" if str(error) == "" else str(error)
        return HubUnreachable(host=host, detail=detail)
    return HubError(host=host, detail="its address cannot be used")
