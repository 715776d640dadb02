"""The page of models to download: searching, suggestions, one or two sides, and its keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import HubOffline, HubUnreachable
from rony_desktop.contract.hub import Candidate, CatalogEntry, Suggestion
from rony_desktop.ui.discover.list import LineList
from rony_desktop.ui.discover.opened import OpenedPane
from rony_desktop.ui.discover.state import Found, Item, Opened
from rony_desktop.ui.discover.view import DiscoverPane
from rony_desktop.ui.field import Field
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.wizard.card import SuggestionCard
from tests.fixture.download import MODEL, quant

pytestmark = [pytest.mark.ui, pytest.mark.qt_log_ignore("does not support", extend=True)]
Find = Callable[..., Any]
ENTRY = CatalogEntry(
    model="a/b",
    name="Small one",
    quant="Q4_K_M",
    parameters_b=1,
    licence="mit",
    about="For texts.",
    languages=("en",),
)
SUGGESTED = Found(suggestion=Suggestion(Candidate(ENTRY, fits=True), None, None))
MODELS = (MODEL, replace(MODEL, id="owner/Other-GGUF"))
FOUND = replace(SUGGESTED, query="model", models=MODELS)
OPENED = Opened(MODEL, reading=False, items=(Item(quant("Q4_K_M")),), chosen=0)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> DiscoverPane:
    pane = DiscoverPane(theme)
    qtbot.addWidget(pane)
    pane.resize(900, 620)
    pane.show()
    pane.activateWindow()
    qtbot.waitUntil(pane.isActiveWindow)
    pane.setFocus()
    return pane


@pytest.fixture
def field(pane: DiscoverPane, child: Find) -> Field:
    found = child(pane, Field, "discover_field")
    assert isinstance(found, Field)
    return found


def test_the_field_gets_the_keys(field: Field) -> None:
    assert field.hasFocus()


def test_enter_searches_at_once_and_typing_a_moment_later(
    pane: DiscoverPane, field: Field, qtbot: QtBot
) -> None:
    asked = list[str]()
    pane.searchRequested.connect(asked.append)
    qtbot.keyClicks(field, "qw")
    assert asked == []
    qtbot.waitUntil(lambda: asked == ["qw"])
    qtbot.keyClicks(field, "en")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert asked == ["qw", "qwen"]
    qtbot.wait(450)
    assert asked == ["qw", "qwen"]


def test_esc_empties_the_field_and_then_closes(
    pane: DiscoverPane, field: Field, qtbot: QtBot
) -> None:
    qtbot.keyClicks(field, "qw")
    with qtbot.waitSignal(pane.searchRequested) as asked:
        qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert asked.args == [""]
    assert pane.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert not pane.isVisible()


def test_what_is_typed_is_not_taken_back(pane: DiscoverPane, field: Field, qtbot: QtBot) -> None:
    qtbot.keyClicks(field, "qw")
    pane.show_found(SUGGESTED)
    assert field.text() == "qw"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    pane.show_found(FOUND)
    assert field.text() == "model"


@pytest.mark.parametrize(
    ("found", "heading", "cards"),
    [
        (Found(), "Looking at this computer", 0),
        (SUGGESTED, "Suggested for this computer", 1),
        (Found(suggestion=Suggestion(None, None, None)), "No suggestion", 0),
        (replace(SUGGESTED, query="x", models=()), "Suggested for this computer", 1),
    ],
)
def test_without_results_there_are_suggestions(
    pane: DiscoverPane, child: Find, found: Found, heading: str, cards: int
) -> None:
    pane.show_found(found)
    assert child(pane, QLabel, "discover_heading").text() == heading
    assert child(pane, QLabel, "discover_heading").isVisible()
    shown = [card for card in pane.findChildren(SuggestionCard) if card.isVisible()]
    assert len(shown) == cards
    assert not child(pane, LineList, "discover_results").isVisible()


def test_results_stand_where_the_suggestions_were(
    pane: DiscoverPane, child: Find, qtbot: QtBot, field: Field
) -> None:
    pane.show_found(FOUND)
    results = child(pane, LineList, "discover_results")
    assert results.isVisible()
    qtbot.keyClick(field, Qt.Key.Key_Down)
    assert results.hasFocus()
    qtbot.keyClick(results, Qt.Key.Key_Down)
    with qtbot.waitSignal(pane.openRequested) as asked:
        qtbot.keyClick(results, Qt.Key.Key_Return)
    assert asked.args == [1]


def test_a_suggestion_is_opened_by_its_entry(
    pane: DiscoverPane, child: Find, qtbot: QtBot, field: Field
) -> None:
    pane.show_found(SUGGESTED)
    qtbot.keyClick(field, Qt.Key.Key_Down)
    button = child(pane, QPushButton, "suggestion_small_get")
    assert button.hasFocus()
    with qtbot.waitSignal(pane.suggestionRequested) as asked:
        qtbot.keyClick(button, Qt.Key.Key_Return)
    assert asked.args == [ENTRY]
    pane.show_opened(replace(OPENED, model=replace(MODEL, id=ENTRY.model)))
    assert button.parentWidget().property("chosen") == "true"
    pane.show_opened(None)
    assert button.parentWidget().property("chosen") == "false"


def test_while_it_searches_something_moves(pane: DiscoverPane) -> None:
    pane.show_found(replace(SUGGESTED, query="x", searching=True))
    assert pane._meter.moving()
    pane.show_found(FOUND)
    assert not pane._meter.isVisible()


def test_an_error_has_its_button_and_stays_dismissed(
    pane: DiscoverPane, child: Find, qtbot: QtBot
) -> None:
    failed = replace(SUGGESTED, query="x", failure=HubUnreachable(host="h", detail="d").failure())
    pane.show_found(failed)
    banner = child(pane._left, QLabel, "banner_sentence")
    with qtbot.waitSignal(pane.retryRequested):
        child(pane._left, QPushButton, "banner_action").click()
    pane._banner.hide_error()
    pane.show_found(failed)
    assert not banner.isVisible()
    pane.show_found(replace(failed, failure=HubOffline(host="h").failure()))
    assert "Offline" in banner.text()
    with qtbot.waitSignal(pane.actionRequested) as asked:
        child(pane._left, QPushButton, "banner_action").click()
    assert asked.args == ["open_config"]


def test_a_wide_page_shows_both_sides(pane: DiscoverPane, child: Find, qtbot: QtBot) -> None:
    pane.show_found(FOUND)
    pane.show_opened(OPENED)
    opened = child(pane, OpenedPane, "opened_pane")
    results = child(pane, LineList, "discover_results")
    assert opened.isVisible()
    assert results.isVisible()
    assert results.currentIndex().row() == 0
    assert not child(pane, QPushButton, "opened_back").isVisible()
    with qtbot.assertNotEmitted(pane.closeRequested):
        qtbot.keyClick(child(pane, LineList, "opened_list"), Qt.Key.Key_Left)
    assert results.hasFocus()


def test_a_narrow_page_shows_one_side_and_a_way_back(
    pane: DiscoverPane, child: Find, qtbot: QtBot
) -> None:
    pane.resize(520, 400)
    pane.show_found(FOUND)
    pane.show_opened(OPENED)
    results = child(pane, LineList, "discover_results")
    assert not results.isVisible()
    assert pane.isAncestorOf(child(pane, QWidget, "opened_pane"))
    with qtbot.waitSignal(pane.closeRequested):
        child(pane, QPushButton, "opened_back").click()
    pane.show_opened(None)
    assert results.isVisible()
    assert not results.selectedIndexes()
    pane.show_opened(OPENED)
    pane.resize(900, 620)
    qtbot.waitUntil(results.isVisible)


def test_it_tells_whether_anybody_looks(pane: DiscoverPane, qtbot: QtBot) -> None:
    with qtbot.waitSignal(pane.watched) as told:
        pane.hide()
    assert told.args == [False]
    with qtbot.waitSignal(pane.watched) as told:
        pane.show()
    assert told.args == [True]
