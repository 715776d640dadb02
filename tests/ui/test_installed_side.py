"""A page beside the list: its title, a sentence or rows, progress, and its buttons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.installed.side import SidePage
from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_it_shows_what_it_is_told(theme: Theme, qtbot: QtBot, child: Callable[..., Any]) -> None:
    page = SidePage(theme, "side")
    qtbot.addWidget(page)
    page.resize(500, 300)
    page.show()
    page.set_title("A page")
    assert (page.accessibleName(), page.listing.accessibleName()) == ("A page", "A page")
    qtbot.waitUntil(page.isActiveWindow)
    page.set_nothing("Nothing here.")
    assert child(page, QLabel, "side_nothing").isVisible()
    assert page.back.hasFocus()
    page.set_nothing("")
    assert page.listing.isVisible()
    assert page.listing.hasFocus()
    page.set_progress("Half", moving=True, share=0.5, role="danger")
    said = child(page, QLabel, "side_said")
    assert (said.text(), said.property("role")) == ("Half", "danger")
    assert page.findChild(Meter).isVisible()
    page.set_one("One", enabled=False)
    page.set_every("All", primary=True)
    every = child(page, QPushButton, "side_every")
    assert (page.one.isEnabled(), every.property("look")) == (False, "primary")
    page.set_one("")
    assert not page.one.isVisible()
    more = QPushButton("More", page)
    page.lead_with(more)
    qtbot.waitUntil(lambda: 0 < more.geometry().right() < every.x())
    qtbot.waitUntil(lambda: said.geometry().bottom() < every.y())
    assert said.text() == "Half"
    with qtbot.waitSignal(page.backRequested):
        child(page, QPushButton, "side_back").click()
