"""A look that changes."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from rony_desktop.ui.dress import dress

pytestmark = pytest.mark.ui


def test_a_sheet_looks_again_when_a_property_changes(qtbot: QtBot) -> None:
    label = QLabel("words")
    qtbot.addWidget(label)
    label.setStyleSheet("QLabel[role='danger'] { color: #ff0000; }")
    label.ensurePolished()
    dress(label, "role", "danger")
    assert label.palette().color(label.foregroundRole()).name() == "#ff0000"
    dress(label, "role", "quiet")
    assert label.palette().color(label.foregroundRole()).name() != "#ff0000"
