"""The four values: shown as planned, told by name, given back one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSlider
from pytestqt.qtbot import QtBot

from rony_desktop.contract.config import OptimizationMode
from rony_desktop.contract.launch import Fit, PlannedLaunch
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.plan.choice import ChoiceBox
from rony_desktop.ui.plan.presenter import ShownPlan
from rony_desktop.ui.plan.slider import TokenField
from rony_desktop.ui.plan.tuner import Tuner
from rony_desktop.ui.theme import Theme
from tests.fixture.plan import CARD, planned

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


@pytest.fixture
def tuner(theme: Theme, qtbot: QtBot) -> Tuner:
    tuner = Tuner(theme)
    qtbot.addWidget(tuner)
    tuner.resize(700, 400)
    tuner.show()
    return tuner


def show(tuner: Tuner, made: PlannedLaunch, wanted: Wanted | None = None) -> list[dict[str, Any]]:
    tuner.show_plan(ShownPlan(made, Fit.FITS, wanted or Wanted()))
    found: list[dict[str, Any]] = []
    tuner.changed.connect(found.append)
    return found


def test_planned_values_are_shown_with_their_reasons(
    tuner: Tuner, tmp_path: Path, child: Find
) -> None:
    found = show(tuner, planned(tmp_path))
    assert child(tuner, TokenField, "plan_tokens").value() == 8192
    assert child(tuner, ChoiceBox, "plan_types").currentData() == "f16"
    assert child(tuner, ChoiceBox, "plan_mode").currentText() == "As in the settings"
    assert 'mode "Balanced"' in child(tuner, QLabel, "plan_context_why").text()
    resets = (child(tuner, QPushButton, f"plan_{n}_reset") for n in ("context", "types", "mode"))
    assert not any(reset.isVisible() for reset in resets)
    assert found == []


def test_without_a_gpu_a_sentence_stands_for_the_layers(
    tuner: Tuner, tmp_path: Path, child: Find
) -> None:
    show(tuner, planned(tmp_path))
    assert not child(tuner, QSlider, "plan_layers_slider").isVisible()
    assert child(tuner, QLabel, "plan_no_gpu").text().startswith("No GPU")
    show(tuner, planned(tmp_path, gpus=(CARD,)))
    assert child(tuner, QSlider, "plan_layers_slider").isVisible()
    assert not child(tuner, QLabel, "plan_no_gpu").isVisible()


def test_layers_for_a_gpu_that_has_gone_can_be_given_back(
    tuner: Tuner, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    wanted = Wanted(gpu_layers=8)
    found = show(tuner, planned(tmp_path, wanted), wanted)
    reset = child(tuner, QPushButton, "plan_layers_reset")
    assert reset.isVisible()
    qtbot.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert found == [{"gpu_layers": None}]


def test_what_the_user_changes_is_told_by_name(
    tuner: Tuner, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    found = show(tuner, planned(tmp_path, gpus=(CARD,)))
    qtbot.keyClick(child(tuner, QSlider, "plan_context_slider"), Qt.Key.Key_Left)
    qtbot.keyClick(child(tuner, ChoiceBox, "plan_types"), Qt.Key.Key_Down)
    qtbot.keyClick(child(tuner, QSlider, "plan_layers_slider"), Qt.Key.Key_Home)
    qtbot.keyClick(child(tuner, ChoiceBox, "plan_mode"), Qt.Key.Key_Down)
    qtbot.keyClick(child(tuner, ChoiceBox, "plan_mode"), Qt.Key.Key_Up)
    assert found == [
        {"n_ctx": 7680},
        {"cache_type_k": "q8_0", "cache_type_v": "q8_0"},
        {"gpu_layers": 0},
        {"mode": OptimizationMode.BALANCED},
        {"mode": None},
    ]
    for name in ("context", "types", "layers", "mode"):
        assert child(tuner, QPushButton, f"plan_{name}_reset").isVisible()


def test_every_value_is_given_back_by_its_own_button(
    tuner: Tuner, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    wanted = Wanted(
        mode=OptimizationMode.SMALL, n_ctx=4096, cache_type_k="q8_0", cache_type_v="q8_0"
    )
    found = show(tuner, planned(tmp_path, wanted), wanted)
    assert child(tuner, ChoiceBox, "plan_mode").currentText() == "Little memory"
    for name in ("mode", "context", "types"):
        qtbot.mouseClick(child(tuner, QPushButton, f"plan_{name}_reset"), Qt.MouseButton.LeftButton)
    assert found == [
        {"mode": None},
        {"n_ctx": None},
        {"cache_type_k": None, "cache_type_v": None},
    ]


def test_a_cache_of_two_types_is_shown_as_it_is(tuner: Tuner, tmp_path: Path, child: Find) -> None:
    made = planned(tmp_path, Wanted(cache_type_v="q8_0"))
    show(tuner, made, made.wanted)
    assert child(tuner, ChoiceBox, "plan_types").currentText() == "f16 / q8_0"


def test_layers_left_to_the_engine_are_said_to_be(
    tuner: Tuner, tmp_path: Path, child: Find
) -> None:
    made = planned(tmp_path)
    show(tuner, replace(made, launch=replace(made.launch, gpu_layers=None)))
    assert "left to the engine" in child(tuner, QLabel, "plan_no_gpu").text()


def test_the_keyboard_goes_down_the_page(
    tuner: Tuner, tmp_path: Path, child: Find, qtbot: QtBot
) -> None:
    show(tuner, planned(tmp_path, gpus=(CARD,)))
    child(tuner, ChoiceBox, "plan_mode").setFocus()
    order = []
    for _ in range(5):
        focused = tuner.focusWidget()
        assert focused
        order.append(focused.objectName())
        assert focused.accessibleName()
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert order == [
        "plan_mode",
        "plan_context_slider",
        "plan_tokens",
        "plan_types",
        "plan_layers_slider",
    ]
