"""The only maker of HTTP clients: sockets, proxies, the system's CAs, the offline switch."""

from __future__ import annotations

import base64
import ipaddress
import logging
import socket
import ssl
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import NetworkOffline, ProviderUnavailable
from rony_desktop.redact import hold

if TYPE_CHECKING:
    from http.client import HTTPConnection

    import httpx

    from rony_desktop.contract.config import NetworkConfig

_contacted: set[str] = set()
_offline = False
_proxy = ""
_ca_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A connection that is not made yet, with what a request on it names and brings along."""

    connection: HTTPConnection
    target: str
    headers: dict[str, str]


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
    NetworkOffline while set_offline(True) holds. Its key is held from every log.
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
        proxy=None if local else _proxy or None,
        event_hooks={"request": [admit]},
    )


def line(url: str, connect_s: float) -> Line:
    """Prepare a connection for one GET; the caller connects, and closes it.

    Blocking, for what is too large for the event loop: 1 GB comes as fast as the network has it.

    Raises:
        NetworkOffline: set_offline(True) holds.
        ProviderUnavailable: the address or the proxy cannot be used.
    """
    from http.client import HTTPConnection, HTTPSConnection

    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host:
        raise ProviderUnavailable(detail=f"{url!r} is no web address")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    proxy = None
    if not is_loopback(host):
        _admit(host)
        proxy = _proxy_of(parts.scheme, host)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    at, at_port = (proxy.hostname or "", proxy.port or 80) if proxy else (host, port)
    headers = _credentials(proxy)
    if secure:
        tls = HTTPSConnection(at, at_port, timeout=connect_s, context=_tls(url))
        if proxy:
            tls.set_tunnel(host, port, headers)
        return Line(tls, path, {})
    plain = HTTPConnection(at, at_port, timeout=connect_s)
    if proxy:
        return Line(plain, f"http://{parts.netloc.rpartition('@')[2]}{path}", headers)
    return Line(plain, path, {})


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


def configure(network: NetworkConfig) -> None:
    """Let the settings decide how, and whether, other machines are reached."""
    set_route(network.proxy, network.ca_file)
    set_offline(network.offline)


def set_route(proxy: str = "", ca_file: Path | None = None) -> None:
    """Set what clients made from now on use: a proxy before the system's, and CAs beside them."""
    global _proxy, _ca_file
    _proxy, _ca_file = proxy, ca_file


def set_offline(offline: bool) -> None:
    """Refuse, or allow again, every request that would leave this machine."""
    global _offline  # noqa: PLW0603 - one switch per process, by intent
    _offline = offline


def _admit(host: str) -> None:
    if _offline:
        raise NetworkOffline(host=host)
    _contacted.add(host)


def _tls(base_url: str) -> ssl.SSLContext:
    if not base_url.lower().startswith("https:"):
        # Trusts nobody, and costs nothing: httpx would load its own bundle of CAs.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if _ca_file:
        try:
            context.load_verify_locations(_ca_file)
        except OSError as error:
            detail = f"the certificates in {_ca_file} cannot be read ({error.strerror or error})"
            raise ProviderUnavailable(detail=detail) from error
    return context


def _proxy_of(scheme: str, host: str) -> SplitResult | None:
    """The proxy that leads to a host: the one that was set, else the system's."""
    from urllib.request import getproxies, proxy_bypass

    found = _proxy
    if not found and not proxy_bypass(host):
        proxies = getproxies()
        found = proxies.get(scheme) or proxies.get("all") or ""
    if not found:
        return None
    parts = urlsplit(found if "://" in found else f"http://{found}")
    if parts.scheme != "http" or not parts.hostname:
        shown = parts.netloc.rpartition("@")[2]
        raise ProviderUnavailable(detail=f"the proxy {parts.scheme}://{shown} is no HTTP proxy")
    return parts


def _credentials(proxy: SplitResult | None) -> dict[str, str]:
    if proxy is None or not proxy.username:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}".encode()
    return {"Proxy-Authorization": f"Basic {base64.b64encode(pair).decode()}"}
