from __future__ import annotations

import asyncio
import gc
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.download import DownloadService, Rules
from rony_desktop.app.feed import Feed
from rony_desktop.contract.download import DOWNLOADS, Download, DownloadState
from rony_desktop.contract.error import HubForeign, HubUnreachable, StorageError
from rony_desktop.contract.event import DownloadChanged, FeedEvent, Notice
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.model.part import part_of, to_json
from rony_desktop.model.transfer import Patience
from tests.fake.hub import FakeHub, Given
from tests.fake.record import FakeRecordStore
from tests.fixture.gguf import LLAMA, Tensor, gguf

WHOLE = gguf(LLAMA, [Tensor([320], 24, 320)])
BROKEN = HubUnreachable(host="hub", detail="closed")
DONE, FAILED, PAUSED = DownloadState.DONE, DownloadState.FAILED, DownloadState.PAUSED


def quant(name: str) -> Quant:
    sha256 = hashlib.sha256(WHOLE).hexdigest()
    return Quant("Q8_0", (HubFile("a/b", f"{name}.gguf", len(WHOLE), sha256),))


class Bench:
    """A service over a hub in memory; patience is long, so that a stall lasts."""

    def __init__(self, folder: Path, parallel: int = 1, stall_s: float = 0.0) -> None:
        self.folder = folder
        self.hub = FakeHub()
        self.records = FakeRecordStore()
        self.events: list[FeedEvent] = []
        self._changed = asyncio.Event()
        self._rules = Rules(
            folder=folder / "models",
            locks_dir=folder / "lock",
            parallel=parallel,
            reserve_bytes=0,
            patience=Patience(attempts=1 if stall_s else 0, first_s=stall_s),
            free=lambda _: None,
        )
        self.service = self.made()

    def made(self) -> DownloadService:
        feed = Feed()
        feed.listen(self._heard)
        return DownloadService(self.hub, self.records, feed, self._rules)

    def _heard(self, event: FeedEvent) -> None:
        self.events.append(event)
        self._changed.set()

    def states(self) -> list[DownloadState]:
        return [download.state for download in self.service.list()]

    async def until(self, *states: DownloadState) -> None:
        async with asyncio.timeout(10):
            while self.states() != list(states):
                self._changed.clear()
                await self._changed.wait()

    def changes(self) -> list[Download]:
        return [event.download for event in self.events if isinstance(event, DownloadChanged)]


@asynccontextmanager
async def bench_of(folder: Path, parallel: int = 1, stall_s: float = 0.0) -> AsyncIterator[Bench]:
    bench = Bench(folder, parallel, stall_s)
    yield bench
    await bench.service.close()


async def test_one_after_another_in_their_order(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        bench.hub.given = [Given([WHOLE]), Given([WHOLE])]
        for name in ("b", "a"):
            await bench.service.start(quant(name))
        await bench.until(DONE, DONE)
        done = [change.name for change in bench.changes() if change.state is DONE]
        assert done == ["b.gguf", "a.gguf"]
        assert all(download.target.read_bytes() == WHOLE for download in bench.service.list())
        assert {d.step.done_bytes for d in bench.service.list()} == {len(WHOLE)}


async def test_no_more_at_once_than_allowed(tmp_path: Path) -> None:
    async with bench_of(tmp_path, parallel=2, stall_s=60) as bench:
        bench.hub.given = [BROKEN, BROKEN]
        for name in "abc":
            await bench.service.start(quant(name))
        stalled = DownloadState.STALLED
        await bench.until(stalled, stalled, DownloadState.QUEUED)
        bench.hub.given = [Given([WHOLE])]
        await bench.service.pause(bench.service.list()[0].id)
        await bench.until(PAUSED, stalled, DONE)


async def test_the_same_thing_is_on_the_list_once(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        bench.hub.given = [BROKEN]
        id = await bench.service.start(quant("a"))
        await bench.until(FAILED)
        assert bench.service.list()[0].failure is not None
        bench.hub.given = [Given([WHOLE])]
        assert await bench.service.start(quant("a")) == id
        await bench.until(DONE)
        assert bench.service.list()[0].failure is None


async def test_a_waiting_one_is_paused_and_goes_behind_the_others(tmp_path: Path) -> None:
    async with bench_of(tmp_path, stall_s=60) as bench:
        bench.hub.given = [BROKEN]
        for name in "abc":
            await bench.service.start(quant(name))
        first, second, _ = (download.id for download in bench.service.list())
        await bench.service.pause(second)
        await bench.service.resume(second)
        assert [download.name[0] for download in bench.service.list()] == ["a", "c", "b"]
        await bench.until(DownloadState.STALLED, DownloadState.QUEUED, DownloadState.QUEUED)
        bench.hub.given = [Given([WHOLE]), Given([WHOLE])]
        await bench.service.cancel(first)
        await bench.until(DONE, DONE)


async def test_a_restart_takes_up_what_ran_and_leaves_what_was_paused(tmp_path: Path) -> None:
    bench = Bench(tmp_path, parallel=2, stall_s=60)
    bench.hub.given = [Given([WHOLE[:100]], error=BROKEN) for _ in "ab"]
    for name in "ab":
        await bench.service.start(quant(name))
    await bench.until(DownloadState.STALLED, DownloadState.STALLED)
    await bench.service.pause(bench.service.list()[1].id)
    await bench.service.close()
    bench.records.kept[DOWNLOADS]["zz"] = {"quant": {}, "state": "of a newer version"}

    bench.service = bench.made()
    bench.hub.given = [Given([WHOLE[100:]], 100)]
    await bench.service.restore()
    await bench.until(DONE, PAUSED)
    assert bench.service.list()[1].step.done_bytes == 100
    assert set(bench.records.kept[DOWNLOADS]) == {bench.service.list()[1].id, "zz"}
    await bench.service.close()


async def test_cancelling_deletes_what_came_but_never_a_model(tmp_path: Path) -> None:
    async with bench_of(tmp_path, stall_s=60) as bench:
        bench.hub.given = [Given([WHOLE]), Given([WHOLE[:50]], error=BROKEN)]
        for name in "ab":
            await bench.service.start(quant(name))
        await bench.until(DONE, DownloadState.STALLED)
        whole, half = bench.service.list()
        for download in (whole, half):
            await bench.service.cancel(download.id)
        await bench.service.cancel("unknown")
        assert bench.service.list() == ()
        assert whole.target.exists()
        assert not part_of(half.target).exists()
        told = [event for event in bench.events if isinstance(event, DownloadChanged)]
        removed = [event.download.id for event in told if event.removed]
        assert removed == [whole.id, half.id]


async def test_a_name_that_leads_away_is_never_queued(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        bad = Quant("", (HubFile("a/b", "../../m.gguf", 1, ""),))
        with pytest.raises(HubForeign):
            await bench.service.start(bad)
        assert bench.records.kept[DOWNLOADS] == {}
        bench.records.kept[DOWNLOADS]["x"] = {"quant": to_json(bad), "state": "queued"}
        await bench.service.restore()
        assert bench.service.list() == ()


async def test_what_cannot_be_noted_is_not_begun(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        bench.records.failure = StorageError(path="x", detail="y")
        with pytest.raises(StorageError):
            await bench.service.start(quant("a"))
        assert bench.service.list() == ()


async def test_a_model_is_done_even_where_its_record_stays(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        bench.hub.given = [Given([WHOLE])]
        await bench.service.start(quant("a"))
        bench.records.failure = StorageError(path="x", detail="y")
        await bench.until(DONE)
        await bench.service.close()
        assert [event for event in bench.events if isinstance(event, Notice)]
        assert bench.states() == [DONE]


async def test_a_list_that_is_only_looked_at_starts_and_changes_nothing(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        record = {"quant": to_json(quant("a")), "state": "queued"}
        bench.records.kept[DOWNLOADS]["1"] = dict(record)
        await bench.service.restore(go_on=False)
        assert bench.states() == [PAUSED]
        assert bench.hub.asked == []
        assert bench.records.kept[DOWNLOADS] == {"1": record}
        bench.hub.given = [Given([WHOLE])]
        assert await bench.service.start(quant("a")) == "1"
        await bench.until(DONE)


async def test_the_record_of_a_download_of_another_program_stays_as_it_is(tmp_path: Path) -> None:
    async with bench_of(tmp_path, stall_s=60) as bench:
        bench.hub.given = [BROKEN]
        await bench.service.start(quant("a"))
        await bench.until(DownloadState.STALLED)
        before = dict(bench.records.kept[DOWNLOADS])
        second = bench.made()
        await second.restore()
        async with asyncio.timeout(10):
            while second.list()[0].state is not FAILED:
                await asyncio.sleep(0)
        assert second.list()[0].failure is not None
        assert bench.records.kept[DOWNLOADS] == before
        await second.close()


async def test_a_newer_revision_takes_the_place_of_what_was_begun(tmp_path: Path) -> None:
    async with bench_of(tmp_path, stall_s=60) as bench:
        bench.hub.given = [Given([WHOLE[:100]], error=BROKEN)]
        old = quant("a")
        await bench.service.start(old)
        await bench.until(DownloadState.STALLED)
        newer = replace(old, files=(replace(old.files[0], revision="c1"),))
        bench.hub.given = [Given([WHOLE])]
        id = await bench.service.start(newer)
        await bench.until(DONE)
        assert [download.id for download in bench.service.list()] == [id]
        assert bench.hub.asked == [0, 0]
        assert bench.records.kept[DOWNLOADS] == {}


async def test_clicks_that_overtake_each_other_are_one_after_the_other(tmp_path: Path) -> None:
    async with bench_of(tmp_path, parallel=2, stall_s=60) as bench:
        service = bench.service
        bench.hub.given = [BROKEN] * 20
        one, two = await asyncio.gather(service.start(quant("a")), service.start(quant("a")))
        assert one == two
        await bench.until(DownloadState.STALLED)
        await service.pause(one)
        for second in (service.cancel(one), service.resume(one), service.pause(one)):
            await asyncio.gather(service.cancel(one), second)
            assert service.list() == ()
            assert bench.records.kept[DOWNLOADS] == {}
            one = await service.start(quant("a"))
            await service.pause(one)


async def test_what_nobody_foresaw_does_not_run_for_ever(tmp_path: Path) -> None:
    async with bench_of(tmp_path) as bench:
        seen: list[BaseException] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: seen.append(context["exception"]))
        bench.hub.given = [ZeroDivisionError("nobody foresaw")]
        await bench.service.start(quant("a"))
        await bench.until(FAILED)
        async with asyncio.timeout(10):
            while not seen:
                await asyncio.sleep(0)
                gc.collect()
        assert [type(error) for error in seen] == [ZeroDivisionError]


async def test_a_record_of_a_place_that_cannot_be_looked_at_is_no_end(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "a").write_bytes(b"a file where a folder should be")
    async with bench_of(tmp_path) as bench:
        for name in ("x", "y"):
            record = {"quant": to_json(quant("m")), "state": "queued"}
            bench.records.kept[DOWNLOADS][name] = record
        await bench.service.restore()
        await bench.until(FAILED)
        assert list(bench.records.kept[DOWNLOADS]) == ["x"]
