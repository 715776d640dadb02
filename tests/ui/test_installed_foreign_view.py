"""The page of other programs' models: Link for one, Link all for the rest, Cancel meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.contract.adopt import Found, Program
from rony_desktop.contract.error import ModelCut, StorageError
from rony_desktop.ui.installed.foreign import ForeignState
from rony_desktop.ui.installed.foreign_view import ForeignPage
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
FOUND = tuple(Found(Program.OLLAMA, name, Path(f"/o/{name}"), 7) for name in ("a", "b"))
STATE = ForeignState(FOUND)


@pytest.fixture
def page(theme: Theme, qtbot: QtBot) -> ForeignPage:
    page = ForeignPage(theme)
    qtbot.addWidget(page)
    page.resize(500, 300)
    page.show()
    return page


def test_one_or_all_are_linked(page: ForeignPage, qtbot: QtBot) -> None:
    page.show_foreign(STATE)
    page.listing.step(1)
    with qtbot.waitSignal(page.linkRequested) as told:
        page.one.click()
    assert told.args == ["/o/b"]
    with qtbot.waitSignal(page.linkRequested) as told:
        qtbot.keyClick(page.listing, Qt.Key.Key_Return)
    assert told.args == ["/o/b"]
    with qtbot.waitSignal(page.linkAllRequested):
        page.every.click()


def test_what_is_linked_is_not_linked_again(page: ForeignPage, child: Find) -> None:
    linked = replace(STATE, linked=frozenset({Path("/o/a")}))
    page.show_foreign(linked)
    assert not page.one.isEnabled()
    page.listing.step(1)
    assert page.one.isEnabled()
    page.show_foreign(replace(STATE, linked=frozenset(f.path for f in FOUND)))
    assert (page.one.isVisible(), page.every.isVisible()) == (False, False)
    assert child(page, QLabel, "foreign_said").text() == "Linked: 2"


def test_linking_is_cancelled(page: ForeignPage, child: Find, qtbot: QtBot) -> None:
    page.show_foreign(replace(STATE, linking=FOUND[0]))
    assert (page.one.isEnabled(), page.every.text()) == (False, "Cancel")
    assert child(page, QLabel, "foreign_said").text() == "Linking, 0 done"
    with qtbot.waitSignal(page.cancelRequested):
        page.every.click()


def test_failures_are_counted(page: ForeignPage, child: Find) -> None:
    failure = ModelCut(path="a", detail="d").failure()
    page.show_foreign(replace(STATE, failures={FOUND[0].path: failure}))
    assert child(page, QLabel, "foreign_said").text() == "Linked: 0, not linked: 1"


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (ForeignState(looking=True), "Looking"),
        (ForeignState(()), "No other program"),
        (ForeignState(failure=StorageError(path="/x", detail="d").failure()), "/x could not"),
    ],
)
def test_without_rows_it_says_why(
    page: ForeignPage, child: Find, qtbot: QtBot, state: ForeignState, words: str
) -> None:
    page.show_foreign(state)
    assert child(page, QLabel, "foreign_nothing").text().startswith(words)
    asked = page.cancelRequested if state.looking else page.lookRequested
    with qtbot.waitSignal(asked):
        page.every.click()
