"""Downloads from a hub that is a process of its own, and that does everything wrong once."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from rony_desktop.app.download import DownloadService, Rules
from rony_desktop.app.feed import Feed
from rony_desktop.app.hub import create_hub
from rony_desktop.app.web import HttpWeb
from rony_desktop.contract.config import Config, HubConfig
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import HubOffline, RonyError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.model.gguf import GgufMetadataReader
from rony_desktop.model.hub import HuggingFaceHub
from rony_desktop.model.part import page_of, part_of
from rony_desktop.model.transfer import Patience
from rony_desktop.net import set_offline
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import LLAMA, Tensor, Typed, gguf
from tests.fixture.hub_server import HubServer, hub_server

MODEL = "maker/tiny-GGUF"
SIZE = 3_000_000
TOKEN = "hf_a_token_of_tests"
DEADLINE_S = 20.0
Done = Callable[[Download], bool]


class Bench:
    """A download service with what it said."""

    def __init__(self, hub: HuggingFaceHub, folder: Path, records: FakeRecordStore) -> None:
        self.hub = hub
        self.records = records
        self.said: list[Download] = []
        self._feed = Feed()
        self._feed.listen(self._heard)
        self._waiting: list[tuple[Done, asyncio.Event]] = []
        rules = Rules(
            folder=folder / "models",
            locks_dir=folder / "lock",
            parallel=2,
            reserve_bytes=0,
            patience=Patience(attempts=4, first_s=0.01, longest_s=0.05),
        )
        self.service = DownloadService(hub, records, self._feed, rules)

    def _heard(self, event: FeedEvent) -> None:
        if isinstance(event, DownloadChanged):
            self.said.append(event.download)
            for wanted, found in self._waiting:
                if wanted(event.download):
                    found.set()

    async def until(self, wanted: Done) -> None:
        if any(map(wanted, self.service.list())):
            return
        found = asyncio.Event()
        self._waiting.append((wanted, found))
        await asyncio.wait_for(found.wait(), DEADLINE_S)

    async def fetch(self) -> Download:
        """Download the one model there is, to its end."""
        (quant,) = await self.hub.files(MODEL)
        id = await self.service.start(quant)
        await self.until(lambda d: d.state in (DownloadState.DONE, DownloadState.FAILED))
        return next(d for d in self.service.list() if d.id == id)

    def states(self) -> set[DownloadState]:
        return {download.state for download in self.said}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub")
    path = folder / MODEL / "tiny-Q4_K_M.gguf"
    path.parent.mkdir(parents=True)
    path.write_bytes(gguf(LLAMA, [Tensor([SIZE], 24, SIZE)]))
    return folder


@pytest.fixture
def server(shelf: Path) -> Iterator[HubServer]:
    with hub_server(shelf) as running:
        yield running


@pytest.fixture
async def bench(server: HubServer, tmp_path: Path) -> AsyncIterator[Bench]:
    made = make(server, tmp_path)
    yield made
    await made.service.close()


def make(server: HubServer, folder: Path, records: FakeRecordStore | None = None) -> Bench:
    config = Config(hub=HubConfig(endpoint=server.url))
    hub = create_hub(config, {"HF_TOKEN": TOKEN}, HttpWeb(silence_s=0.3))
    return Bench(hub, folder, records or FakeRecordStore())


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def same(download: Download, shelf: Path) -> bool:
    return sha256(download.target) == sha256(shelf / MODEL / download.name)


async def test_found_looked_into_downloaded_and_whole(
    bench: Bench, server: HubServer, shelf: Path
) -> None:
    (model,) = await bench.hub.search("tiny", 5)
    assert (model.id, model.licence, model.gated) == (MODEL, "apache-2.0", False)
    (quant,) = await bench.hub.files(model.id)
    assert quant.name == "Q4_K_M"
    header = await bench.hub.header(quant)
    assert (header.architecture, header.size_bytes) == ("llama", quant.size_bytes)
    assert sum(entry["sent"] for entry in server.log("cdn")) < SIZE
    done = await bench.fetch()
    assert done.state is DownloadState.DONE
    assert same(done, shelf)
    assert await asyncio.to_thread(GgufMetadataReader().read, done.target)
    assert [path.name for path in done.target.parent.iterdir()] == [done.name]
    assert bench.records.kept["download"] == {}


async def test_the_token_never_follows_a_redirect(bench: Bench, server: HubServer) -> None:
    await bench.fetch()
    assert {entry["token"] for entry in server.log("hub")} == {f"Bearer {TOKEN}"}
    assert {entry["token"] for entry in server.log("cdn")} == {""}


@pytest.mark.parametrize("at", [0, 1, 3, 24, 65_536, 2_999_999])
async def test_a_cut_is_continued_where_it_was(
    bench: Bench, server: HubServer, shelf: Path, at: int
) -> None:
    server.fault("cut", at)
    done = await bench.fetch()
    assert same(done, shelf)
    asked = [entry["range"] for entry in server.log("cdn")]
    assert asked == ["", f"bytes={at}-" if at else ""]


async def test_a_cut_goes_on_when_ranges_are_ignored(
    bench: Bench, server: HubServer, shelf: Path
) -> None:
    server.fault("cut", 1_000_000)
    server.fault("whole")
    assert same(await bench.fetch(), shelf)


async def test_a_flipped_byte_is_noticed_and_fetched_once_more(
    bench: Bench, server: HubServer, shelf: Path
) -> None:
    server.fault("flip", 2_000_000)
    done = await bench.fetch()
    assert same(done, shelf)
    assert [entry["range"] for entry in server.log("cdn")] == ["", ""]
    assert done.step.note is not None
    assert done.step.note.code == "download.checksum"


async def test_a_byte_that_is_always_flipped_never_becomes_a_model(
    bench: Bench, server: HubServer
) -> None:
    server.fault("flip", 2_000_000, times=9)
    done = await bench.fetch()
    assert done.failure is not None
    assert done.failure.code == "download.checksum"
    assert not done.target.exists()
    assert part_of(done.target).stat().st_size == 0
    assert len(server.log("cdn")) == 2


async def test_a_web_page_with_200_never_becomes_a_model(bench: Bench, server: HubServer) -> None:
    server.fault("html")
    done = await bench.fetch()
    assert done.failure is not None
    assert done.failure.code == "hub.foreign"
    assert not done.target.exists()


async def test_another_version_between_parts_begins_anew_and_is_told(
    bench: Bench, server: HubServer, shelf: Path
) -> None:
    server.fault("etag")
    server.fault("cut", 1_000_000)
    done = await bench.fetch()
    assert same(done, shelf)
    assert [entry["range"] for entry in server.log("cdn")] == ["", "bytes=1000000-", ""]
    assert done.step.note is not None
    assert done.step.note.code == "download.changed"


async def test_a_stall_is_shown_and_reconnected(
    bench: Bench, server: HubServer, shelf: Path
) -> None:
    server.fault("stall", 500_000, times=2)
    done = await bench.fetch()
    assert same(done, shelf)
    stalled = [d.step for d in bench.said if d.state is DownloadState.STALLED]
    assert {(step.attempt, step.attempts) for step in stalled} == {(1, 4)}
    assert {step.note.code for step in stalled if step.note} == {"hub.silent"}


async def test_attempts_that_bring_nothing_end_with_what_is_kept(
    bench: Bench, server: HubServer, shelf: Path
) -> None:
    server.fault("cut", 1_000_000)
    server.fault("expired", times=5)
    done = await bench.fetch()
    assert done.failure is not None
    assert done.failure.code == "download.stalled"
    assert part_of(done.target).stat().st_size == 1_000_000
    attempts = [d.step.attempt for d in bench.said if d.state is DownloadState.STALLED]
    assert attempts == [1, 2, 3, 4]
    await bench.service.resume(done.id)
    await bench.until(lambda d: d.state is DownloadState.DONE)
    assert same(bench.service.list()[0], shelf)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("gated", "hub.gated"),
        ("denied", "hub.unauthorised"),
        ("page", "hub.foreign"),
        ("broken", "hub.foreign"),
        ("busy", "hub.busy"),
        ("down", "hub.down"),
    ],
)
async def test_refusals_of_the_hub_have_their_words(
    bench: Bench, server: HubServer, fault: str, code: str
) -> None:
    server.fault(fault, 7)
    with pytest.raises(RonyError) as caught:
        await bench.hub.search("tiny", 5)
    assert caught.value.code == code
    if fault == "busy":
        assert caught.value.params["seconds"] == "7"


async def test_a_gated_file_says_where_to_accept_its_licence(
    bench: Bench, server: HubServer
) -> None:
    (quant,) = await bench.hub.files(MODEL)
    server.fault("gated")
    await bench.service.start(quant)
    await bench.until(lambda d: d.state is DownloadState.FAILED)
    (download,) = bench.service.list()
    assert download.failure is not None
    assert f"{server.url}/{MODEL}" in str(download.failure)


async def test_pause_keeps_and_another_run_goes_on(
    bench: Bench, server: HubServer, shelf: Path, tmp_path: Path
) -> None:
    server.fault("stall", 1_000_000)
    (quant,) = await bench.hub.files(MODEL)
    id = await bench.service.start(quant)
    await bench.until(lambda d: part_of(d.target).exists() and d.step.done_bytes > 0)
    await bench.service.pause(id)
    (paused,) = bench.service.list()
    kept = part_of(paused.target).stat().st_size
    assert paused.state is DownloadState.PAUSED
    await bench.service.close()

    later = make(server, tmp_path, bench.records)
    await later.service.restore()
    (restored,) = later.service.list()
    assert (restored.id, restored.state, restored.step.done_bytes) == (
        id,
        DownloadState.PAUSED,
        kept,
    )
    await later.service.resume(id)
    await later.until(lambda d: d.state is DownloadState.DONE)
    assert same(later.service.list()[0], shelf)
    assert server.log("cdn")[-1]["range"] == f"bytes={kept}-"
    await later.service.close()


async def test_a_part_whose_record_is_gone_is_adopted(
    bench: Bench, server: HubServer, shelf: Path, tmp_path: Path
) -> None:
    server.fault("cut", 1_000_000)
    server.fault("html")
    failed = await bench.fetch()
    assert failed.failure is not None
    assert failed.failure.code == "hub.foreign"
    assert page_of(failed.target).exists()

    later = make(server, tmp_path)
    await later.service.restore()
    (adopted,) = later.service.list()
    assert (adopted.state, adopted.step.done_bytes) == (DownloadState.PAUSED, 1_000_000)
    await later.service.resume(adopted.id)
    await later.until(lambda d: d.state is DownloadState.DONE)
    assert same(later.service.list()[0], shelf)
    await later.service.close()


async def test_cancel_deletes_what_came(bench: Bench, server: HubServer, tmp_path: Path) -> None:
    server.fault("stall", 1_000_000)
    (quant,) = await bench.hub.files(MODEL)
    id = await bench.service.start(quant)
    await bench.until(lambda d: d.step.done_bytes > 0)
    await bench.service.cancel(id)
    assert bench.service.list() == ()
    assert list((tmp_path / "models").iterdir()) == []
    assert bench.records.kept["download"] == {}


async def test_two_programs_never_write_the_same_file(
    bench: Bench, server: HubServer, shelf: Path, tmp_path: Path
) -> None:
    server.fault("stall", 1_000_000)
    (quant,) = await bench.hub.files(MODEL)
    await bench.service.start(quant)
    await bench.until(lambda d: d.step.done_bytes > 0)
    second = make(server, tmp_path)
    refused = await second.fetch()
    assert refused.failure is not None
    assert refused.failure.code == "download.busy"
    await second.service.close()
    await bench.until(lambda d: d.state is DownloadState.DONE)
    assert same(bench.service.list()[0], shelf)


async def test_a_set_of_parts_is_one_download(server: HubServer, tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    for number in (1, 2):
        values = {**LLAMA} if number == 1 else {}
        values |= {"split.count": Typed(2, 2), "split.no": Typed(2, number - 1)}
        path = folder / MODEL / "big" / f"big-Q8_0-{number:05}-of-00002.gguf"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gguf(values, [Tensor([SIZE], 24, SIZE, f"t{number}")]))
    with hub_server(folder) as other:
        bench = make(other, tmp_path)
        (quant,) = await bench.hub.files(MODEL)
        assert len(quant.files) == 2
        header = await bench.hub.header(quant)
        assert header.size_bytes == quant.size_bytes
        other.fault("cut", 1_000_000)
        done = await bench.fetch()
        assert done.state is DownloadState.DONE
        found = await asyncio.to_thread(GgufMetadataReader().read, done.target)
        assert len(found.parts) == 1
        await bench.service.close()


async def test_offline_mode_is_kept_to(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    set_offline(True)
    try:
        hub = create_hub(Config(hub=HubConfig(endpoint="https://hub.invalid")), {})
        with pytest.raises(HubOffline):
            await hub.search("x", 5)
    finally:
        set_offline(False)
