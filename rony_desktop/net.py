"""The only maker of HTTP clients: sockets, proxies, the system's CAs, the offline switch."""

from __future__ import annotations

import ipaddress
import logging
import socket
import ssl
import sys
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import ProviderUnavailable
from rony_desktop.redact import hold

if TYPE_CHECKING:
    import httpx

_contacted: set[str] = set()
_offline = False


def client(
    endpoint: Endpoint,
    *,
    timeout_s: float | None = 30.0,
    connect_s: float = 2.0,
    read_s: float | None = None,
) -> httpx.AsyncClient:
    """Make a client of one server; the caller owns it and closes it with aclose().

    timeout_s bounds each wait, None none of them; read_s, where given, bounds the wait for the next
    bytes instead. Local traffic never meets a proxy. A request to another machine raises
    ProviderUnavailable while set_offline(True) holds. Its key is held from every log.
    """
    import httpx

    hold(endpoint.key)
    # httpx logs whole URLs at INFO, and keys may ride in a query.
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    host = httpx.URL(endpoint.base_url).host
    local = endpoint.socket is not None or is_loopback(host)
    context = _tls(endpoint.base_url)

    async def admit(request: httpx.Request) -> None:
        if endpoint.socket is None and not is_loopback(request.url.host):
            _admit(request.url.host)

    transport = None
    if endpoint.socket is not None:
        transport = httpx.AsyncHTTPTransport(uds=str(endpoint.socket), verify=context)
    return httpx.AsyncClient(
        base_url=endpoint.base_url,
        transport=transport,
        verify=context,
        headers={"Authorization": f"Bearer {endpoint.key}"} if endpoint.key else {},
        timeout=httpx.Timeout(
            timeout_s, connect=connect_s, read=timeout_s if read_s is None else read_s
        ),
        trust_env=not local,
        event_hooks={"request": [admit]},
    )


def get_status(endpoint: Endpoint, path: str, timeout_s: float) -> int:
    """The HTTP status of a GET on a server of this machine; blocks, so it belongs in a thread.

    Asked every few seconds for as long as the program runs: on the event loop, with a whole client,
    it would use ten times the CPU, and that is most of what an idle program uses.

    Raises:
        OSError: nobody answers within timeout_s.
    """
    if endpoint.socket is not None:
        connection = socket.socket(socket.AF_UNIX)
        address: str | tuple[str, int] = str(endpoint.socket)
    else:
        url = urlsplit(endpoint.base_url)
        connection = socket.socket(
            socket.AF_INET6 if ":" in (url.hostname or "") else socket.AF_INET
        )
        address = (url.hostname or "", url.port or 80)
    with connection:
        connection.settimeout(timeout_s)
        connection.connect(address)
        connection.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
        words = connection.recv(64).split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0


def warm() -> None:
    """Import what a client needs, 0.05 s the first time; blocks, so that it belongs in a thread."""
    # httpx imports its own command line where that can be had, and rich and click with it: 0.1 s
    # and 7 MB for nothing. An empty module in its place is what httpx expects where it cannot.
    sys.modules.setdefault("httpx._main", ModuleType("httpx._main"))
    client(Endpoint("http://localhost"))


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine."""
    if host.lower().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def contacted() -> frozenset[str]:
    """Hosts of other machines that requests were sent to since the program started."""
    return frozenset(_contacted)


def set_offline(offline: bool) -> None:
    """Refuse, or allow again, every request that would leave this machine."""
    global _offline  # noqa: PLW0603 - one switch per process, by intent
    _offline = offline


def _admit(host: str) -> None:
    if _offline:
        raise ProviderUnavailable(detail=f"offline mode is on, {host} was not contacted")
    _contacted.add(host)


def _tls(base_url: str) -> ssl.SSLContext:
    if not base_url.lower().startswith("https:"):
        # Trusts nobody, and costs nothing: httpx would load its own bundle of CAs.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
