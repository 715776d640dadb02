"""The page of builds: rows that use and install, the search, errors and their way on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.app.install import InUse, Overview
from rony_desktop.contract.build import Archive, Build, Release, Source, Variant
from rony_desktop.contract.error import Action, HubOffline, InstallFailed
from rony_desktop.ui.engine.presenter import BuildState, Deed, Work
from rony_desktop.ui.engine.row import BuildRow
from rony_desktop.ui.engine.view import EnginePane
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
ONE = Build(9860, Variant.VULKAN, Path("/b"), pinned=True)
OLD = Build(9700, Variant.CPU, Path("/b"), pinned=False)
MORE = Release(9860, Variant.CPU, (Archive("a", "u", "h", 40),), pinned=True)
IN_USE = InUse("llama.cpp b9860 (vulkan)", "b9860", Source.INSTALLED, outdated=False)
STATE = BuildState(Overview((ONE, OLD), (MORE,), ONE.id, "", IN_USE, previous=OLD.id))


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> EnginePane:
    pane = EnginePane(theme)
    qtbot.addWidget(pane)
    pane.resize(800, 600)
    pane.show()
    return pane


def row_button(pane: EnginePane, name: str) -> QPushButton:
    (row,) = (r for r in pane.findChildren(BuildRow) if r.property("build") == name)
    button = row.findChild(QPushButton, "engine_row_button")
    assert isinstance(button, QPushButton)
    return button


def test_builds_are_used_and_installed(pane: EnginePane, qtbot: QtBot) -> None:
    pane.show_builds(STATE)
    assert not row_button(pane, ONE.id).isVisible()
    for name, asked in (
        ("auto", pane.useRequested),
        (OLD.id, pane.useRequested),
        (MORE.id, pane.installRequested),
    ):
        with qtbot.waitSignal(asked) as told:
            row_button(pane, name).click()
        assert told.args == [name]


def test_before_the_first_look_there_are_no_lists(pane: EnginePane, child: Find) -> None:
    search = child(pane, QPushButton, "engine_search")
    assert not search.isVisible()
    pane.show_builds(STATE)
    assert search.isVisible()


def test_the_card_goes_back_and_restarts(pane: EnginePane, child: Find, qtbot: QtBot) -> None:
    pane.show_builds(replace(STATE, waiting=True))
    with qtbot.waitSignal(pane.useRequested) as told:
        child(pane, QPushButton, "engine_back").click()
    assert told.args == ["previous"]
    with qtbot.waitSignal(pane.restartRequested):
        child(pane, QPushButton, "engine_restart").click()


def test_automatic_is_chosen_where_no_build_is(pane: EnginePane) -> None:
    overview = STATE.overview
    assert overview
    pane.show_builds(BuildState(replace(overview, chosen="")))
    assert not row_button(pane, "auto").isVisible()
    assert row_button(pane, ONE.id).isVisible()


def test_a_setting_leaves_no_choice_but_installing(
    pane: EnginePane, child: Find, qtbot: QtBot
) -> None:
    overview = STATE.overview
    assert overview
    pane.show_builds(BuildState(replace(overview, fixed="llama.engine")))
    enabled = [row_button(pane, name).isEnabled() for name in ("auto", ONE.id, OLD.id, MORE.id)]
    assert enabled == [False, False, False, True]
    with qtbot.waitSignal(pane.actionRequested) as told:
        child(pane, QPushButton, "engine_settings").click()
    assert told.args == [Action.OPEN_CONFIG]


def test_while_one_is_installed_the_others_wait(pane: EnginePane, qtbot: QtBot) -> None:
    pane.show_builds(STATE)
    rows = pane.findChildren(BuildRow)
    pane.show_builds(replace(STATE, work=Work(Deed.INSTALL, MORE.id, 10, 40)))
    assert pane.findChildren(BuildRow) == rows
    assert not row_button(pane, OLD.id).isEnabled()
    with qtbot.waitSignal(pane.cancelRequested):
        row_button(pane, MORE.id).click()


def test_the_keys_stay_with_the_build_that_had_them(
    pane: EnginePane, child: Find, qtbot: QtBot
) -> None:
    qtbot.waitUntil(pane.isActiveWindow)
    pane.show_builds(STATE)
    row_button(pane, OLD.id).setFocus()
    overview = STATE.overview
    assert overview
    pane.show_builds(BuildState(replace(overview, available=())))
    assert pane.focusWidget().parent().property("build") == OLD.id
    pane.show_builds(BuildState(replace(overview, installed=(ONE,))))
    assert child(pane, QPushButton, "engine_search").hasFocus()


def test_the_search_begins_and_is_cancelled(pane: EnginePane, child: Find, qtbot: QtBot) -> None:
    pane.show_builds(STATE)
    search = child(pane, QPushButton, "engine_search")
    with qtbot.waitSignal(pane.searchRequested):
        search.click()
    pane.show_builds(replace(STATE, work=Work(Deed.SEARCH)))
    with qtbot.waitSignal(pane.cancelRequested):
        search.click()
    pane.show_builds(replace(STATE, work=Work(Deed.USE, OLD.id)))
    assert (search.text(), search.isEnabled()) == ("Look for newer builds", False)


@pytest.mark.parametrize(
    ("installed", "searched", "words"),
    [
        ((), False, "No build for this computer"),
        ((ONE,), True, "What is published"),
        ((ONE,), False, "The builds the program knows"),
    ],
)
def test_without_builds_to_get_it_says_why(
    pane: EnginePane, child: Find, installed: tuple[Build, ...], searched: bool, words: str
) -> None:
    pane.show_builds(BuildState(Overview(installed, (), "", "", IN_USE), searched=searched))
    assert child(pane, QLabel, "engine_none").text().startswith(words)
    pane.show_builds(STATE)
    assert not child(pane, QLabel, "engine_none").isVisible()


def test_an_error_is_tried_again_or_handed_on(pane: EnginePane, child: Find, qtbot: QtBot) -> None:
    action = child(pane, QPushButton, "banner_action")
    failed = InstallFailed(name="b9860", detail="it crashed").failure()
    pane.show_builds(replace(STATE, failure=failed))
    with qtbot.waitSignal(pane.retryRequested):
        action.click()
    pane.show_builds(replace(STATE, failure=HubOffline(host="x").failure()))
    with qtbot.waitSignal(pane.actionRequested) as told:
        action.click()
    assert told.args == [Action.OPEN_CONFIG]
    pane.show_builds(STATE)
    assert not action.isVisible()
