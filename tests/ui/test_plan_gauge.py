"""A memory in words, for those who do not see the bar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from rony_desktop.ui.plan.bar import MemoryBar
from rony_desktop.ui.plan.gauge import Gauge
from rony_desktop.ui.plan.segment import Part, Segment, Stack
from rony_desktop.ui.theme import Theme
from rony_desktop.ui.token import THIN

pytestmark = pytest.mark.ui
Find = Callable[..., Any]
GIB = 1 << 30


def test_the_bar_is_described_with_all_its_sizes(theme: Theme, qtbot: QtBot, child: Find) -> None:
    gauge = Gauge(theme, "Memory", "gauge")
    qtbot.addWidget(gauge)
    gauge.show()
    segments = (Segment(Part.OTHERS, 4 * GIB), Segment(Part.WEIGHTS, 6 * GIB))
    gauge.show_stack(Stack(10 * GIB, segments, name="Card"))
    bar = child(gauge, MemoryBar, "gauge_bar")
    assert bar.accessibleName() == f"Memory · Card, 10.0{THIN}GB"
    assert bar.accessibleDescription() == f"Other programs 4.0{THIN}GB, Weights 6.0{THIN}GB"
    gauge.show_stack(Stack(8 * GIB, segments, over_bytes=2 * GIB))
    assert bar.accessibleDescription().endswith(f", 2.0{THIN}GB too much")
