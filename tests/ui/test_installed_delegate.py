"""Everything a row can say is painted, and the focus is seen."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.installed.delegate import HEADING, ROW
from rony_desktop.ui.installed.listing import Listing
from rony_desktop.ui.installed.row import Row
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_no_two_rows_look_alike(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    listing = Listing(theme, "rows", "Rows", window)
    listing.resize(400, 60)
    window.resize(400, 60)
    window.show()
    rows = (
        Row("1", "name", "detail"),
        Row("1", "name", "detail", ticked=True),
        Row("1", "name", "detail", muted=True),
        Row("1", "name", "detail", ("check", "ok", "Fits")),
        Row("1", "name", "detail", ("", "text2", "Fits")),
        Row("1", "a longer name" * 20, "detail", ("", "text2", "Fits")),
        Row("", "heading"),
    )
    pictures = []
    for row in rows:
        listing.show_rows((row,))
        listing.clearSelection()
        pictures.append(listing.grab().toImage())
    listing.show_rows(rows[:1])
    pictures.append(listing.grab().toImage())
    listing.show_rows(rows[:1], indent=False)
    pictures.append(listing.grab().toImage())
    assert all(a != b for n, a in enumerate(pictures) for b in pictures[n + 1 :])


def test_headings_are_lower_than_rows(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    listing = Listing(theme, "rows", "Rows", window)
    listing.show_rows((Row("", "heading"), Row("1", "name")))
    heights = [listing.visualRect(listing.rows.index(n)).height() for n in range(2)]
    assert heights == [HEADING, ROW]


def test_the_focus_is_seen(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    listing = Listing(theme, "rows", "Rows", window)
    listing.resize(400, 60)
    window.resize(400, 60)
    listing.show_rows((Row("1", "name"),))
    window.show()
    qtbot.waitUntil(window.isActiveWindow)
    window.setFocus()
    before = listing.grab().toImage()
    listing.setFocus()
    assert listing.grab().toImage() != before
