"""The page of newer revisions: it says whom it asks, updates one or all, and leads to downloads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.contract.download import DownloadState
from rony_desktop.contract.error import HubOffline, HubWithheld
from rony_desktop.contract.hub import HubFile, Quant
from rony_desktop.contract.revision import Revision
from rony_desktop.ui.installed.revision import RevisionState
from rony_desktop.ui.installed.revision_view import RevisionPage
from rony_desktop.ui.theme import Theme
from tests.fixture.download import download

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
GIB = 1 << 30


def revision(name: str) -> Revision:
    had, offered = (
        Quant(name, (HubFile("who/what", f"{name}.gguf", GIB, sha * 64, sha * 40),))
        for sha in ("a", "b")
    )
    return Revision(Path(f"/models/{name}.gguf"), had, offered)


ONE, TWO = revision("one"), revision("two")
STATE = RevisionState(2, (ONE, TWO), whole=True)
ASKED = {"Find a model": "discoverRequested", "Cancel": "cancelRequested"}
COMING = {ONE.path: download("1", DownloadState.RUNNING, of=ONE.offered)}


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> RevisionPage:
    page = RevisionPage(theme)
    qtbot.addWidget(page)
    page.resize(500, 300)
    page.show()
    qtbot.waitUntil(page.isActiveWindow)
    return page


@pytest.mark.parametrize(
    ("state", "words", "button"),
    [
        (RevisionState(), "", ""),
        (RevisionState(0), "Nothing was downloaded yet", "Find a model"),
        (RevisionState(1), "Asks the hub about one model you", "Ask the hub"),
        (RevisionState(3), "Asks the hub about 3 models you", "Ask the hub"),
        (RevisionState(3, asking=True), "The hub is asked", "Cancel"),
        (RevisionState(1, (), whole=True), "The model you", "Ask again"),
        (RevisionState(3, (), whole=True), "All 3 models", "Ask again"),
        (
            RevisionState(3, failure=HubOffline(host="hub.test").failure()),
            "Offline mode is on: hub.test was not contacted. Switch",
            "Try again",
        ),
    ],
)
def test_without_rows_it_says_why_and_what_to_do(
    page: RevisionPage,
    child: Find,
    qtbot: QtBot,
    state: RevisionState,
    words: str,
    button: str,
) -> None:
    page.show_revisions(state)
    assert child(page, QLabel, "revision_nothing").text().startswith(words)
    assert (page.every.text(), page.every.isVisible()) == (button, bool(button))
    assert not page.one.isVisible()
    assert not page.again.isVisible()
    if button:
        with qtbot.waitSignal(getattr(page, ASKED.get(button, "askRequested"))):
            page.every.click()


def test_enter_asks_once_it_is_known_whom(page: RevisionPage, qtbot: QtBot) -> None:
    page.take_focus()
    assert not page.every.hasFocus()
    page.show_revisions(RevisionState(3))
    assert page.every.hasFocus()
    page.show_revisions(STATE)
    assert page.listing.hasFocus()


def test_one_or_all_are_updated(page: RevisionPage, qtbot: QtBot) -> None:
    page.show_revisions(STATE)
    page.listing.step(1)
    with qtbot.waitSignal(page.updateRequested) as told:
        page.one.click()
    assert told.args == [str(TWO.path)]
    with qtbot.waitSignal(page.updateRequested) as told:
        qtbot.keyClick(page.listing, Qt.Key.Key_Return)
    assert told.args == [str(TWO.path)]
    assert page.every.text() == "Update all, 2.0\u2009GB"
    with qtbot.waitSignal(page.updateAllRequested):
        page.every.click()
    with qtbot.waitSignal(page.askRequested):
        page.again.click()


def test_what_is_on_its_way_leads_to_the_downloads(page: RevisionPage, qtbot: QtBot) -> None:
    page.show_revisions(replace(STATE, downloads=COMING))
    assert page.one.text() == "Show downloads"
    with qtbot.waitSignal(page.downloadsRequested):
        qtbot.keyClick(page.listing, Qt.Key.Key_Return)
    page.listing.step(1)
    assert (page.one.text(), page.every.text()) == ("Update", "Update all, 1.0\u2009GB")


def test_one_button_leads_to_the_downloads_where_all_is_on_its_way(page: RevisionPage) -> None:
    coming = {
        each.path: download("1", DownloadState.QUEUED, of=each.offered) for each in (ONE, TWO)
    }
    page.show_revisions(replace(STATE, downloads=coming))
    assert (page.one.isVisible(), page.every.text()) == (False, "Show downloads")


def test_a_single_one_has_a_single_button(page: RevisionPage, qtbot: QtBot) -> None:
    state = RevisionState(1, (ONE,), whole=True)
    page.show_revisions(state)
    assert (page.one.isVisible(), page.every.text()) == (False, "Update, 1.0\u2009GB")
    page.show_revisions(replace(state, downloads=COMING))
    assert (page.every.text(), page.again.isVisible()) == ("Show downloads", False)
    with qtbot.waitSignal(page.downloadsRequested):
        page.every.click()
    done = {ONE.path: download("1", DownloadState.DONE, of=ONE.offered)}
    page.show_revisions(replace(state, downloads=done))
    assert page.every.text() == "Ask again"


def test_what_is_updated_is_not_updated_again(page: RevisionPage) -> None:
    done = {ONE.path: download("1", DownloadState.DONE, of=ONE.offered)}
    page.show_revisions(replace(STATE, downloads=done))
    assert (page.one.text(), page.one.isEnabled()) == ("Update", False)


def test_below_the_rows_it_says_how_far_it_is_or_what_is_missing(
    page: RevisionPage, child: Find, qtbot: QtBot
) -> None:
    said = child(page, QLabel, "revision_said")
    page.show_revisions(replace(STATE, asking=True, whole=False, done=1, every=4))
    assert (said.text(), page.every.text()) == ("1 of 4 asked", "Cancel")
    page.show_revisions(replace(STATE, whole=False))
    assert said.text() == "Stopped: not every model was asked about"
    failure = HubWithheld(models="who/else").failure()
    page.show_revisions(replace(STATE, whole=False, failure=failure))
    assert said.text().startswith("The hub does not tell what it has of who/else.")
    assert (said.property("role"), page.again.isVisible()) == ("danger", True)
    qtbot.waitUntil(lambda: said.height() >= said.heightForWidth(said.width()))
    page.show_revisions(STATE)
    assert said.text() == ""
