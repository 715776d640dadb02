"""The card of the engine in use: its state in words, and at most two buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.app.install import InUse, Overview
from rony_desktop.contract.build import Source
from rony_desktop.contract.error import BinaryNotFound
from rony_desktop.ui.engine.presenter import BuildState, Deed, Work
from rony_desktop.ui.engine.using import UsingCard
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
IN_USE = InUse("llama.cpp b9860 (vulkan)", "b9860", Source.INSTALLED, outdated=False)
OVERVIEW = Overview((), (), "b9860-vulkan", "", IN_USE)


@pytest.fixture
def card(theme: Theme, qtbot: QtBot) -> UsingCard:
    card = UsingCard(theme)
    qtbot.addWidget(card)
    card.resize(500, 200)
    card.show()
    return card


def shown(card: UsingCard) -> set[str]:
    widgets = (*card.findChildren(QLabel), *card.findChildren(QPushButton))
    return {w.objectName() for w in widgets if w.isVisible()} - {"", "engine_title", "engine_about"}


def test_it_says_what_is_used(card: UsingCard, child: Find) -> None:
    card.show_builds(BuildState())
    assert child(card, QLabel, "engine_title").text() == "Looking at the engine"
    card.show_builds(BuildState(OVERVIEW))
    assert child(card, QLabel, "engine_title").text() == IN_USE.label
    assert child(card, QLabel, "engine_about").text() == "Installed here"
    assert shown(card) == set()


def test_where_none_works_it_says_why(card: UsingCard, child: Find) -> None:
    failure = BinaryNotFound(tried="path").failure()
    card.show_builds(BuildState(replace(OVERVIEW, in_use=None, failure=failure)))
    assert child(card, QLabel, "engine_title").text().startswith("No engine on this computer")


def test_an_old_build_is_warned_of(card: UsingCard, child: Find) -> None:
    old = replace(OVERVIEW, in_use=replace(IN_USE, outdated=True))
    card.show_builds(BuildState(old))
    warning = child(card, QLabel, "engine_warning")
    assert "Install a newer one below" in warning.text()
    card.show_builds(BuildState(replace(old, fixed="llama.engine")))
    assert "below" not in warning.text()


def test_there_is_a_way_back(card: UsingCard, child: Find, qtbot: QtBot) -> None:
    card.show_builds(BuildState(replace(OVERVIEW, previous="b9700-cpu")))
    back = child(card, QPushButton, "engine_back")
    assert (shown(card), back.text()) == ({"engine_back"}, "Go back to b9700-cpu")
    with qtbot.waitSignal(card.backRequested):
        back.click()
    card.show_builds(BuildState(replace(OVERVIEW, previous="b9700-cpu"), Work(Deed.SEARCH)))
    assert not back.isEnabled()


def test_a_change_waits_for_a_restart(card: UsingCard, child: Find, qtbot: QtBot) -> None:
    card.show_builds(BuildState(OVERVIEW, waiting=True))
    assert shown(card) == {"engine_waiting", "engine_restart"}
    with qtbot.waitSignal(card.restartRequested):
        child(card, QPushButton, "engine_restart").click()


def test_a_setting_that_decides_is_named(card: UsingCard, child: Find, qtbot: QtBot) -> None:
    fixed = replace(OVERVIEW, fixed="llama.binary_path", previous="b9700-cpu")
    card.show_builds(BuildState(fixed))
    assert shown(card) == {"engine_fixed", "engine_settings"}
    assert "llama.binary_path" in child(card, QLabel, "engine_fixed").text()
    with qtbot.waitSignal(card.settingsRequested):
        child(card, QPushButton, "engine_settings").click()
