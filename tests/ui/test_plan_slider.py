"""Sliders: what is shown is not told, what the user moves is, and the wheel is the page's."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.slider import ContextSlider, LayerSlider
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


@pytest.fixture
def context(theme: Theme, qtbot: QtBot) -> ContextSlider:
    slider = ContextSlider(theme)
    qtbot.addWidget(slider)
    slider.show_value(8192, 131_072, given=False)
    slider.show()
    return slider


def heard(slider: Any) -> list[int]:
    found: list[int] = []
    slider.changed.connect(found.append)
    return found


def turn(widget: QWidget) -> bool:
    """Whether a widget takes the wheel for itself."""
    event = QWheelEvent(
        QPointF(4, 4),
        QPointF(4, 4),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def test_what_is_shown_is_not_told(context: ContextSlider) -> None:
    found = heard(context)
    context.show_value(32_768, 131_072, given=False)
    assert context.field.value() == 32_768
    assert context.field.text() == "32,768 tokens"
    assert found == []


def test_an_arrow_moves_it_by_one_stop_and_the_field_follows(
    context: ContextSlider, qtbot: QtBot
) -> None:
    found = heard(context)
    qtbot.keyClick(context.slider, Qt.Key.Key_Right)
    assert found == [9216]
    assert context.field.value() == 9216
    qtbot.keyClick(context.slider, Qt.Key.Key_End)
    assert found[-1] == 131_072
    assert context.slider.accessibleDescription() == "131,072 tokens of 131,072"


def test_an_exact_number_counts_once_it_is_typed(context: ContextSlider, qtbot: QtBot) -> None:
    found = heard(context)
    context.field.selectAll()
    qtbot.keyClicks(context.field, "5000")
    assert found == []
    qtbot.keyClick(context.field, Qt.Key.Key_Return)
    assert found == [5000]
    qtbot.keyClick(context.field, Qt.Key.Key_Up)
    assert found == [5000, 5256]


def test_the_models_own_limit_is_the_largest(context: ContextSlider) -> None:
    context.show_value(1024, 1024, given=False)
    assert not context.slider.isEnabled()
    assert (context.field.minimum(), context.field.maximum()) == (256, 1024)


def test_what_the_user_set_looks_otherwise(context: ContextSlider) -> None:
    assert context.slider.property("given") is False
    context.show_value(8192, 131_072, given=True)
    assert context.slider.property("given") is True


def test_the_wheel_is_left_to_the_page(context: ContextSlider, theme: Theme, qtbot: QtBot) -> None:
    layers = LayerSlider(theme)
    qtbot.addWidget(layers)
    found = [*heard(context), *heard(layers)]
    assert not any(turn(each) for each in (context.slider, context.field, layers.slider))
    assert found == []


def test_layers_go_from_none_to_all(theme: Theme, qtbot: QtBot) -> None:
    layers = LayerSlider(theme)
    qtbot.addWidget(layers)
    layers.show_value(20, 33, given=False)
    found = heard(layers)
    qtbot.keyClick(layers.slider, Qt.Key.Key_End)
    qtbot.keyClick(layers.slider, Qt.Key.Key_Home)
    assert found == [33, 0]
    assert layers.slider.accessibleDescription() == "0 of 33"
