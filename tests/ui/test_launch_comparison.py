"""Planned beside taken, in numbers people read."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.ui.launch.comparison import Comparison
from rony_desktop.ui.launch.taken import Taken, Value
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
GIB = 1 << 30
VALUES = (
    Taken(Value.CONTEXT, 8192, 4096),
    Taken(Value.LAYERS, 12, 0, 33),
    Taken(Value.MEMORY, 2 * GIB, None),
)


@pytest.fixture
def comparison(theme: Theme, qtbot: QtBot) -> Comparison:
    comparison = Comparison(theme)
    qtbot.addWidget(comparison)
    comparison.show()
    return comparison


def said(comparison: Comparison) -> list[str]:
    return [label.text() for label in comparison.findChildren(QLabel) if label.isVisible()]


def test_both_are_shown_where_an_engine_runs(comparison: Comparison) -> None:
    comparison.show_values(VALUES, running=True)
    texts = said(comparison)
    assert {"8,192 tokens", "4,096 tokens", "12 of 33", "0 of 33", "2.00\u2009GB"} <= set(texts)
    assert "\u2013" in texts
    assert "Taken by the engine" in texts


def test_only_the_plan_is_shown_where_none_runs(comparison: Comparison) -> None:
    comparison.show_values(VALUES[:1], running=False)
    texts = said(comparison)
    assert "8,192 tokens" in texts
    assert not {"4,096 tokens", "Layers on the GPU", "Taken by the engine"} & set(texts)
