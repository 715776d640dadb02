"""The bar moves only where nobody knows, and only while it is seen."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from rony_desktop.ui.speed.meter import Meter
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui


def test_it_is_filled_as_far_as_it_is_done(theme: Theme, qtbot: QtBot) -> None:
    meter = Meter(theme)
    qtbot.addWidget(meter)
    meter.resize(100, 4)
    meter.set_share(0.5)
    picture = meter.grab().toImage()
    ratio = picture.devicePixelRatio()
    left, right = (picture.pixelColor(QPoint(x, 2) * ratio) for x in (25, 75))
    assert (left, right) == (theme.colour("accent"), theme.colour("line"))
    assert not meter.moving()


def test_it_moves_while_it_is_seen_and_nobody_knows(theme: Theme, qtbot: QtBot) -> None:
    meter = Meter(theme)
    qtbot.addWidget(meter)
    meter.set_share(None)
    assert not meter.moving()
    meter.show()
    assert meter.moving()
    before = meter._phase
    qtbot.waitUntil(lambda: meter._phase != before)
    meter.hide()
    assert not meter.moving()
    meter.show()
    meter.set_share(1.0)
    assert not meter.moving()
