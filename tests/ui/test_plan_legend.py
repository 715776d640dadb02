"""The legend: even columns, as many as have room."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.legend import Legend
from rony_desktop.ui.plan.segment import Part, Segment
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
SEGMENTS = tuple(Segment(part, 1 << 30) for part in Part)


@pytest.mark.parametrize(("width", "rows"), [(760, 2), (560, 3), (460, 4), (150, 7)])
def test_rows_are_as_many_as_the_width_asks_for(
    theme: Theme, qtbot: QtBot, width: int, rows: int
) -> None:
    legend = Legend(theme)
    qtbot.addWidget(legend)
    legend.show_segments(SEGMENTS)
    legend.resize(width, 100)
    legend.show()
    assert legend.height() == rows * 20


def test_it_draws_names_and_sizes(theme: Theme, qtbot: QtBot) -> None:
    legend = Legend(theme)
    qtbot.addWidget(legend)
    legend.resize(400, 100)
    empty = legend.grab().toImage()
    legend.show_segments(SEGMENTS[:1])
    one = legend.grab().toImage()
    legend.show_segments((Segment(Part.OTHERS, 7 << 30),))
    assert empty != one != legend.grab().toImage()
