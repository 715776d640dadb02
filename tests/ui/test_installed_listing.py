"""Keys of a list of models: arrows pass headings over, Enter takes, Delete deletes."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from rony_desktop.ui.installed.listing import Listing
from rony_desktop.ui.installed.row import Row
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
ROWS = (Row("", "~/a"), Row("1", "one"), Row("2", "two"), Row("", "~/b"), Row("3", "three"))


@pytest.fixture
def listing(theme: Theme, qtbot: QtBot) -> Listing:
    listing = Listing(theme, "rows", "Rows")
    qtbot.addWidget(listing)
    listing.resize(300, 300)
    listing.show_rows(ROWS)
    listing.show()
    return listing


@pytest.fixture(autouse=True)
def heard(listing: Listing) -> dict[str, list[str]]:
    heard: dict[str, list[str]] = {"moved": [], "taken": [], "deleted": [], "typed": []}
    for name, found in heard.items():
        getattr(listing, name).connect(found.append)
    return heard


def test_the_first_row_is_chosen_and_the_chosen_one_stays(listing: Listing) -> None:
    assert listing.key() == "1"
    listing.show_rows(ROWS, "3")
    listing.show_rows(ROWS[1:])
    assert listing.key() == "3"
    listing.show_rows(ROWS[:3])
    assert listing.key() == "1"


def test_steps_pass_headings_over_and_end_at_the_ends(listing: Listing) -> None:
    keys = []
    for steps in (2, 1, -1, -9, 9):
        listing.step(steps)
        keys.append(listing.key())
    assert keys == ["3", "3", "2", "1", "3"]


def test_keys_do_what_they_say(listing: Listing, heard: dict[str, list[str]], qtbot: QtBot) -> None:
    qtbot.keyClick(listing, Qt.Key.Key_Down)
    qtbot.keyClick(listing, Qt.Key.Key_Return)
    qtbot.keyClick(listing, Qt.Key.Key_Delete)
    qtbot.keyClick(listing, Qt.Key.Key_Q)
    assert heard == {"moved": ["2"], "taken": ["2"], "deleted": ["2"], "typed": ["q"]}


def test_a_double_press_takes(listing: Listing, heard: dict[str, list[str]], qtbot: QtBot) -> None:
    place = listing.visualRect(listing.rows.index(2)).center()
    qtbot.mouseClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=place)
    heading = listing.visualRect(listing.rows.index(0)).center()
    qtbot.mouseDClick(listing.viewport(), Qt.MouseButton.LeftButton, pos=heading)
    assert heard["taken"] == ["2"]


def test_with_nothing_left_nothing_is_told(
    listing: Listing, heard: dict[str, list[str]], qtbot: QtBot
) -> None:
    listing.filter("nothing")
    assert (listing.key(), heard["moved"][-1]) == ("", "")
    qtbot.keyClick(listing, Qt.Key.Key_Return)
    assert heard["taken"] == []
    listing.filter("")
    assert listing.key() == "1"
