"""A measured value is a dot within its predicted range, and a diamond outside of it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from rony_desktop.contract.speed import Span
from rony_desktop.ui.speed.span import Reading, SpanBar
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
SPAN = Span(60.0, 50.0, 70.0)


def test_what_is_inside_and_how_far_a_bar_reaches() -> None:
    assert Reading(54, 55, 56, SPAN).inside
    assert not Reading(40, 45, 49, SPAN).inside
    assert Reading(40, 45, 49).inside
    assert Reading(40, 45, 90, SPAN).reach == 90
    assert Reading(40, 45, 49, SPAN).reach == 70
    assert Reading(40, 45, 49).reach == 49


def drawn(theme: Theme, qtbot: QtBot, reading: Reading) -> QImage:
    bar = SpanBar(theme, reading, 100.0)
    qtbot.addWidget(bar)
    bar.resize(212, 20)
    return bar.grab().toImage()


def at(picture: QImage, value: float) -> QColor:
    ratio = picture.devicePixelRatio()
    return picture.pixelColor(round((6 + 2 * value) * ratio), round(10 * ratio))


def test_the_range_and_the_dot_are_where_their_numbers_are(theme: Theme, qtbot: QtBot) -> None:
    picture = drawn(theme, qtbot, Reading(60, 60, 60, SPAN))
    assert at(picture, 60) == theme.colour("accent")
    assert at(picture, 66) == theme.colour("accent_soft")
    assert at(picture, 20) == theme.colour("line")


def test_a_value_outside_warns(theme: Theme, qtbot: QtBot) -> None:
    picture = drawn(theme, qtbot, Reading(30, 30, 30, SPAN))
    assert at(picture, 30) == theme.colour("warn")
    assert at(picture, 60) == theme.colour("accent_soft")


def test_without_a_prediction_it_is_plain_and_repeats_are_a_line(
    theme: Theme, qtbot: QtBot
) -> None:
    picture = drawn(theme, qtbot, Reading(30, 60, 90))
    assert at(picture, 60) == theme.colour("text2")
    assert at(picture, 40) == theme.colour("text2")
    assert at(picture, 20) == theme.colour("line")
