"""A hub behind a proxy, whose certificate only an own CA vouches for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme

from rony_desktop import net
from rony_desktop.app.hub import create_hub
from rony_desktop.contract.config import Config, HubConfig
from rony_desktop.contract.error import HubUntrusted
from rony_desktop.contract.halt import Halt
from rony_desktop.model.hub import HuggingFaceHub
from tests.fixture.gguf import LLAMA, Tensor, gguf
from tests.fixture.hub_server import HubServer, hub_server
from tests.fixture.proxy_server import Proxy, proxy_server

MODEL = "maker/tiny-GGUF"
SIZE = 320_000


@pytest.fixture
def ca_file(tmp_path: Path) -> Path:
    """The own CA; beside it lies what the server needs."""
    ca = trustme.CA()
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")
    ca.issue_cert("hub.test", "cdn.test").private_key_and_cert_chain_pem.write_to_path(
        tmp_path / "server.pem"
    )
    return tmp_path / "ca.pem"


@pytest.fixture
def server(ca_file: Path, tmp_path: Path) -> Iterator[HubServer]:
    path = tmp_path / "hub" / MODEL / "tiny-Q8_0.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(gguf(LLAMA, [Tensor([SIZE], 24, SIZE)]))
    with hub_server(tmp_path / "hub", certificate=ca_file.with_name("server.pem")) as running:
        yield running


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    with proxy_server() as running:
        yield running


@pytest.fixture(autouse=True)
def plain_route(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    yield
    net.set_route()


async def fetched(hub: HuggingFaceHub) -> int:
    """Bytes of the one model there is; blocks are counted here, the hub has its own threads."""
    (quant,) = await hub.files(MODEL)
    count = 0

    def work() -> None:
        nonlocal count
        with hub.fetch(quant.files[0], 0, Halt()) as body:
            count = sum(map(len, body.blocks))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    return count


def hub_of(server: HubServer) -> HuggingFaceHub:
    return create_hub(Config(hub=HubConfig(endpoint=server.url)), {})


async def test_proxy_and_own_ca_of_the_configuration(
    server: HubServer, proxy: Proxy, ca_file: Path
) -> None:
    net.set_route(proxy.url.replace("//", "//user:pa%20ss@"), ca_file)
    assert await fetched(hub_of(server)) > SIZE
    asked = proxy.log()
    assert {entry["target"].partition(":")[0] for entry in asked} == {"hub.test", "cdn.test"}
    assert {entry["user"] for entry in asked} == {"Basic dXNlcjpwYSBzcw=="}
    assert {"hub.test", "cdn.test"} <= net.contacted()


async def test_proxy_and_own_ca_of_the_environment(
    server: HubServer, proxy: Proxy, ca_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy.url)
    monkeypatch.setenv("SSL_CERT_FILE", str(ca_file))
    assert await fetched(hub_of(server)) > SIZE
    assert len(proxy.log()) == 3


async def test_a_certificate_nobody_vouches_for_is_refused(server: HubServer, proxy: Proxy) -> None:
    net.set_route(proxy.url)
    with pytest.raises(HubUntrusted):
        await hub_of(server).files(MODEL)
    assert server.log() == []
