"""How a model fits: in a sign, a word and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.contract.launch import Fit
from rony_desktop.contract.plan import Wanted
from rony_desktop.ui.number import gigabytes
from rony_desktop.ui.plan.presenter import ShownPlan
from rony_desktop.ui.plan.segment import excess
from rony_desktop.ui.plan.verdict import LOOKS, Verdict
from rony_desktop.ui.theme import Theme
from tests.fixture.plan import planned

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
LONG = "A-model-" + "with-a-long-name-" * 5


@pytest.fixture
def verdict(theme: Theme, qtbot: QtBot) -> Verdict:
    verdict = Verdict(theme)
    qtbot.addWidget(verdict)
    verdict.show()
    return verdict


@pytest.mark.parametrize("fit", Fit)
def test_every_fit_has_a_word_in_its_colour_and_a_sign(
    verdict: Verdict, tmp_path: Path, child: Find, fit: Fit
) -> None:
    verdict.show_plan(ShownPlan(planned(tmp_path), fit, Wanted()), "Q4_K_M")
    word = child(verdict, QLabel, "plan_fit")
    assert word.property("role") == LOOKS[fit][1]
    assert word.text() in verdict.accessibleName()
    assert "Q4_K_M" in verdict.accessibleName()


def test_signs_and_colours_of_good_and_bad_differ() -> None:
    assert len({LOOKS[fit] for fit in (Fit.FITS, Fit.SHORT, Fit.PARTLY, Fit.TOO_LARGE)}) == 4


def test_what_is_too_large_says_by_how_much(verdict: Verdict, tmp_path: Path, child: Find) -> None:
    made = planned(tmp_path, Wanted(n_ctx=131_072), free_gib=8)
    verdict.show_plan(ShownPlan(made, Fit.TOO_LARGE, made.wanted), "")
    assert "more than may be used now" in child(verdict, QLabel, "plan_sentence").text()
    assert gigabytes(excess(made.plan)) in child(verdict, QLabel, "plan_sentence").text()
    assert not child(verdict, QLabel, "plan_quant").isVisible()


def test_a_long_name_gives_way(verdict: Verdict, tmp_path: Path, child: Find) -> None:
    made = planned(tmp_path)
    made = replace(made, model=replace(made.model, path=Path(f"/m/{LONG}.gguf")))
    verdict.show_plan(ShownPlan(made, Fit.FITS, Wanted()), "Q4_K_M")
    assert verdict.minimumSizeHint().width() < 400
    assert LONG in child(verdict, QLabel, "plan_name").toolTip()
