from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import Action, EngineKilled
from rony_desktop.ui.empty import EmptyState
from rony_desktop.ui.stage import Stage
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@pytest.fixture
def stage(theme: Theme, qtbot: QtBot) -> Stage:
    stage = Stage(theme, QLabel("the page"))
    qtbot.addWidget(stage)
    stage.resize(600, 400)
    stage.show()
    return stage


def empty(stage: Stage) -> EmptyState:
    found = stage.findChild(EmptyState)
    assert isinstance(found, EmptyState)
    return found


def test_a_page_or_what_stands_in_its_place_is_shown(stage: Stage) -> None:
    for blank in (
        lambda: stage.show_working("tiny"),
        lambda: stage.show_nothing(elsewhere=False),
        lambda: stage.show_nothing(elsewhere=True),
    ):
        stage.show_page()
        assert stage.area.isVisible()
        assert not empty(stage).isVisible()
        blank()
        assert empty(stage).isVisible()


def test_a_failure_leaves_the_page_where_it_is(stage: Stage) -> None:
    stage.show_page()
    stage.show_failure(EngineKilled().failure())
    assert stage.banner.isVisible()
    assert stage.area.isVisible()
    stage.show_failure(None)
    assert not stage.banner.isVisible()


def test_its_buttons_tell_what_to_do(stage: Stage, child: Find, qtbot: QtBot) -> None:
    stage.show_nothing(elsewhere=False)
    (button,) = [b for b in empty(stage).findChildren(QPushButton) if b.isVisible()]
    with qtbot.waitSignal(stage.actionRequested) as caught:
        button.click()
    assert caught.args == [Action.FIND_MODEL]
    stage.show_failure(EngineKilled().failure())
    with qtbot.waitSignal(stage.actionRequested) as caught:
        child(stage.banner, QPushButton, "banner_action").click()
    assert caught.args == [EngineKilled.action]
