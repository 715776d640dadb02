"""A search at a time, suggestions without one, and what outlives the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import Failure, HubOffline
from rony_desktop.contract.hub import Candidate, CatalogEntry, HubModel, Suggestion
from rony_desktop.ui.discover.presenter import DiscoverPresenter
from rony_desktop.ui.discover.state import Found, Opened
from rony_desktop.ui.leads import Leads
from rony_desktop.ui.task import Tasks
from tests.fake.discovery import FakeDiscovery
from tests.fake.download import FakeDownloads
from tests.fixture.download import MODEL, download, offer, quant

DEADLINE_S = 5.0
USUAL = quant("Q4_K_M")
ENTRY = CatalogEntry(
    model=MODEL.id,
    name="Model",
    quant="Q4_K_M",
    parameters_b=1,
    licence="mit",
    about="",
    languages=(),
)
SUGGESTION = Suggestion(None, Candidate(ENTRY, fits=True), None)


class World:
    """A hub, and the view of it."""

    def __init__(self) -> None:
        self.discovery = FakeDiscovery(
            models=(MODEL,), found=(USUAL,), told=(offer(USUAL),), suggestion=SUGGESTION
        )
        self.discovery.gate.set()
        self.downloads = FakeDownloads()
        self.failures = list[Failure]()
        self.tasks = Tasks(self.failures.append)
        self.founds = list[Found]()
        self.opened = list[Opened | None]()
        self.presenter = DiscoverPresenter(
            self.discovery,
            self.downloads,
            lambda: (),
            self.tasks,
            Leads(print, print, print, print),
        )

    def show_found(self, found: Found) -> None:
        self.founds.append(found)

    def show_opened(self, opened: Opened | None) -> None:
        self.opened.append(opened)

    @property
    def found(self) -> Found:
        return self.founds[-1]

    def attach(self) -> None:
        self.presenter.attach(self, self.downloads.feed)
        self.presenter.watch(watched=True)

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0.001)

    async def search(self, query: str) -> None:
        self.presenter.search(query)
        await self.until(lambda: not self.found.searching)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    world.attach()
    yield world
    world.presenter.detach()
    await world.tasks.close()
    assert world.failures == []


async def test_suggestions_come_without_a_search(world: World) -> None:
    assert world.founds[0] == Found()
    await world.until(lambda: world.found.suggestion)
    assert world.found == Found(suggestion=SUGGESTION)
    assert world.discovery.asked == ["suggestions"]


async def test_suggestions_are_made_only_where_somebody_looks_and_end_with_the_page() -> None:
    world = World()
    world.discovery.held = True
    world.presenter.attach(world, world.downloads.feed)
    assert world.discovery.asked == []
    world.presenter.watch(watched=True)
    world.presenter.watch(watched=True)
    await world.until(lambda: world.discovery.asked == ["suggestions"])
    world.presenter.detach()
    await world.until(lambda: world.discovery.ended == ["suggestions"])
    world.discovery.held = False
    world.attach()
    await world.until(lambda: world.found.suggestion)
    await world.tasks.close()


async def test_a_new_search_ends_the_one_before(world: World) -> None:
    world.discovery.gate.clear()
    world.presenter.search("one")
    await world.until(lambda: "one" in world.discovery.asked)
    assert world.found.searching
    world.presenter.search(" two ")
    await world.until(lambda: "one" in world.discovery.ended)
    world.discovery.gate.set()
    await world.until(lambda: not world.found.searching)
    assert world.found.query == "two"
    assert world.found.models == (MODEL,)


async def test_the_same_is_not_searched_twice_and_nothing_shows_suggestions(world: World) -> None:
    await world.search("one")
    await world.search("one ")
    assert world.discovery.asked.count("one") == 1
    world.presenter.search(" ")
    assert (world.found.query, world.found.models) == ("", None)
    assert world.discovery.asked.count("one") == 1


async def test_a_search_that_fails_says_so_and_is_tried_again(world: World) -> None:
    error = world.discovery.error = HubOffline(host="hub")
    await world.search("one")
    assert world.found.failure == error.failure()
    assert world.found.models is None
    world.discovery.error = None
    world.presenter.retry()
    await world.until(lambda: world.found.models)
    assert world.found.failure is None


async def test_what_nobody_foresaw_ends_a_search_too(
    world: World, expected_log: Callable[[str], None]
) -> None:
    expected_log("unforeseen")
    world.discovery.error = ValueError("unforeseen")
    await world.search("one")
    assert world.found.models is None
    assert [failure.code for failure in world.failures] == ["error"]
    world.failures.clear()


async def test_a_model_is_opened_from_its_row_and_a_search_closes_it(world: World) -> None:
    await world.search("one")
    world.presenter.open(5)
    assert world.presenter.detail.opened is None
    world.presenter.open(0)
    assert world.opened[-1] == Opened(MODEL)
    await world.search("two")
    assert world.opened[-1] is None


async def test_a_suggestion_is_opened_at_its_quant(world: World) -> None:
    world.discovery.found = (quant("Q2_K"), USUAL)
    world.presenter.suggested(ENTRY)
    await world.until(lambda: world.opened[-1] and world.opened[-1].item)
    opened = world.opened[-1]
    assert opened
    assert opened.item
    assert opened.item.quant == USUAL
    assert opened.model == HubModel(MODEL.id, 0, gated=False, licence="mit")


async def test_retry_reads_a_model_again_before_it_searches(world: World) -> None:
    await world.search("one")
    world.discovery.error = HubOffline(host="hub")
    world.presenter.open(0)
    await world.until(lambda: world.opened[-1] and world.opened[-1].failure)
    world.discovery.error = None
    world.presenter.retry()
    await world.until(lambda: world.opened[-1] and world.opened[-1].items)
    assert world.discovery.asked.count("one") == 1


async def test_progress_reaches_the_model_that_is_shown_and_only_it(world: World) -> None:
    await world.search("one")
    world.presenter.open(0)
    await world.until(lambda: world.opened[-1] and not world.opened[-1].reading)
    world.downloads.set(download("d", DownloadState.RUNNING, 1, of=USUAL))
    await world.until(lambda: world.opened[-1] and world.opened[-1].items[0].download)
    world.presenter.watch(watched=False)
    shown = len(world.opened)
    world.downloads.set(download("d", DownloadState.RUNNING, 2, of=USUAL))
    await asyncio.sleep(0.3)
    assert len(world.opened) == shown
    world.presenter.watch(watched=True)
    opened = world.opened[-1]
    assert opened
    assert opened.items[0].download == world.downloads.all["d"]


async def test_what_was_found_is_there_for_the_next_page(world: World) -> None:
    await world.search("one")
    world.presenter.open(0)
    await world.until(lambda: world.opened[-1] and not world.opened[-1].reading)
    opened, shown = world.opened[-1], len(world.founds)
    world.presenter.detach()
    world.presenter.search("two")
    await world.until(lambda: world.discovery.asked[-1] == "two")
    assert len(world.founds) == shown
    assert world.opened[-1] == opened
    world.attach()
    await world.until(lambda: world.found.query == "two" and world.found.models)
