"""The list of chats stays true, and what is deleted may come back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from rony_desktop.contract.error import DiskFull
from rony_desktop.contract.event import SessionChanged
from rony_desktop.contract.message import Role
from rony_desktop.contract.session import EntryKind, NewEntry, SessionSummary
from rony_desktop.ui.history.presenter import HistoryPresenter


class FakeHistoryView:
    def __init__(self) -> None:
        self.shown: list[list[str]] = []
        self.offers: list[tuple[str, str]] = []

    def show_chats(self, chats: Sequence[SessionSummary]) -> None:
        self.shown.append([chat.title for chat in chats])

    def offer_restore(self, session: str, title: str) -> None:
        self.offers.append((session, title))


class List:
    """A presenter over chats that are there."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.view = FakeHistoryView()
        self.presenter = HistoryPresenter(world.chat, world.feed, world.tasks, self.view)

    async def chat(self, id: str, text: str) -> None:
        body = {"role": Role.USER, "content": text}
        await self.world.store.append(
            id, [NewEntry(EntryKind.MESSAGE, body, None, f"{id}-q")], durable=True
        )

    async def shows(self, *titles: str) -> None:
        await self.world.until(lambda: self.view.shown and self.view.shown[-1] == list(titles))


@pytest.fixture
async def chats(world: Any) -> List:
    chats = List(world)
    await chats.chat("1", "About bridges")
    await chats.chat("2", "About domes")
    return chats


async def test_the_newest_comes_first(chats: List) -> None:
    chats.presenter.refresh()
    await chats.shows("About domes", "About bridges")


async def test_a_change_refreshes_the_list(chats: List, world: Any) -> None:
    await world.chat.rename("1", "Bridges")
    await chats.shows("About domes", "Bridges")


async def test_many_changes_are_read_at_most_twice(chats: List, world: Any) -> None:
    for _ in range(50):
        world.feed.publish(SessionChanged("1"))
    await chats.shows("About domes", "About bridges")
    await asyncio.sleep(0)
    assert len(chats.view.shown) <= 2


async def test_a_change_while_the_list_is_read_is_not_missed(
    chats: List, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, gate = asyncio.Event(), asyncio.Event()
    lister = world.store.list

    async def slow() -> Any:
        found = await lister()
        reading.set()
        await gate.wait()
        return found

    monkeypatch.setattr(world.store, "list", slow)
    chats.presenter.refresh()
    await reading.wait()
    await chats.chat("3", "About arches")
    world.feed.publish(SessionChanged("3"))
    gate.set()
    await chats.shows("About arches", "About domes", "About bridges")


async def test_search_shows_only_what_is_found_until_it_is_emptied(chats: List, world: Any) -> None:
    chats.presenter.search("bridges")
    await chats.shows("About bridges")
    world.feed.publish(SessionChanged("2"))
    await asyncio.sleep(0.02)
    assert chats.view.shown[-1] == ["About bridges"]
    chats.presenter.search(" ")
    await chats.shows("About domes", "About bridges")


async def test_a_title_of_nothing_changes_nothing(chats: List, world: Any) -> None:
    before = len(world.store.entries["1"])
    await chats.presenter.rename("1", "  ")
    assert len(world.store.entries["1"]) == before
    await chats.presenter.rename("1", " New ")
    await chats.shows("About domes", "New")


async def test_a_new_chat_gets_its_title_with_its_first_message(chats: List) -> None:
    await chats.presenter.rename("3", "Mine")
    await chats.chat("3", "About arches")
    chats.world.feed.publish(SessionChanged("3"))
    await chats.shows("Mine", "About domes", "About bridges")


async def test_a_deleted_chat_is_offered_back_by_its_title(chats: List) -> None:
    chats.presenter.refresh()
    await chats.shows("About domes", "About bridges")
    await chats.presenter.delete("2")
    await chats.shows("About bridges")
    assert chats.view.offers == [("2", "About domes")]
    await chats.presenter.restore("2")
    await chats.shows("About domes", "About bridges")


async def test_what_could_not_be_deleted_is_not_offered(
    chats: List, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(id: str) -> None:
        raise DiskFull(path=id)

    monkeypatch.setattr(world.store, "delete", refuse)
    with pytest.raises(DiskFull):
        await chats.presenter.delete("2")
    assert chats.view.offers == []


async def test_a_list_that_cannot_be_read_is_said_and_read_again_later(
    chats: List, world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse() -> Any:
        raise DiskFull(path="index")

    with monkeypatch.context() as patched:
        patched.setattr(world.store, "list", refuse)
        chats.presenter.refresh()
        await world.until(lambda: world.failures)
    assert [failure.code for failure in world.failures] == ["storage.full"]
    chats.presenter.refresh()
    await chats.shows("About domes", "About bridges")


async def test_after_its_end_nothing_is_heard(chats: List, world: Any) -> None:
    chats.presenter.close()
    world.feed.publish(SessionChanged("1"))
    await asyncio.sleep(0.01)
    assert chats.view.shown == []
