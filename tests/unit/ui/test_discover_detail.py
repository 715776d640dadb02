"""One model: offers as they come, the recommended one, exact numbers, and its one button."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import (
    Failure,
    HubForeign,
    HubGated,
    HubUnreachable,
    NotAChatModel,
    StorageError,
)
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.model import ModelRef
from rony_desktop.ui.discover import detail as module
from rony_desktop.ui.discover.detail import Detail
from rony_desktop.ui.discover.state import Item, Opened
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks
from tests.fake.discovery import FakeDiscovery
from tests.fake.download import FakeDownloads
from tests.fixture.download import GB, MODEL, download, offer, quant

DEADLINE_S = 5.0
SMALL, USUAL, HUGE = quant("Q2_K"), quant("Q4_K_M", 2 * GB), quant("Q8_0", 90 * GB)
EYES = quant("F16", 1, projector=True)
OFFERS = (offer(SMALL), offer(USUAL, exact=False), offer(HUGE, Fit.TOO_LARGE, exact=False))


class World:
    """A hub with one model, and what is shown of it."""

    def __init__(self) -> None:
        self.discovery = FakeDiscovery(found=(SMALL, USUAL, HUGE, EYES), told=OFFERS)
        self.discovery.exact = {"Q4_K_M": offer(USUAL, per_s=18), "Q8_0": OFFERS[2]}
        self.discovery.gate.set()
        self.downloads = FakeDownloads()
        self.models = list[ModelRef]()
        self.failures = list[Failure]()
        self.tasks = Tasks(self.failures.append)
        self.went = list[str]()
        self.shown = list[Opened | None]()
        self.detail = Detail(
            self.discovery,
            self.downloads,
            lambda: self.models,
            self.tasks,
            Leads(self.went.append, print, self.went.append, print),
            lambda: self.shown.append(self.detail.opened),
        )

    @property
    def opened(self) -> Opened:
        assert self.detail.opened
        return self.detail.opened

    @property
    def item(self) -> Item:
        assert self.opened.item
        return self.opened.item

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.001)

    async def read(self) -> None:
        """Open the model and wait until all is known of it."""
        self.detail.open(MODEL)
        await self.until(lambda: not self.opened.reading)


@pytest.fixture
async def world(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(module, "SETTLE_S", 0.0)
    world = World()
    yield world
    await world.tasks.close()
    assert world.failures == []


async def test_files_come_first_and_offers_one_by_one(world: World) -> None:
    world.discovery.gate.clear()
    world.detail.open(MODEL)
    assert world.shown == [Opened(MODEL)]
    await world.until(lambda: world.opened.items and world.opened.items[0].offer)
    assert [item.quant for item in world.opened.items] == [SMALL, USUAL, HUGE]
    assert [item.offer for item in world.opened.items] == [OFFERS[0], None, None]
    assert world.opened.reading
    assert world.opened.item is None


async def test_the_recommended_one_is_stood_on_and_looked_up(world: World) -> None:
    await world.read()
    assert [item.recommended for item in world.opened.items] == [False, True, False]
    assert world.opened.chosen == 1
    await world.until(lambda: world.item.offer == world.discovery.exact["Q4_K_M"])
    assert world.item.recommended


async def test_a_wanted_one_is_stood_on_at_once(world: World) -> None:
    world.discovery.gate.clear()
    world.detail.open(MODEL, "q8_0")
    await world.until(lambda: world.opened.items)
    assert world.item.quant == HUGE
    world.discovery.gate.set()
    await world.until(lambda: not world.opened.reading)
    assert world.item.quant == HUGE


async def test_an_exact_offer_is_not_read_again(world: World) -> None:
    await world.read()
    world.detail.choose(0)
    world.detail.choose(0)
    world.detail.choose(9)
    await asyncio.sleep(0.01)
    assert world.item.quant == SMALL
    assert "Q2_K" not in world.discovery.asked


async def test_who_passes_a_row_has_nothing_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "SETTLE_S", 0.02)
    await world.read()
    world.detail.choose(2)
    world.detail.choose(0)
    await asyncio.sleep(0.05)
    assert world.discovery.asked == [MODEL.id]


async def test_a_guess_stays_where_its_own_header_cannot_be_had(world: World) -> None:
    failure = HubUnreachable(host="hub", detail="cut").failure()
    world.discovery.exact["Q4_K_M"] = offer(USUAL, Fit.UNUSABLE, failure=failure)
    await world.read()
    await world.until(lambda: "Q4_K_M" in world.discovery.asked)
    await asyncio.sleep(0.01)
    assert world.item.offer == OFFERS[1]
    no_chat = NotAChatModel(path="m").failure()
    world.discovery.exact["Q8_0"] = offer(HUGE, Fit.UNUSABLE, failure=no_chat)
    world.detail.choose(2)
    await world.until(lambda: world.item.offer and world.item.offer.failure == no_chat)


async def test_without_a_header_the_files_are_still_offered(world: World) -> None:
    gated = HubGated(model=MODEL.id, page="p").failure()
    world.discovery.told = [offer(each, Fit.UNUSABLE, failure=gated) for each in (SMALL, USUAL)]
    await world.read()
    assert world.opened.failure == gated
    assert [item.offer for item in world.opened.items] == [None] * 3
    assert world.item.quant == USUAL
    assert not world.item.doubtful


async def test_a_model_that_cannot_be_read_says_so_and_is_tried_again(world: World) -> None:
    error = world.discovery.error = HubForeign(host="hub", detail="a page")
    await world.read()
    assert world.opened == Opened(MODEL, reading=False, failure=error.failure())
    world.discovery.error = None
    world.detail.retry()
    assert world.opened == Opened(MODEL)
    await world.until(lambda: not world.opened.reading)
    assert world.opened.items


async def test_what_nobody_foresaw_ends_the_reading_too(
    world: World, expected_log: Callable[[str], None]
) -> None:
    expected_log("unforeseen")
    world.discovery.error = ValueError("unforeseen")
    await world.read()
    assert world.opened == Opened(MODEL, reading=False)
    assert [failure.code for failure in world.failures] == ["error"]
    world.failures.clear()


async def test_the_button_downloads_and_then_leads_to_the_downloads(world: World) -> None:
    await world.read()
    world.detail.press()
    await world.until(lambda: world.item.download)
    assert world.downloads.asked == [("start", "Q4_K_M")]
    world.detail.press()
    assert world.went == ["downloads"]


async def test_what_is_too_large_is_asked_for_twice(world: World) -> None:
    await world.read()
    world.detail.choose(2)
    world.detail.press()
    assert world.opened.asked
    world.detail.choose(1)
    assert not world.opened.asked
    world.detail.choose(2)
    world.detail.press()
    world.detail.press()
    await world.until(lambda: world.item.download)
    assert world.downloads.asked == [("start", "Q8_0")]
    assert not world.opened.asked


async def test_what_was_stopped_goes_on_also_of_an_older_revision(world: World) -> None:
    older = replace(USUAL, files=(replace(USUAL.files[0], revision="older"),))
    world.downloads.set(download("d", DownloadState.PAUSED, of=older))
    await world.read()
    assert world.item.download
    world.detail.press()
    await world.until(lambda: world.downloads.asked)
    assert world.downloads.asked == [("resume", "d")]


async def test_what_is_here_is_used(world: World) -> None:
    path = Path("/somewhere") / USUAL.files[0].name
    world.models = [ModelRef("llamacpp", path.stem, path, USUAL.size_bytes)]
    await world.read()
    world.detail.press()
    assert world.went == [str(path)]


async def test_what_has_just_come_is_used(world: World) -> None:
    await world.read()
    done = download("d", DownloadState.DONE, of=USUAL)
    world.downloads.set(done)
    world.detail.refresh()
    assert world.item.download is None
    world.detail.press()
    assert world.went == [str(done.target)]


async def test_a_download_that_cannot_start_says_so(world: World) -> None:
    await world.read()
    world.downloads.error = StorageError(path="x", detail="full")
    world.detail.press()
    await world.until(lambda: world.opened.failure)
    assert world.opened.failure == world.downloads.error.failure()


async def test_another_model_ends_the_reading_of_the_first(world: World) -> None:
    world.discovery.gate.clear()
    world.detail.open(MODEL)
    await world.until(lambda: world.opened.items)
    other = replace(MODEL, id="owner/Other")
    world.detail.open(other)
    world.discovery.gate.set()
    await world.until(lambda: not world.opened.reading)
    assert {opened.model for opened in world.shown[-3:] if opened} == {other}
    world.detail.close()
    assert world.shown[-1] is None
    world.detail.press()
    world.detail.choose(1)
    world.detail.retry()
    assert world.shown[-1] is None
