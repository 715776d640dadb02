"""Chats by date, with the shown one marked."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from PySide6.QtWidgets import QListView
from pytestqt.qtbot import QtBot

from rony_desktop.contract.session import SessionSummary
from rony_desktop.ui.history.view import HistoryList
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


def chat(id: str, title: str = "", days: float = 0, **more: Any) -> SessionSummary:
    """A chat that changed some days ago, counted from noon so that no midnight lies between."""
    noon = datetime.now().astimezone().replace(hour=12, minute=0)
    time = (noon - timedelta(days=days)).astimezone(UTC).isoformat()
    return SessionSummary(id, title, time, time, **more)


@pytest.fixture
def chats(theme: Theme, qtbot: QtBot) -> HistoryList:
    chats = HistoryList(theme)
    qtbot.addWidget(chats)
    chats.resize(260, 600)
    chats.show()
    return chats


def rows(chats: HistoryList, child: Find) -> list[str]:
    model = child(chats, QListView, "chat_list").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def current(chats: HistoryList, child: Find) -> str | None:
    index = child(chats, QListView, "chat_list").currentIndex()
    return index.data() if index.isValid() else None


def test_chats_stand_under_their_date(chats: HistoryList, child: Find) -> None:
    chats.show_chats(
        [
            chat("1", "Kept", 40, pinned=True),
            chat("2", "Now"),
            chat("3", "Also now"),
            chat("4", "A day ago", 1),
            chat("5", "Two days ago", 2),
            chat("6", "Six days ago", 6),
            chat("7", "Seven days ago", 7),
            chat("8", "Long ago", 400),
        ]
    )
    assert rows(chats, child) == [
        *("Pinned", "Kept"),
        *("Today", "Now", "Also now"),
        *("Yesterday", "A day ago"),
        *("Previous 7 days", "Two days ago", "Six days ago"),
        *("Older", "Seven days ago", "Long ago"),
    ]


def test_a_clock_that_went_back_makes_no_future(chats: HistoryList, child: Find) -> None:
    chats.show_chats([chat("1", "From tomorrow", -1)])
    assert rows(chats, child) == ["Today", "From tomorrow"]


@pytest.mark.parametrize("time", ["yesterday", "", "0001-01-01T00:00:00+14:00"])
def test_a_chat_of_no_readable_date_hides_no_other(
    chats: HistoryList, child: Find, time: str
) -> None:
    chats.show_chats([chat("1", "Now"), SessionSummary("2", "Whenever", time, time)])
    assert rows(chats, child) == ["Today", "Now", "Older", "Whenever"]


def test_a_chat_without_a_title_has_a_name(chats: HistoryList, child: Find) -> None:
    chats.show_chats([chat("1"), chat("2", marks={"unreadable": "session.foreign"})])
    assert rows(chats, child) == ["Today", "New chat", "Unreadable chat"]


def test_the_shown_chat_stays_marked_whatever_is_listed(chats: HistoryList, child: Find) -> None:
    chats.show_chats([chat("1", "One"), chat("2", "Two")])
    chats.set_current("2")
    chats.show_chats([chat("3", "Three"), chat("2", "Two"), chat("1", "One")])
    assert current(chats, child) == "Two"
    chats.show_chats([chat("1", "One")])
    assert current(chats, child) is None
    chats.show_chats([chat("1", "One"), chat("2", "Two")])
    assert current(chats, child) == "Two"


def test_a_new_chat_is_marked_once_it_is_listed(chats: HistoryList, child: Find) -> None:
    chats.show_chats([chat("1", "One")])
    chats.set_current("new")
    assert current(chats, child) is None
    chats.show_chats([chat("new", "Mine"), chat("1", "One")])
    assert current(chats, child) == "Mine"


def test_the_title_of_the_shown_chat_is_told(chats: HistoryList, qtbot: QtBot) -> None:
    chats.set_current("2")
    with qtbot.waitSignal(chats.titled) as caught:
        chats.show_chats([chat("1", "One"), chat("2", "Two")])
    assert caught.args == ["Two"]
    with qtbot.assertNotEmitted(chats.titled):
        chats.show_chats([chat("1", "One")])


def test_a_deleted_chat_is_offered_back(chats: HistoryList, qtbot: QtBot) -> None:
    with qtbot.waitSignal(chats.deleted) as caught:
        chats.offer_restore("1", "One")
    assert caught.args == ["1", "One"]
