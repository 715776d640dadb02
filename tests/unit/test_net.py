from __future__ import annotations

import logging
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import UnixStreamServer

import pytest
import truststore

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import NetworkOffline
from rony_desktop.net import client, contacted, is_loopback, set_offline
from rony_desktop.redact import redact, release


class Echo(BaseHTTPRequestHandler):
    """Answers with the Authorization header it got."""

    def do_GET(self) -> None:
        body = self.headers.get("Authorization", "none").encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self) -> str:
        return "local"

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture
def server() -> Iterator[str]:
    http = HTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=http.serve_forever, args=(0.02,)).start()
    yield f"http://127.0.0.1:{http.server_port}"
    http.shutdown()
    http.server_close()


@pytest.fixture(autouse=True)
def online() -> Iterator[None]:
    yield
    set_offline(False)


async def test_a_loopback_server_is_reached_with_its_key(server: str) -> None:
    async with client(Endpoint(server, key="k1")) as http:
        assert (await http.get("/x")).text == "Bearer k1"
    async with client(Endpoint(server)) as http:
        assert (await http.get("/x")).text == "none"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no unix sockets here")
async def test_a_unix_socket_is_reached() -> None:
    with tempfile.TemporaryDirectory() as folder:  # tmp_path may be too long for a socket
        path = Path(folder) / "s"
        with UnixStreamServer(str(path), Echo) as unix:
            threading.Thread(target=unix.serve_forever, args=(0.02,)).start()
            set_offline(True)
            async with client(Endpoint("http://engine", socket=path, key="k2")) as http:
                answer = await http.get("/x")
            unix.shutdown()
    assert answer.text == "Bearer k2"
    assert "engine" not in contacted()


async def test_proxies_never_see_local_traffic(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    async with client(Endpoint(server)) as http:
        assert (await http.get("/")).status_code == 200


async def test_offline_refuses_other_machines_before_any_connection() -> None:
    async with client(Endpoint("https://models.invalid")) as http:
        set_offline(True)
        with pytest.raises(NetworkOffline, match=r"models\.invalid"):
            await http.get("/v1/models")
    assert "models.invalid" not in contacted()


async def test_offline_lets_local_servers_through(server: str) -> None:
    set_offline(True)
    async with client(Endpoint(server)) as http:
        assert (await http.get("/")).status_code == 200
        with pytest.raises(NetworkOffline):
            await http.get("http://models.invalid/")


async def test_hosts_of_other_machines_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    # A closed proxy on loopback keeps the request on this machine.
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    import httpx

    async with client(Endpoint("http://hub.invalid")) as http:
        with pytest.raises(httpx.ConnectError):
            await http.get("/")
    assert "hub.invalid" in contacted()
    assert "127.0.0.1" not in contacted()


async def test_waits_are_bounded_as_asked() -> None:
    async with client(Endpoint("http://127.0.0.1:1")) as http:
        assert (http.timeout.connect, http.timeout.read, http.timeout.write) == (2.0, 30.0, 30.0)
    async with client(Endpoint("http://127.0.0.1:1"), timeout_s=None, connect_s=1) as http:
        assert (http.timeout.connect, http.timeout.read) == (1, None)
    async with client(Endpoint("http://127.0.0.1:1"), timeout_s=9, read_s=60) as http:
        assert (http.timeout.read, http.timeout.write) == (60, 9)


async def test_https_trusts_the_system_and_plain_http_nobody() -> None:
    seen: list[ssl.SSLContext] = []
    for url in ("https://a.invalid", "http://127.0.0.1:1"):
        async with client(Endpoint(url)) as http:
            pool = http._transport._pool  # type: ignore[attr-defined]
            seen.append(pool._ssl_context)
    assert isinstance(seen[0], truststore.SSLContext)
    assert seen[1].verify_mode is ssl.CERT_REQUIRED
    assert seen[1].cert_store_stats()["x509_ca"] == 0


async def test_urls_are_not_logged(server: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with client(Endpoint(server)) as http:
        await http.get("/?key=abcdef")
    assert "abcdef" not in caplog.text


async def test_a_key_in_use_is_kept_out_of_logs() -> None:
    async with client(Endpoint("http://127.0.0.1:1", key="key-of-a-test")):
        assert redact("argv key-of-a-test") == "argv ***"
    release("key-of-a-test")


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("LOCALHOST.", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost.example.com", False),
        ("127.0.0.1.example.com", False),
        ("10.0.0.1", False),
        ("", False),
    ],
)
def test_loopback_is_told_from_names_that_look_like_it(host: str, local: bool) -> None:
    assert is_loopback(host) is local


def test_importing_does_not_load_httpx() -> None:
    code = "import sys, rony_desktop.net; print('httpx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
