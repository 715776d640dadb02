"""The plan view: it shows, tells what the user wants, and keeps what was shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.contract.error import Action, ModelMissing, PlanError
from rony_desktop.contract.launch import Fit
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.banner import Banner
from rony_desktop.ui.empty import EmptyState
from rony_desktop.ui.plan.presenter import ShownPlan
from rony_desktop.ui.plan.view import PlanPane
from rony_desktop.ui.theme import Theme
from tests.fixture.plan import CARD, planned

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
LARGE = Wanted(n_ctx=131_072)


@pytest.fixture
def pane(theme: Theme, qtbot: QtBot) -> PlanPane:
    pane = PlanPane(theme)
    qtbot.addWidget(pane)
    pane.resize(800, 700)
    pane.show()
    return pane


def shown(folder: Path, wanted: Wanted | None = None, **more: Any) -> ShownPlan:
    made = planned(folder, wanted, **more)
    fit = Fit.FITS if made.plan.fits else Fit.TOO_LARGE
    return ShownPlan(made, fit, wanted or Wanted())


def test_what_fits_is_loaded_with_these_settings(
    pane: PlanPane, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    pane.show_plan(shown(tmp_path))
    load = child(pane, QPushButton, "plan_load")
    assert load.text() == "Load with these settings"
    assert not child(pane, QLabel, "plan_risk").isVisible()
    assert not child(pane, QPushButton, "plan_back").isEnabled()
    with qtbot.waitSignal(pane.loadRequested) as caught:
        qtbot.keyClick(load, Qt.Key.Key_Space)
    assert caught.args == [False]


def test_what_does_not_fit_is_loaded_anyway_with_a_warning(
    pane: PlanPane, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    pane.show_plan(shown(tmp_path, LARGE, free_gib=8))
    load = child(pane, QPushButton, "plan_load")
    assert load.text() == load.accessibleName() == "Load anyway"
    assert child(pane, QLabel, "plan_risk").isVisible()
    with qtbot.waitSignal(pane.loadRequested) as caught:
        qtbot.mouseClick(load, Qt.MouseButton.LeftButton)
    assert caught.args == [True]
    with qtbot.waitSignal(pane.backRequested):
        qtbot.mouseClick(child(pane, QPushButton, "plan_back"), Qt.MouseButton.LeftButton)


def test_a_second_bar_stands_for_the_gpu(pane: PlanPane, tmp_path: Path, child: Find) -> None:
    pane.show_plan(shown(tmp_path))
    assert not child(pane, QWidget, "plan_gpu").isVisible()
    pane.show_plan(shown(tmp_path, gpus=(CARD,)))
    assert child(pane, QWidget, "plan_gpu").isVisible()


def test_a_failure_stands_over_the_plan_that_was_shown(
    pane: PlanPane, tmp_path: Path, child: Find
) -> None:
    pane.show_plan(shown(tmp_path))
    pane.show_failure(PlanError(model="tiny", detail="no").failure())
    banner = pane.findChild(Banner)
    assert isinstance(banner, Banner)
    assert banner.isVisible()
    assert child(pane, QSlider, "plan_context_slider").isVisible()
    pane.show_failure(None)
    assert not banner.isVisible()


def test_without_a_plan_a_failure_says_what_to_do(
    pane: PlanPane, qtbot: QtBot, child: Find
) -> None:
    pane.show_working("tiny")
    empty = child(pane, EmptyState, "empty")
    assert empty.accessibleName() == "Working out the plan. tiny"
    pane.show_failure(ModelMissing(path="/x.gguf").failure())
    assert empty.accessibleName().startswith("Not ready to answer. ")
    with qtbot.waitSignal(pane.actionRequested) as caught:
        qtbot.mouseClick(child(pane, QPushButton, "banner_action"), Qt.MouseButton.LeftButton)
    assert caught.args == [Action.CHOOSE_MODEL]


def test_without_a_model_one_button_leads_on(pane: PlanPane, qtbot: QtBot, child: Find) -> None:
    pane.show_nothing(elsewhere=False)
    assert not child(pane, QPushButton, "plan_load").isVisible()
    with qtbot.waitSignal(pane.actionRequested) as caught:
        qtbot.mouseClick(child(pane, QPushButton, "empty_action"), Qt.MouseButton.LeftButton)
    assert caught.args == [Action.FIND_MODEL]
    pane.show_nothing(elsewhere=True)
    assert "on a server" in child(pane, EmptyState, "empty").accessibleName()


def test_changes_and_the_start_of_a_load_are_passed_on(
    pane: PlanPane, tmp_path: Path, qtbot: QtBot, child: Find
) -> None:
    pane.show_plan(shown(tmp_path))
    with qtbot.waitSignal(pane.changed) as caught:
        qtbot.keyClick(child(pane, QSlider, "plan_context_slider"), Qt.Key.Key_Home)
    assert caught.args == [{"n_ctx": 2048}]
    with qtbot.waitSignal(pane.started):
        pane.show_started()


@pytest.mark.parametrize("width", [520, 720, 1400])
def test_nothing_is_cut_at_any_width(
    pane: PlanPane, tmp_path: Path, width: int, child: Find, qtbot: QtBot
) -> None:
    pane.set_quant("Q4_K_M")
    pane.show_plan(shown(tmp_path, LARGE, gpus=(CARD,), free_gib=8))
    pane.resize(width, 480)
    qtbot.waitUntil(lambda: pane.width() == width)
    page = child(pane, QWidget, "plan_page")
    assert page.minimumSizeHint().width() <= width


def test_everything_that_takes_the_keyboard_has_a_name(pane: PlanPane, tmp_path: Path) -> None:
    pane.show_plan(shown(tmp_path, LARGE, gpus=(CARD,)))
    kinds = (QPushButton, QSlider, QComboBox, QAbstractSpinBox)
    found = [widget for kind in kinds for widget in pane.findChildren(kind) if widget.isVisible()]
    assert len(found) > 7
    assert [each.objectName() for each in found if not each.accessibleName()] == []
