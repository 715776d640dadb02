"""Connections for what is large: where they lead, and by which proxy."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPSConnection
from pathlib import Path

import pytest

from rony_desktop.contract.engine import Endpoint
from rony_desktop.contract.error import NetworkOffline, ProviderUnavailable
from rony_desktop.net import client, line, set_offline, set_route


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    yield
    set_offline(False)
    set_route()


def leads_to(url: str) -> tuple[str, int, str]:
    found = line(url, 1)
    return found.connection.host, found.connection.port, found.target


def test_without_a_proxy_it_leads_to_the_host() -> None:
    assert leads_to("http://hub.test/a?b=1") == ("hub.test", 80, "/a?b=1")
    assert leads_to("https://hub.test:444") == ("hub.test", 444, "/")
    assert isinstance(line("https://hub.test", 1).connection, HTTPSConnection)


def test_a_proxy_of_the_environment_is_used_but_where_it_says_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("http_proxy", "http://user:p%40ss@proxy.test:3128")
    monkeypatch.setenv("no_proxy", "inside.test")
    found = line("http://hub.test:8080/a", 1)
    assert (found.connection.host, found.connection.port) == ("proxy.test", 3128)
    assert found.target == "http://hub.test:8080/a"
    assert found.headers == {"Proxy-Authorization": "Basic dXNlcjpwQHNz"}
    assert leads_to("http://inside.test/a") == ("inside.test", 80, "/a")
    assert leads_to("http://127.0.0.1:9/a") == ("127.0.0.1", 9, "/a")


def test_the_proxy_that_was_set_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://other.test:1")
    set_route("proxy.test:3128")
    assert leads_to("http://hub.test/a") == ("proxy.test", 3128, "http://hub.test/a")
    assert leads_to("http://localhost:9/a") == ("localhost", 9, "/a")


@pytest.mark.parametrize("proxy", ["socks5://user:secret@proxy.test:1", "https://proxy.test"])
def test_a_proxy_of_another_kind_is_named_without_its_password(proxy: str) -> None:
    set_route(proxy)
    with pytest.raises(ProviderUnavailable, match=r"proxy\.test.* is no HTTP proxy") as caught:
        line("http://hub.test", 1)
    assert "secret" not in str(caught.value)


def test_offline_mode_makes_no_connection() -> None:
    set_offline(True)
    with pytest.raises(NetworkOffline, match=r"hub\.test"):
        line("http://hub.test", 1)
    assert leads_to("http://127.0.0.1:9/") == ("127.0.0.1", 9, "/")


@pytest.mark.parametrize("url", ["ftp://hub.test", "file:///x", "hub.test/x", ""])
def test_only_the_web_is_spoken(url: str) -> None:
    with pytest.raises(ProviderUnavailable, match="no web address"):
        line(url, 1)


def test_own_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    set_route(ca_file=tmp_path / "none.pem")
    with pytest.raises(ProviderUnavailable, match=r"none\.pem"):
        line("https://hub.test", 1)


async def test_clients_go_the_same_way() -> None:
    set_route("http://127.0.0.1:1")
    import httpx

    async with client(Endpoint("http://hub.test")) as http:
        with pytest.raises(httpx.ConnectError):
            await http.get("/")
