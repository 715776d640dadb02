"""From what was found here to a model that is in use; what was begun outlives the dialog."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from rony_desktop.app.discover import Computer
from rony_desktop.contract.check import ModelCheck, ToolMode
from rony_desktop.contract.download import Download, DownloadState
from rony_desktop.contract.error import EngineStopped, Failure, HubUnreachable, RonyError
from rony_desktop.contract.event import DownloadChanged, FeedEvent
from rony_desktop.contract.hub import CatalogEntry, Quant, Suggestion
from rony_desktop.contract.speed import Tuning, Verdict
from rony_desktop.ui.task import Tasks
from rony_desktop.ui.wizard.presenter import Means, Page, WizardPresenter, WizardState
from tests.fixture.speed import launch
from tests.fixture.wizard import COMPUTER, ENTRY, QUANT, SUGGESTION, download

DEADLINE_S = 5.0
CHECKED = ModelCheck(build="b1", mode=ToolMode.NATIVE)
TUNED = Tuning(Verdict.KEPT, launch(), 0.0, 0.01, ())


class World:
    """Everything the wizard works with; what is asked of it is noted."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.errors: dict[str, RonyError] = {}
        self.all: dict[str, Download] = {}
        self.first = DownloadState.QUEUED
        self.gate = asyncio.Event()
        self.heard: Callable[[FeedEvent], None] = lambda _: None
        self.states: list[WizardState] = []
        self.failures: list[Failure] = []
        self.tasks = Tasks(self.failures.append)
        self.presenter = WizardPresenter(
            Means(self, self, self, self, self.use, self.ready, self.listen), self.tasks
        )

    def listen(self, hear: Callable[[FeedEvent], None]) -> Callable[[], None]:
        self.heard = hear
        return lambda: self.asked.append("ignore")

    def note(self, what: str) -> None:
        self.asked.append(what)
        if error := self.errors.pop(what, None):
            raise error

    async def computer(self) -> Computer:
        self.note("computer")
        return COMPUTER

    async def suggestions(self) -> Suggestion:
        self.note("suggestions")
        return SUGGESTION

    async def suggested(self, entry: CatalogEntry) -> Quant:
        self.note(f"suggested {entry.name}")
        return QUANT

    async def start(self, quant: Quant) -> str:
        self.note("start")
        self.all["1"] = download(self.first)
        return "1"

    async def resume(self, id: str) -> None:
        self.note(f"resume {id}")

    async def cancel(self, id: str) -> None:
        self.note(f"cancel {id}")

    def list(self) -> tuple[Download, ...]:
        return tuple(self.all.values())

    def use(self, name: str) -> None:
        self.note(f"use {name}")

    async def ready(self) -> None:
        self.note("ready")

    async def tune(self, tell: Callable[[int, int, Mapping[str, object]], None]) -> Tuning:
        self.note("tune")
        tell(1, 5, {})
        await self.gate.wait()
        return TUNED

    async def check(self, path: Path, tell: Callable[[int, int], None]) -> ModelCheck:
        self.note(f"check {path.name}")
        tell(1, 20)
        return CHECKED

    def show_state(self, state: WizardState) -> None:
        self.states.append(state)

    @property
    def shown(self) -> WizardState:
        return self.states[-1]

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE_S):
            while not condition():
                await asyncio.sleep(0)

    async def at(self, page: Page) -> None:
        await self.until(lambda: self.shown.page is page and not self.shown.busy)

    async def choosing(self) -> None:
        """Come to the suggestions."""
        self.presenter.attach(self)
        await self.until(lambda: self.shown.suggestion is not None and not self.shown.busy)
        self.presenter.next()

    async def downloading(self) -> None:
        """Come to a download."""
        await self.choosing()
        self.presenter.choose(ENTRY)
        await self.at(Page.DOWNLOAD)

    async def tuning(self) -> None:
        """Come to a model that is in use."""
        await self.downloading()
        self.say(DownloadState.DONE)
        await self.at(Page.TUNE)

    def say(self, state: DownloadState, *, removed: bool = False, id: str = "1") -> None:
        self.heard(DownloadChanged(download(state, 5, id), removed))


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    yield world
    await world.tasks.close()


async def test_the_whole_way(world: World) -> None:
    await world.tuning()
    assert world.asked[-2:] == ["use /models/who/what/what-Q4_K_M.gguf", "ready"]
    world.presenter.next()
    await world.until(lambda: world.shown.runs == (1, 5))
    world.gate.set()
    await world.at(Page.READY)
    assert (world.shown.tuning, world.shown.check) == (TUNED, CHECKED)
    assert world.asked[-1] == "check what-Q4_K_M.gguf"
    assert world.shown.runs == (0, 0)


async def test_a_check_that_fails_is_tried_again_without_another_tuning(world: World) -> None:
    await world.tuning()
    world.gate.set()
    world.errors["check what-Q4_K_M.gguf"] = EngineStopped()
    world.presenter.next()
    await world.until(lambda: world.shown.failure is not None and not world.shown.busy)
    assert (world.shown.page, world.shown.tuning) == (Page.TUNE, TUNED)
    world.presenter.retry()
    await world.at(Page.READY)
    assert world.asked.count("tune") == 1


async def test_a_download_is_followed_and_another_is_not(world: World) -> None:
    await world.downloading()
    world.say(DownloadState.RUNNING, id="other")
    assert world.shown.download == download(DownloadState.QUEUED)
    world.say(DownloadState.RUNNING)
    assert world.shown.download == download(DownloadState.RUNNING, 5)


async def test_a_model_that_is_here_already_is_used_at_once(world: World) -> None:
    world.first = DownloadState.DONE
    await world.choosing()
    world.presenter.choose(ENTRY)
    await world.at(Page.TUNE)


async def test_closed_in_a_download_it_goes_on_and_the_model_is_used(world: World) -> None:
    await world.downloading()
    world.presenter.detach()
    world.say(DownloadState.DONE)
    await world.until(lambda: "ready" in world.asked)
    world.presenter.attach(world)
    await world.at(Page.TUNE)


async def test_closed_while_tuning_the_tuning_ends(world: World) -> None:
    await world.tuning()
    world.presenter.next()
    await world.until(lambda: world.shown.busy)
    world.presenter.detach()
    world.presenter.attach(world)
    await world.until(lambda: world.shown.suggestion is not None and not world.shown.busy)
    assert world.shown.page is Page.COMPUTER


async def test_given_up_it_is_back_at_the_suggestions(world: World) -> None:
    await world.downloading()
    world.presenter.cancel()
    await world.at(Page.CHOOSE)
    assert "cancel 1" in world.asked
    assert world.shown.download is None


async def test_cancelled_elsewhere_it_is_back_at_the_suggestions(world: World) -> None:
    await world.downloading()
    world.say(DownloadState.RUNNING, removed=True)
    assert world.shown.page is Page.CHOOSE


@pytest.mark.parametrize("step", ["computer", "suggestions"])
async def test_what_cannot_be_found_out_is_tried_again(world: World, step: str) -> None:
    world.errors[step] = EngineStopped()
    world.presenter.attach(world)
    await world.until(lambda: world.shown.failure is not None and not world.shown.busy)
    world.presenter.retry()
    await world.until(lambda: world.shown.suggestion is not None and not world.shown.busy)
    assert world.shown.failure is None


async def test_a_hub_that_does_not_answer_is_asked_again(world: World) -> None:
    await world.choosing()
    world.errors["suggested What 3B"] = HubUnreachable(host="hub", detail="cut")
    world.presenter.choose(ENTRY)
    await world.until(lambda: world.shown.failure is not None and not world.shown.busy)
    assert world.shown.page is Page.CHOOSE
    world.presenter.retry()
    await world.at(Page.DOWNLOAD)


async def test_a_failed_download_is_resumed(world: World) -> None:
    await world.downloading()
    failed = replace(
        download(DownloadState.FAILED), failure=HubUnreachable(host="h", detail="d").failure()
    )
    world.heard(DownloadChanged(failed))
    assert world.shown.failure == failed.failure
    world.presenter.retry()
    await world.until(lambda: "resume 1" in world.asked)
    assert world.shown.failure is None


async def test_a_model_that_does_not_start_can_be_tried_again(world: World) -> None:
    await world.downloading()
    world.errors["ready"] = EngineStopped()
    world.say(DownloadState.DONE)
    await world.until(lambda: world.shown.failure is not None and not world.shown.busy)
    world.presenter.retry()
    await world.at(Page.TUNE)


async def test_tuning_can_be_passed_over_or_ended(world: World) -> None:
    await world.tuning()
    world.presenter.next()
    await world.until(lambda: world.shown.busy)
    world.presenter.skip()
    assert world.shown.page is Page.READY
    assert world.shown.tuning is None


async def test_back_and_forth(world: World) -> None:
    await world.choosing()
    world.presenter.back()
    assert world.shown.page is Page.COMPUTER
    world.presenter.next()
    assert world.shown.page is Page.CHOOSE
    assert world.asked == ["computer", "suggestions"]


async def test_what_does_not_belong_to_a_page_does_nothing(world: World) -> None:
    await world.choosing()
    shown = len(world.states)
    world.presenter.cancel()
    world.presenter.skip()
    world.presenter.next()
    assert len(world.states) == shown


async def test_closed_with_the_program_it_listens_no_more(world: World) -> None:
    world.presenter.close()
    assert world.asked == ["ignore"]
