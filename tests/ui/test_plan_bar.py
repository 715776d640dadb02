"""The bar: what is there is seen, and what does not fit is seen most."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.bar import COLOURS, HEIGHT, PATTERNS, MemoryBar
from rony_desktop.ui.plan.segment import Part, Segment, Stack
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
FULL = (Segment(Part.OTHERS, 400), Segment(Part.WEIGHTS, 300), Segment(Part.COMPUTE, 1))
STACK = Stack(1000, (*FULL, Segment(Part.FREE, 299)))
OVER = Stack(800, (Segment(Part.OTHERS, 400), Segment(Part.WEIGHTS, 600)), over_bytes=200)


@pytest.fixture
def bar(theme: Theme, qtbot: QtBot) -> MemoryBar:
    bar = MemoryBar(theme)
    qtbot.addWidget(bar)
    bar.resize(500, HEIGHT)
    return bar


def colours(bar: MemoryBar, left: int, right: int) -> set[str]:
    picture = bar.grab().toImage()
    return {QColor(picture.pixel(x, y)).name() for x in range(left, right) for y in (8, 16, 28)}


def test_segments_are_as_wide_as_they_are_large(bar: MemoryBar) -> None:
    bar.show_stack(STACK)
    found = {part: (left, right) for part, left, right in bar.extents()}
    assert found[Part.OTHERS][1] == pytest.approx(200, abs=3)
    assert found[Part.WEIGHTS][1] == pytest.approx(350, abs=3)
    assert found[Part.FREE][1] == pytest.approx(500)


def test_what_is_small_is_seen_all_the_same(bar: MemoryBar) -> None:
    bar.show_stack(STACK)
    (width,) = (right - left for part, left, right in bar.extents() if part is Part.COMPUTE)
    assert width >= 3


def test_what_does_not_fit_is_hatched_at_the_end(bar: MemoryBar, theme: Theme) -> None:
    danger = theme.tokens.danger.lower()
    bar.show_stack(STACK)
    assert danger not in colours(bar, 0, 500)
    bar.show_stack(OVER)
    assert danger in colours(bar, 402, 495)
    assert danger not in colours(bar, 5, 395)


def test_an_empty_bar_is_drawn_too(bar: MemoryBar) -> None:
    assert bar.extents() == []
    assert not bar.grab().isNull()


def test_parts_of_a_launch_differ_by_colour_and_by_pattern() -> None:
    own = (Part.WEIGHTS, Part.CONTEXT, Part.COMPUTE, Part.CACHE)
    assert len({COLOURS[part] for part in own}) == len({PATTERNS.get(part) for part in own}) == 4
    assert set(COLOURS) == set(Part)
