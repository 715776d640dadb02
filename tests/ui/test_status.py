"""The status bar: numbers with their units."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from rony_desktop.ui.status import StatusBar
from rony_desktop.ui.theme import Theme

pytestmark = pytest.mark.ui
Find = Callable[..., Any]


def test_status_says_numbers_with_units(theme: Theme, qtbot: QtBot, child: Find) -> None:
    status = StatusBar(theme)
    qtbot.addWidget(status)
    status.show()
    status.set_engine("ready", "Ready")
    status.set_speed(42.06)
    status.set_first_token(0.31)
    status.set_context(1240, 8192)
    assert child(status, QPushButton, "status_speed").text() == "42.1\u2009tok/s"
    assert "0.3\u2009s" in child(status, QPushButton, "status_first_token").text()
    assert child(status, QPushButton, "status_context").text() == "context 1.2k / 8k"
    assert child(status, QPushButton, "status_engine").accessibleName() == "Engine: Ready"
    status.set_speed(None)
    assert not child(status, QPushButton, "status_speed").isVisible()
    with qtbot.waitSignal(status.engineClicked):
        qtbot.mouseClick(child(status, QPushButton, "status_engine"), Qt.MouseButton.LeftButton)
    assert status.height() == 24


def test_only_what_does_something_takes_the_focus(theme: Theme, qtbot: QtBot, child: Find) -> None:
    status = StatusBar(theme)
    qtbot.addWidget(status)
    figures = ("status_speed", "status_first_token", "status_context")
    policies = {child(status, QPushButton, name).focusPolicy() for name in figures}
    assert policies == {Qt.FocusPolicy.NoFocus}
    engine = child(status, QPushButton, "status_engine")
    assert engine.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert "Open the log" in engine.toolTip()


def test_downloads_are_said_only_while_there_are_any(
    theme: Theme, qtbot: QtBot, child: Find
) -> None:
    status = StatusBar(theme)
    qtbot.addWidget(status)
    status.show()
    part = child(status, QPushButton, "status_download")
    assert not part.isVisible()
    status.set_download(0.429)
    assert part.text() == "Downloading 42\u2009%"
    status.set_download(0.429, 154.0)
    assert part.text() == "Downloading 42\u2009% \u00b7 3\u2009min"
    assert part.accessibleName() == f"Downloads: {part.text()}"
    with qtbot.waitSignal(status.downloadsClicked):
        part.click()
    status.set_download(None, done="a-name.gguf")
    assert part.text() == "Downloaded a-name.gguf"
    status.set_download(None, done="n" * 200)
    assert "\u2026" in part.text()
    status.set_download(None)
    assert not part.isVisible()
