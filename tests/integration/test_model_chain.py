"""From a word to an answer: found, looked into, downloaded, checked, planned, launched, asked."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme

from rony_desktop.app.context import AppContext
from rony_desktop.app.download import DownloadService, Rules
from rony_desktop.app.feed import Feed
from rony_desktop.app.hub import create_hub
from rony_desktop.app.id import new_id
from rony_desktop.app.lifecycle import running
from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.config import Config, HubConfig
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.event import DownloadChanged, FeedEvent, TurnFinished
from rony_desktop.contract.hub import Quant
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.port import ModelHub
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.part import page_of, part_of
from rony_desktop.model.transfer import Patience
from rony_desktop.net import set_route
from tests.fake.record import FakeRecordStore
from tests.fixture.hub_server import HubServer, hub_server
from tests.fixture.proxy_server import proxy_server

MODEL = "maker/starter-GGUF"
NAME = "starter-Q4_1.gguf"
TOKEN = "hf_a_token_of_tests"
DEADLINE_S = 50.0
ENDS = (DownloadState.DONE, DownloadState.FAILED)
CHANCE = random.Random(5)
CUTS = [CHANCE.randrange(90_000_000) for _ in range(3)]

pytestmark = [pytest.mark.engine, pytest.mark.timeout(180)]


@pytest.fixture
def shelf(starter_model: Path, tmp_path: Path) -> Path:
    place = tmp_path / "hub" / MODEL / NAME
    place.parent.mkdir(parents=True)
    place.symlink_to(starter_model)
    return tmp_path / "hub"


@pytest.fixture
def server(shelf: Path) -> Iterator[HubServer]:
    with hub_server(shelf) as running_server:
        yield running_server


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


async def ended(feed: Feed, service: DownloadService, quant: Quant) -> Download:
    """Download it, to whatever end."""
    over = asyncio.Event()

    def heard(event: FeedEvent) -> None:
        if isinstance(event, DownloadChanged) and event.download.state in ENDS:
            over.set()

    unlisten = feed.listen(heard)
    id = await service.start(quant)
    await asyncio.wait_for(over.wait(), DEADLINE_S)
    unlisten()
    return next(download for download in service.list() if download.id == id)


async def answered(app: AppContext) -> str:
    """What the loaded model says."""
    async for event in app.chat.send(new_id(), "Say one word."):
        if isinstance(event, TurnFinished):
            return event.response.content
    raise AssertionError("the turn did not finish")


async def chain(app: AppContext, starter: Path) -> None:
    """Everything between a word and an answer."""
    discovery = app.stock.discovery
    (found,) = await discovery.search("starter")
    (quant,) = await discovery.quants(found.id)
    offer = await discovery.offer(quant)
    assert offer.failure is None
    assert offer.exact
    assert offer.fit in (Fit.GPU, Fit.PARTLY, Fit.FITS)
    assert offer.decode is not None
    assert app.models.list() == []
    done = await ended(app.feed, app.stock.downloads, quant)
    assert done.failure is None
    assert sha256(done.target) == sha256(starter)
    assert not part_of(done.target).exists()
    assert not page_of(done.target).exists()
    app.runtime.use(done.target.stem)
    await app.runtime.ready()
    planned = app.runtime.planned
    assert planned is not None
    assert (planned.launch.model, planned.launch.n_ctx) == (done.target, offer.n_ctx)
    assert await answered(app)


@pytest.mark.parametrize(
    "folder",
    ["data", "Мои модели/模型 フォルダ/with  spaces & 'quotes' #1%", "/".join(["深い" * 40] * 4)],
)
async def test_from_a_word_to_an_answer(
    server: HubServer,
    starter_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / folder))
    monkeypatch.setenv("HF_ENDPOINT", server.url)
    monkeypatch.setenv("RONY_LLAMA__MODELS__MAIN__CTX_SIZE", "512")
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
    async with running("") as app:
        await chain(app, starter_model)
    # Its header was looked into by a part of the file, and the file itself came once.
    first, *rest = (entry["sent"] for entry in server.log("cdn"))
    assert first < 5_000_000
    assert sum(rest) <= starter_model.stat().st_size + 5_000_000


@asynccontextmanager
async def fetcher(
    server: HubServer, folder: Path, room: list[int] | None = None
) -> AsyncIterator[tuple[ModelHub, Feed, DownloadService]]:
    """Downloads that lose patience soon; room is what is free at each look, the last for ever."""
    free = room or [10**12]
    config = Config(hub=HubConfig(endpoint=server.url))
    hub, feed = create_hub(config, {"HF_TOKEN": TOKEN}, HttpWeb(silence_s=0.5)), Feed()
    rules = Rules(
        folder=folder / "models",
        locks_dir=folder / "lock",
        parallel=2,
        reserve_bytes=1,
        patience=Patience(attempts=4, first_s=0.01, longest_s=0.05),
        free=lambda _: free.pop(0) if len(free) > 1 else free[0],
    )
    service = DownloadService(hub, FakeRecordStore(), feed, rules)
    yield hub, feed, service
    await service.close()


FAULTS: dict[str, list[tuple[str, int]]] = {
    "cut at random bytes": [("cut", at) for at in CUTS],
    "one byte flipped": [("flip", CHANCE.randrange(90_000_000))],
    "range ignored": [("cut", CUTS[0]), ("whole", 0)],
    "another version": [("etag", 0), ("cut", CUTS[1])],
    "a stall": [("stall", CUTS[2]), ("stall", 0)],
    "an address that expired": [("cut", CUTS[0]), ("expired", 0)],
}


@pytest.mark.parametrize("name", FAULTS)
async def test_whatever_goes_wrong_once_the_right_file_is_there(
    server: HubServer, starter_model: Path, tmp_path: Path, name: str
) -> None:
    for fault, at in FAULTS[name]:
        server.fault(fault, at)
    async with fetcher(server, tmp_path) as (hub, feed, service):
        (quant,) = await hub.files(MODEL)
        done = await ended(feed, service, quant)
    assert done.failure is None
    assert sha256(done.target) == sha256(starter_model)
    assert GgufMetadataReader().read(done.target).chat_template
    # Every file lies on another host than the hub, which alone may see the token.
    assert {entry["token"] for entry in server.log("hub")} == {f"Bearer {TOKEN}"}
    assert {entry["token"] for entry in server.log("cdn")} == {""}
    asked = len(server.log("cdn"))
    assert asked == 2 if name in ("one byte flipped", "range ignored") else asked > 1


async def test_a_web_page_in_place_of_a_file_ends_it_and_the_next_attempt_goes_on(
    server: HubServer, starter_model: Path, tmp_path: Path
) -> None:
    server.fault("cut", CUTS[0])
    server.fault("html")
    async with fetcher(server, tmp_path) as (hub, feed, service):
        (quant,) = await hub.files(MODEL)
        failed = await ended(feed, service, quant)
    assert failed.failure is not None
    assert failed.failure.code == "hub.foreign"
    assert not failed.target.exists()
    assert part_of(failed.target).stat().st_size == CUTS[0]
    async with fetcher(server, tmp_path) as (_, feed, service):
        done = await ended(feed, service, quant)
    assert sha256(done.target) == sha256(starter_model)
    assert server.log("cdn")[-1]["range"] == f"bytes={CUTS[0]}-"


async def test_a_disk_that_fills_up_ends_it_and_the_next_attempt_goes_on(
    shelf: Path, starter_model: Path, tmp_path: Path
) -> None:
    with hub_server(shelf, rate=50_000_000) as server:
        async with fetcher(server, tmp_path, [10**12] * 6 + [0]) as (hub, feed, service):
            (quant,) = await hub.files(MODEL)
            failed = await ended(feed, service, quant)
        assert failed.failure is not None
        assert failed.failure.code == "download.full"
        assert not failed.target.exists()
        kept = part_of(failed.target).stat().st_size
        assert 0 < kept < quant.size_bytes
        async with fetcher(server, tmp_path) as (_, feed, service):
            done = await ended(feed, service, quant)
        assert server.log("cdn")[-1]["range"] == f"bytes={kept}-"
    assert sha256(done.target) == sha256(starter_model)


async def test_from_a_word_to_an_answer_behind_a_proxy_with_its_own_ca(
    shelf: Path, starter_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ca = trustme.CA()
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")
    chained = ca.issue_cert("hub.test", "cdn.test").private_key_and_cert_chain_pem
    chained.write_to_path(tmp_path / "server.pem")
    monkeypatch.setenv("RONY_LLAMA__MODELS__MAIN__CTX_SIZE", "512")
    monkeypatch.setenv("RONY_LLAMA__DISK_RESERVE_MB", "0")
    monkeypatch.setenv("RONY_NETWORK__CA_FILE", str(tmp_path / "ca.pem"))
    with hub_server(shelf, certificate=tmp_path / "server.pem") as server, proxy_server() as proxy:
        monkeypatch.setenv("RONY_NETWORK__PROXY", proxy.url)
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        try:
            async with running("") as app:
                await chain(app, starter_model)
        finally:
            set_route()
        assert {entry["target"].partition(":")[0] for entry in proxy.log()} == {
            "hub.test",
            "cdn.test",
        }
