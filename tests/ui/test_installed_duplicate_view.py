"""The page of duplicates: how far the search is, what merging frees, and what went wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.contract.adopt import Duplicate
from rony_desktop.contract.error import ModelNotMerged
from rony_desktop.ui.installed.duplicate import DuplicateState
from rony_desktop.ui.installed.duplicate_view import DuplicatePage
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
GIB = 1 << 30
FOUND = tuple(Duplicate(mark, GIB, Path("/k"), (Path(f"/c/{mark}"),)) for mark in "ab")
FAILURE = ModelNotMerged(path="/c/a", detail="it changed").failure()


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> DuplicatePage:
    page = DuplicatePage(theme)
    qtbot.addWidget(page)
    page.resize(500, 300)
    page.show()
    return page


def test_one_or_all_are_merged(page: DuplicatePage, qtbot: QtBot) -> None:
    page.show_duplicates(DuplicateState(FOUND))
    assert page.every.text() == "Merge all, frees 2.0\u2009GB"
    with qtbot.waitSignal(page.mergeRequested) as told:
        page.one.click()
    assert told.args == ["a"]
    page.listing.step(1)
    with qtbot.waitSignal(page.mergeRequested) as told:
        qtbot.keyClick(page.listing, Qt.Key.Key_Return)
    assert told.args == ["b"]
    with qtbot.waitSignal(page.mergeAllRequested):
        page.every.click()
    page.show_duplicates(DuplicateState(FOUND[:1], freed_bytes=GIB))
    assert (page.one.isVisible(), page.every.text()) == (False, "Merge, frees 1.0\u2009GB")


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (DuplicateState(looking=True), "Looking at the sizes"),
        (DuplicateState(looking=True, done=GIB, every=4 * GIB), "1.0\u2009GB of 4.0\u2009GB read"),
        (DuplicateState(looking=True, stopping=True), "Stopping"),
        (DuplicateState(FOUND, merging=FOUND[0]), "Merging"),
        (DuplicateState((), freed_bytes=GIB), "1.0\u2009GB freed"),
        (DuplicateState(FOUND, failure=FAILURE), "/c/a cannot share"),
        (DuplicateState(FOUND), ""),
    ],
)
def test_it_says_how_far_it_is(
    page: DuplicatePage, child: Find, state: DuplicateState, words: str
) -> None:
    page.show_duplicates(state)
    said = child(page, QLabel, "duplicate_said")
    assert said.text().startswith(words)
    assert bool(said.text()) is bool(words)
    assert said.property("role") == ("danger" if state.failure else "quiet")


def test_the_search_is_cancelled_once(page: DuplicatePage, qtbot: QtBot) -> None:
    looking = DuplicateState(looking=True)
    page.show_duplicates(looking)
    with qtbot.waitSignal(page.cancelRequested):
        page.every.click()
    page.show_duplicates(replace(looking, stopping=True))
    assert not page.every.isEnabled()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (DuplicateState(), "The search was stopped"),
        (DuplicateState(()), "Nothing is here twice"),
        (DuplicateState(looking=True), "Files of one size"),
        (DuplicateState(failure=FAILURE), "/c/a cannot share"),
    ],
)
def test_without_rows_it_says_why(
    page: DuplicatePage, child: Find, qtbot: QtBot, state: DuplicateState, words: str
) -> None:
    page.show_duplicates(state)
    assert child(page, QLabel, "duplicate_nothing").text().startswith(words)
    with qtbot.waitSignal(page.cancelRequested if state.busy else page.lookRequested):
        page.every.click()
